import { toObject, toText } from '@gateway/call-contract';
import {
  Alert,
  Badge,
  Card,
  Code,
  CopyButton,
  Grid,
  Group,
  List,
  SimpleGrid,
  Stack,
  Text,
  Button,
} from '@mantine/core';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useBackend } from '../../backend/backend.ts';
import { LoadingArea } from '../../display/loading.tsx';
import { PageHead, PageLink, PageSection, RelativeTime } from '../../display/page-parts.tsx';
import { type Attention, listAttention, parseWarnings } from './attention.ts';
import { formatDuration, useRuns } from '../runs/run-facts.ts';
import { RunBadge } from '../runs/run-badge.tsx';
import { type ServerOverview, useServers } from '../servers/server-facts.ts';
import { toShownState } from '../servers/server-parts.tsx';
import { useWorkflows } from '../workflows/workflow-facts.ts';
import { useAgents } from '../../queries/agents.ts';
import { useServerList } from '../../queries/catalog.ts';
import { useToolAnswer } from '../../queries/core-tools.ts';
import { usePresets } from '../../queries/toolsets.ts';
import { useUsage } from '../../queries/usage.ts';

/** The formats of all clients are loaded when they are asked for. */
const ConnectClient = lazy(async () => ({
  default: (await import('./connect-client.tsx')).ConnectClient,
}));

const WORKING: ReadonlySet<string> = new Set(['Running', 'Connected']);

const Figure = ({
  label,
  value,
  to,
}: {
  readonly label: string;
  /** Absent before it is known, and where it cannot be known. */
  readonly value: string | undefined;
  readonly to: '/servers' | '/usage' | '/runs';
}): ReactNode => (
  <Card withBorder padding="sm">
    <PageLink to={to} size="sm" c="dimmed">
      {label}
    </PageLink>
    <Text fz={26} fw={600} lh={1.4}>
      {value ?? '–'}
    </Text>
  </Card>
);

const Figures = ({ overview }: { readonly overview: ServerOverview | undefined }): ReactNode => {
  const { data: { total } = {} } = useUsage({ hours: 1 });
  const servers = overview?.servers ?? [];
  const working = servers.filter((server) => WORKING.has(toShownState(server))).length;
  return (
    <SimpleGrid cols={{ base: 2, md: 4 }} spacing="sm">
      <Figure
        label="Servers that work"
        to="/servers"
        value={overview && `${working} of ${servers.length}`}
      />
      <Figure label="Calls, last hour" to="/usage" value={total && String(total.calls)} />
      <Figure label="Errors, last hour" to="/usage" value={total && String(total.errors)} />
      <Figure
        label="Calls: p95"
        to="/usage"
        value={total?.p95Ms === undefined ? undefined : formatDuration(total.p95Ms)}
      />
    </SimpleGrid>
  );
};

const COLORS: Readonly<Record<Attention['kind'], string>> = {
  Failed: 'red',
  'Not valid': 'red',
  'Sign-in needed': 'orange',
  Conflict: 'orange',
  Changed: 'yellow',
  Toolset: 'red',
};

const useAttention = (overview: ServerOverview | undefined): readonly Attention[] => {
  const { data: warnings = [] } = useToolAnswer({
    key: ['service-warnings'],
    tool: 'core_service_list',
    parse: parseWarnings,
  });
  const { data: workflows = [] } = useWorkflows();
  const { data: agents = [] } = useAgents();
  const presets = usePresets();
  const catalog = useServerList();
  const { servers = [], refused = [] } = overview ?? {};
  return listAttention({ servers, refused, catalog, warnings, workflows, agents, presets });
};

const AttentionList = ({ attention }: { readonly attention: readonly Attention[] }): ReactNode => (
  <PageSection title="Needs attention">
    {attention.length === 0 ? (
      <Text size="sm">Nothing: servers, workflows and toolsets are in order.</Text>
    ) : (
      <Stack gap="xs" component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
        {attention.map((one) => (
          <Group key={`${one.kind} ${one.name} ${one.text}`} component="li" gap="xs" wrap="nowrap">
            <Badge variant="light" tt="none" color={COLORS[one.kind]} flex="none">
              {one.kind}
            </Badge>
            <PageLink {...one.link} size="sm">
              <bdi>{one.name}</bdi>
            </PageLink>
            <Text size="sm" c="dimmed" truncate title={one.text}>
              <bdi>{one.text}</bdi>
            </Text>
          </Group>
        ))}
      </Stack>
    )}
  </PageSection>
);

const SHOWN_RUNS = 6;

const RecentRuns = (): ReactNode => {
  const { data, isPending } = useRuns({});
  return (
    <PageSection title="Recent runs">
      {isPending && <LoadingArea label="Loading the runs" h={80} />}
      {data?.runs.length === 0 && (
        <Text size="sm">
          No workflow has run yet. <PageLink to="/workflows">Choose one</PageLink> and run it.
        </Text>
      )}
      <Stack gap="xs">
        {data?.runs.slice(0, SHOWN_RUNS).map(({ id, workflow, status, startedAt, durationMs }) => (
          <Group key={id} gap="xs" wrap="nowrap">
            <RunBadge status={status} />
            <PageLink to="/runs/$run" params={{ run: id }} size="sm" truncate>
              <bdi>{workflow}</bdi>
            </PageLink>
            <Text size="sm" c="dimmed" ms="auto" style={{ whiteSpace: 'nowrap' }}>
              <RelativeTime at={startedAt} />
              {status !== 'inprogress' && ` · ${formatDuration(durationMs)}`}
            </Text>
          </Group>
        ))}
      </Stack>
      <PageLink to="/runs" size="sm">
        All runs
      </PageLink>
    </PageSection>
  );
};

/** What to do in an installation without servers. */
const FirstSteps = ({ mayChange }: { readonly mayChange: boolean }): ReactNode => (
  <Alert color="indigo" title="First steps">
    <List type="ordered" size="sm">
      <List.Item>
        {mayChange ? (
          <>
            <PageLink to="/servers/new" inherit underline="always" c="inherit">
              Add a server
            </PageLink>{' '}
            by its address or command, or{' '}
            <PageLink to="/servers/import" inherit underline="always" c="inherit">
              import
            </PageLink>{' '}
            those of another program.
          </>
        ) : (
          'An administrator of the gateway adds servers.'
        )}
      </List.Item>
      <List.Item>Try one of its tools in the catalog.</List.Item>
      <List.Item>Compose a toolset, and give it to an agent or to a client below.</List.Item>
    </List>
  </Alert>
);

/** Reads the address at which clients reach the gateway. */
const useEndpoint = (): string | undefined => {
  const { gatewayUrl } = useBackend().session;
  const { data } = useToolAnswer(
    {
      key: ['public-url'],
      tool: 'core_config_get',
      parse: ({ http }) => toText(toObject(http)['publicUrl']),
    },
    { staleTime: Infinity },
  );
  return data === undefined || data === '' ? gatewayUrl : new URL('/mcp', data).href;
};

const Connect = (): ReactNode => {
  const [isShown, setShown] = useState(false);
  const url = useEndpoint();
  const { data: agents = [] } = useAgents();
  const { cards } = usePresets();
  const toolsets = [
    ...cards.map(({ selector }) => selector),
    ...agents.flatMap(({ toolset }) => (toolset === undefined ? [] : [toolset.join(',')])),
  ];
  return (
    <PageSection title="Connect a client">
      {url === undefined ? (
        <Text size="sm">The address of the gateway is not known.</Text>
      ) : (
        <>
          <Group gap="xs">
            <Code style={{ overflowWrap: 'anywhere' }}>{url}</Code>
            <CopyButton value={url}>
              {({ copied, copy }) => (
                <Button size="compact-xs" variant="default" onClick={copy}>
                  {copied ? 'Copied' : 'Copy the address'}
                </Button>
              )}
            </CopyButton>
          </Group>
          {isShown ? (
            <Suspense fallback={<LoadingArea h={300} />}>
              <ConnectClient url={url} toolsets={[...new Set(toolsets)]} />
            </Suspense>
          ) : (
            <Button size="xs" variant="light" w="fit-content" onClick={() => setShown(true)}>
              Show the configuration of a client
            </Button>
          )}
        </>
      )}
    </PageSection>
  );
};

/** The home of the portal: the health of the installation, what needs attention, recent runs, and how clients connect. */
export const OverviewPage = (): ReactNode => {
  const { data: overview } = useServers();
  return (
    <Stack>
      <PageHead title="Overview" />
      {overview?.servers.length === 0 && (
        <FirstSteps mayChange={overview.writeRefusal === undefined} />
      )}
      <Figures overview={overview} />
      <Grid>
        <Grid.Col span={{ base: 12, md: 7 }}>
          <Stack>
            <AttentionList attention={useAttention(overview)} />
            <RecentRuns />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 5 }}>
          <Connect />
        </Grid.Col>
      </Grid>
    </Stack>
  );
};
