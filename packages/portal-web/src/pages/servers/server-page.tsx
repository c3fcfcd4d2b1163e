import { type JsonObject, toObjects, toText } from '@gateway/call-contract';
import { Code, Group, ScrollArea, Stack, Switch, Text } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { DetailTabs } from '../../display/detail-tabs.tsx';
import { Loaded, LoadingSign } from '../../display/loading.tsx';
import { Fact, formatCount, PageLink, PageTitle, RelativeTime } from '../../display/page-parts.tsx';
import { type RecordColumn, RecordTable } from '../../display/record-table.tsx';
import { TextCode } from '../../display/text-blocks.tsx';
import { ServerToolTable } from '../catalog/catalog-page.tsx';
import { EventTable } from '../events/events-page.tsx';
import { ServerActions, ServerSignIn } from './server-actions.tsx';
import { ServerDefinition } from './server-definition.tsx';
import { type OneServer, type ServerSummary, useServer, useServerTools } from './server-facts.ts';
import { formatServerAddress, ServerProblem, ServerState, WriteRefusal } from './server-parts.tsx';
import { useToolAnswer } from '../../queries/core-tools.ts';
import { useEvents } from '../../queries/events.ts';

const formatCounts = ({ toolsCount = 0, resourcesCount, promptsCount }: ServerSummary): string =>
  [
    formatCount(toolsCount, 'tool'),
    ...(resourcesCount === undefined ? [] : [formatCount(resourcesCount, 'resource')]),
    ...(promptsCount === undefined ? [] : [formatCount(promptsCount, 'prompt')]),
  ].join(', ');

/** The facts about a server as it is now. */
const ServerFacts = ({ server }: { readonly server: ServerSummary }): ReactNode => {
  const facts: readonly (readonly [label: string, value: ReactNode])[] = [
    ['Reached by', <TextCode key="address" text={formatServerAddress(server.spec)} />],
    ['Type', toText(server.spec['type'])],
    ['It has', formatCounts(server)],
    ['Connected', server.connectedAt && <RelativeTime key="at" at={server.connectedAt} />],
    ['Next attempt', server.nextRetryAfter && <RelativeTime key="at" at={server.nextRetryAfter} />],
    ['Restarts', server.restartCount ?? 0],
    ['Protocol', server.protocolVersion],
    ['Registered by', server.registeredBy],
    ['Changed since they were accepted', server.changedTools.join(', ')],
  ];
  return facts
    .filter(([, value]) => value !== undefined && value !== '')
    .map(([label, value]) => (
      <Fact key={label} size="sm" label={label}>
        <bdi>{value}</bdi>
      </Fact>
    ));
};

const COLUMNS: readonly RecordColumn<ServerSummary['conditions'][number]>[] = [
  { label: 'Condition', render: ({ type }) => type },
  { label: 'Status', render: ({ status }) => status },
  {
    label: 'Message',
    render: ({ reason, message }) => <bdi>{message === '' ? reason : message}</bdi>,
  },
];

/** The conditions of a server. @spec §2.6 status */
const ServerConditions = ({ server }: { readonly server: ServerSummary }): ReactNode =>
  server.conditions.length === 0 ? (
    <Text size="sm">The gateway has not tried this server yet.</Text>
  ) : (
    <RecordTable
      label="Conditions"
      records={server.conditions}
      recordKey={({ type }) => type}
      columns={COLUMNS}
    />
  );

const toEventFilter = (name: string) => ({ resourceType: 'MCPServer', resourceName: name });

const LIMIT = 100;

/** The latest events of a server. */
const ServerEvents = ({ name }: { readonly name: string }): ReactNode => (
  <Stack gap="xs">
    <Loaded query={useEvents(toEventFilter(name), { limit: LIMIT })} label="Loading the events">
      {(events) => <EventTable events={events} isOfOne />}
    </Loaded>
    <PageLink to="/events" search={toEventFilter(name)} size="sm">
      All events of this server
    </PageLink>
  </Stack>
);

const LOG_LINES = 500;
const LOG_POLL_MS = 3_000;
const LOG_PX = 560;

interface LogLine {
  readonly id: string;
  readonly at: string;
  readonly line: string;
}

const parseLog = ({ log }: JsonObject): readonly LogLine[] =>
  toObjects(log).map(({ id, timestamp, line }) => ({
    id: String(id),
    at: toText(timestamp),
    line: toText(line),
  }));

/** The last lines that a server wrote to stderr, for readers who may change servers. */
const ServerLog = ({ name }: { readonly name: string }): ReactNode => {
  const [isWrapped, setWrapped] = useState(true);
  const query = useToolAnswer(
    {
      key: ['server-log', name],
      tool: 'core_service_status',
      args: { name, logLines: LOG_LINES },
      parse: parseLog,
    },
    { refetchInterval: LOG_POLL_MS },
  );
  return (
    <Loaded query={query} label="Loading the log">
      {(lines) =>
        lines.length === 0 ? (
          <Text size="sm">
            It has written nothing to stderr. Only servers that the gateway starts have a log here.
          </Text>
        ) : (
          <Stack gap="xs">
            <Group justify="space-between">
              <Text size="sm" c="dimmed">{`The last ${formatCount(lines.length, 'line')}`}</Text>
              <Switch
                size="xs"
                label="Wrap lines"
                checked={isWrapped}
                onChange={({ currentTarget }) => setWrapped(currentTarget.checked)}
              />
            </Group>
            <ScrollArea.Autosize
              mah={LOG_PX}
              viewportProps={{ tabIndex: 0, role: 'log', 'aria-label': 'Log' }}
            >
              <Code
                block
                style={isWrapped ? { whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' } : {}}
              >
                {lines.map(({ id, at, line }) => (
                  <div key={id}>
                    <Text span size="xs" c="dimmed" ff="monospace">
                      {`${at.slice(11, 19)}  `}
                    </Text>
                    <bdi>{line}</bdi>
                  </div>
                ))}
              </Code>
            </ScrollArea.Autosize>
          </Stack>
        )
      }
    </Loaded>
  );
};

const route = getRouteApi('/servers/$name');

const Head = ({ found: { server, writeRefusal } }: { readonly found: OneServer }): ReactNode => (
  <Group justify="space-between" align="flex-start">
    <Stack gap={4} miw={0}>
      <Group gap="sm">
        <PageTitle title={server.name} kind="Server" />
        <ServerState server={server} />
      </Group>
      {server.description !== undefined && (
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          <bdi>{server.description}</bdi>
        </Text>
      )}
      <ServerProblem server={server} />
    </Stack>
    {writeRefusal === undefined && <ServerActions server={server} />}
  </Group>
);

const Tools = ({ server }: { readonly server: ServerSummary }): ReactNode => {
  const tools = useServerTools(server);
  if (tools === undefined) return <LoadingSign label="Loading the tools" />;
  return <ServerToolTable tools={tools} />;
};

const Server = ({ found }: { readonly found: OneServer }): ReactNode => {
  const { server, writeRefusal } = found;
  return (
    <Stack>
      <Head found={found} />
      <ServerSignIn server={server} />
      <WriteRefusal reason={writeRefusal} />
      <DetailTabs
        facts={<ServerFacts server={server} />}
        tabs={[
          {
            id: 'overview',
            label: 'Overview',
            render: () => <ServerConditions server={server} />,
          },
          { id: 'tools', label: 'Tools', render: () => <Tools server={server} /> },
          ...(writeRefusal === undefined
            ? [{ id: 'logs', label: 'Logs', render: () => <ServerLog name={server.name} /> }]
            : []),
          { id: 'events', label: 'Events', render: () => <ServerEvents name={server.name} /> },
          {
            id: 'definition',
            label: 'Definition',
            render: () => (
              <ServerDefinition server={server} isReadOnly={writeRefusal !== undefined} />
            ),
          },
        ]}
      />
    </Stack>
  );
};

/** The page of one server. @spec §2.6 */
export const ServerPage = (): ReactNode => {
  const { name } = route.useParams();
  const query = useServer(name);
  return (
    <Stack>
      <PageLink to="/servers" size="sm">
        All servers
      </PageLink>
      {query.data === undefined && <PageTitle title={name} kind="Server" />}
      <Loaded
        query={query}
        label="Loading the server"
        next={<PageLink to="/servers">all servers</PageLink>}
      >
        {(found) => <Server found={found} />}
      </Loaded>
    </Stack>
  );
};
