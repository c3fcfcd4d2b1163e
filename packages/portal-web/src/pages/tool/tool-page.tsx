import { ToolMarks } from '@gateway/portal-ui';
import { Button, Code, Group, SimpleGrid, Stack, Tabs, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { getRouteApi } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense } from 'react';
import { readToolSearch } from '../../addresses/searches.ts';
import { Loaded, LoadingArea } from '../../display/loading.tsx';
import { Fact, PageLink, PageTitle, StateBadge } from '../../display/page-parts.tsx';
import { type RecordColumn, RecordTable } from '../../display/record-table.tsx';
import { JsonBlock } from '../../display/text-blocks.tsx';
import {
  listArguments,
  parseToolDetail,
  type ToolArgument,
  type ToolDetail,
} from './tool-detail.ts';
import { CATALOG_KEY, useServerList } from '../../queries/catalog.ts';
import { useToolAnswer } from '../../queries/core-tools.ts';

/** More rows make a page slow. */
const MAX_ROWS = 200;

const ArgumentName = ({
  argument: { name, isRequired },
}: {
  readonly argument: ToolArgument;
}): ReactNode => (
  <Group gap="xs">
    <Code>
      <bdi>{name}</bdi>
    </Code>
    {isRequired && <StateBadge size="sm">Required</StateBadge>}
  </Group>
);

const COLUMNS: readonly RecordColumn<ToolArgument>[] = [
  { label: 'Name', render: (argument) => <ArgumentName argument={argument} /> },
  {
    label: 'Type',
    render: ({ type }) => (
      <Text size="sm" ff="monospace">
        <bdi>{type}</bdi>
      </Text>
    ),
  },
  {
    label: 'Description',
    render: ({ description }) =>
      description === '' ? null : (
        <Text component="bdi" size="sm">
          {description}
        </Text>
      ),
  },
];

/** The schemas of a tool as JSON, closed at first. */
const Schemas = ({ tool }: { readonly tool: ToolDetail }): ReactNode => {
  const [opened, { toggle }] = useDisclosure();
  return (
    <Stack gap="xs" align="stretch">
      <Group>
        <Button variant="default" size="xs" aria-expanded={opened} onClick={toggle}>
          {opened ? 'Hide the schema' : 'Show the schema'}
        </Button>
      </Group>
      {opened && (
        <>
          <JsonBlock title="Schema of the arguments" value={tool.inputSchema} />
          {tool.outputSchema !== undefined && (
            <JsonBlock title="Schema of the results" value={tool.outputSchema} />
          )}
        </>
      )}
    </Stack>
  );
};

/** Shows the arguments of a tool and its schemas. */
export const ArgumentTable = ({ tool }: { readonly tool: ToolDetail }): ReactNode => {
  const rows = listArguments(tool);
  return (
    <Stack gap="xs">
      <Title order={2} size="h5">
        Arguments
      </Title>
      {rows.length === 0 ? (
        <Text size="sm">The tool has no arguments.</Text>
      ) : (
        <RecordTable
          label="Arguments"
          records={rows.slice(0, MAX_ROWS)}
          recordKey={({ name }) => name}
          columns={COLUMNS}
        />
      )}
      {rows.length > MAX_ROWS && (
        <Text size="sm">
          {`The first ${MAX_ROWS} of ${rows.length} arguments are shown. The schema lists all arguments.`}
        </Text>
      )}
      <Schemas tool={tool} />
    </Stack>
  );
};

/** The hints of MCP with their names. MCP 2026-07-28, `ToolAnnotations` */
const HINTS = [
  ['readOnlyHint', 'Only reads'],
  ['destructiveHint', 'Deletes or overwrites something'],
  ['idempotentHint', 'Has no further effect when repeated'],
  ['openWorldHint', 'Reaches systems outside of its server'],
] as const;

const formatHintValue = (value: unknown): string => {
  if (value === true) return 'yes';
  return value === false ? 'no' : 'not stated';
};

/** Shows the title and the hints of a tool. */
export const ToolAnnotations = ({
  tool: { title, annotations = {} },
}: {
  readonly tool: Pick<ToolDetail, 'title' | 'annotations'>;
}): ReactNode => (
  <Stack gap="xs" component="section" aria-label="Annotations">
    <Title order={2} size="h5">
      Annotations
    </Title>
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
      {title !== undefined && (
        <Fact label="Title">
          <bdi>{title}</bdi>
        </Fact>
      )}
      {HINTS.map(([hint, label]) => (
        <Fact key={hint} label={label}>
          {formatHintValue(annotations[hint])}
        </Fact>
      ))}
    </SimpleGrid>
    <Text size="xs" c="dimmed">
      The server states these annotations. The gateway does not verify them.
    </Text>
  </Stack>
);

const route = getRouteApi('/catalog/$tool');

/** Forms are large and loaded when they are needed. */
const TryTool = lazy(async () => ({ default: (await import('./try-tool.tsx')).TryTool }));

const ChangeHistory = lazy(async () => ({
  default: (await import('./change-history.tsx')).ChangeHistory,
}));

const useTool = (name: string) =>
  useToolAnswer({
    key: [CATALOG_KEY, 'tool', name],
    tool: 'describe_tool',
    args: { name },
    parse: parseToolDetail,
  });

/** The server of a tool as a link; for a tool of a family, the list of its members. */
const ServerLink = ({ name }: { readonly name: string }): ReactNode => {
  const servers = useServerList();
  if (servers.some((server) => server.name === name))
    return (
      <PageLink to="/servers/$name" params={{ name }} inherit>
        <bdi>{name}</bdi>
      </PageLink>
    );
  return (
    <PageLink to="/servers" search={{ query: name }} inherit>
      <bdi>{name}</bdi>
    </PageLink>
  );
};

const Heading = ({ tool }: { readonly tool: ToolDetail }): ReactNode => (
  <Stack gap={4}>
    <Group gap="sm">
      <PageTitle title={tool.name} kind="Tool" isCode />
      <ToolMarks tool={tool} />
    </Group>
    {tool.server !== undefined && (
      <Text size="sm" c="dimmed">
        of the server <ServerLink name={tool.server} />
      </Text>
    )}
  </Stack>
);

const AboutTab = ({ tool }: { readonly tool: ToolDetail }): ReactNode => (
  <Stack pt="md">
    <Text
      component="bdi"
      display="block"
      style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}
    >
      {tool.description}
    </Text>
    <ArgumentTable tool={tool} />
    <ToolAnnotations tool={tool} />
  </Stack>
);

const Tool = ({ tool }: { readonly tool: ToolDetail }): ReactNode => {
  const { tab = 'about' } = route.useSearch();
  const navigate = route.useNavigate();
  const show = (value: string | null): void => {
    void navigate({ search: readToolSearch({ tab: value }), replace: true });
  };
  return (
    <Stack>
      <Heading tool={tool} />
      <Tabs value={tab} onChange={show} keepMounted={false}>
        <Tabs.List>
          <Tabs.Tab value="about">About</Tabs.Tab>
          <Tabs.Tab value="try">Try it</Tabs.Tab>
          {tool.server !== undefined && <Tabs.Tab value="changes">Changes</Tabs.Tab>}
        </Tabs.List>
        <Tabs.Panel value="about">
          <AboutTab tool={tool} />
        </Tabs.Panel>
        <Tabs.Panel value="try" pt="md">
          <Suspense fallback={<LoadingArea h={200} />}>
            <TryTool key={tool.name} tool={tool} />
          </Suspense>
        </Tabs.Panel>
        <Tabs.Panel value="changes" pt="md">
          <Suspense fallback={<LoadingArea h={200} />}>
            <ChangeHistory tool={tool} />
          </Suspense>
        </Tabs.Panel>
      </Tabs>
    </Stack>
  );
};

/** One tool: its description, arguments and annotations, a form that calls it, and its changes. */
export const ToolPage = (): ReactNode => {
  const { tool: name } = route.useParams();
  const query = useTool(name);
  return (
    <Stack>
      <PageLink to="/catalog" search={{}} size="sm">
        All tools
      </PageLink>
      {query.data === undefined && query.error !== null && (
        <PageTitle title={name} kind="Tool" isCode />
      )}
      <Loaded
        query={query}
        h={200}
        next={
          <PageLink to="/catalog" search={{}}>
            all tools
          </PageLink>
        }
      >
        {(tool) => <Tool tool={tool} />}
      </Loaded>
    </Stack>
  );
};
