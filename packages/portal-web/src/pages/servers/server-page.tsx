import { toText } from '@gateway/call-contract';
import { ToolList } from '@gateway/portal-ui';
import { Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Loaded, LoadingSign, RevealAfter } from '../../display/loading.tsx';
import {
  Fact,
  formatCount,
  LocalTime,
  PageLink,
  PageSection,
  PageTitle,
  renderToolLink,
} from '../../display/page-parts.tsx';
import { type RecordColumn, RecordTable } from '../../display/record-table.tsx';
import { TextCode, YamlText } from '../../display/text-blocks.tsx';
import { EventTable } from '../events/events-page.tsx';
import { ServerActions, ServerSignIn } from './server-actions.tsx';
import {
  formatDefinition,
  type OneServer,
  type ServerSummary,
  useApiGroup,
  useServer,
  useServerTools,
} from './server-facts.ts';
import { formatServerAddress, ServerProblem, ServerState, WriteRefusal } from './server-parts.tsx';
import { useEvents } from '../../queries/events.ts';

const formatCounts = (server: ServerSummary): string => {
  const { toolsCount = 0, resourcesCount, promptsCount } = server;
  return [
    formatCount(toolsCount, 'tool'),
    ...(resourcesCount === undefined ? [] : [formatCount(resourcesCount, 'resource')]),
    ...(promptsCount === undefined ? [] : [formatCount(promptsCount, 'prompt')]),
  ].join(', ');
};

const Times = ({ server }: { readonly server: ServerSummary }): ReactNode => (
  <>
    {server.connectedAt !== undefined && (
      <Fact size="sm" label="Connected since">
        <LocalTime at={server.connectedAt} />
      </Fact>
    )}
    {server.nextRetryAfter !== undefined && (
      <Fact size="sm" label="Next attempt">
        <LocalTime at={server.nextRetryAfter} />
      </Fact>
    )}
  </>
);

/** The facts about a server as it is now. */
const ServerStatus = ({ server }: { readonly server: ServerSummary }): ReactNode => (
  <Stack gap="sm">
    <Fact size="sm" label="Reached by">
      <TextCode text={formatServerAddress(server.spec)} />
    </Fact>
    <Facts server={server} />
  </Stack>
);

const Facts = ({ server }: { readonly server: ServerSummary }): ReactNode => (
  <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} spacing="sm">
    <Fact size="sm" label="Type">
      {toText(server.spec['type'])}
    </Fact>
    <Fact size="sm" label="It has">
      {formatCounts(server)}
    </Fact>
    <Times server={server} />
    <Fact size="sm" label="Restarts">
      {server.restartCount ?? 0}
    </Fact>
    {server.protocolVersion !== undefined && (
      <Fact size="sm" label="Protocol">
        {server.protocolVersion}
      </Fact>
    )}
    {server.registeredBy !== undefined && (
      <Fact size="sm" label="Registered by">
        <bdi>{server.registeredBy}</bdi>
      </Fact>
    )}
    {server.changedTools.length > 0 && (
      <Fact size="sm" label="Changed since they were accepted">
        <bdi>{server.changedTools.join(', ')}</bdi>
      </Fact>
    )}
  </SimpleGrid>
);

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

const LIMIT = 10;

const toEventFilter = (name: string) => ({ resourceType: 'MCPServer', resourceName: name });

/** Reads the latest events of a server. */
const useServerEvents = (name: string): ReturnType<typeof useEvents> =>
  useEvents(toEventFilter(name), { limit: LIMIT });

/** The latest events of a server. */
const ServerEvents = ({ name }: { readonly name: string }): ReactNode => {
  return (
    <>
      <Loaded query={useServerEvents(name)} label="Loading the events">
        {(events) =>
          events.length === 0 ? (
            <Text size="sm">There is no event of this server.</Text>
          ) : (
            <EventTable events={events} hasResource={false} />
          )
        }
      </Loaded>
      <PageLink to="/events" search={toEventFilter(name)} size="sm">
        All events of this server
      </PageLink>
    </>
  );
};

/** The definition of a server as YAML, without its secrets. */
const ServerDefinition = ({ server }: { readonly server: ServerSummary }): ReactNode => (
  <YamlText label="Definition as YAML" text={formatDefinition(server, useApiGroup())} />
);

const route = getRouteApi('/servers/$name');

const Head = ({ server }: { readonly server: ServerSummary }): ReactNode => (
  <Stack gap={4}>
    <Group gap="sm">
      <PageTitle title={server.name} kind="Server" />
      <ServerState server={server} />
    </Group>
    {server.description !== undefined && (
      <Text style={{ overflowWrap: 'anywhere' }}>
        <bdi>{server.description}</bdi>
      </Text>
    )}
    <ServerProblem server={server} />
  </Stack>
);

/** Six rows and a half, so that a longer list can be seen to continue. */
const LIST_PX = 338;

const Tools = ({ server }: { readonly server: ServerSummary }): ReactNode => {
  const tools = useServerTools(server);
  if (tools === undefined) return <LoadingSign label="Loading the tools" />;
  return tools.length === 0 ? (
    <Text size="sm">None of its tools is in your catalog now.</Text>
  ) : (
    <>
      <Text size="sm">{formatCount(tools.length, 'tool')}</Text>
      <ToolList
        tools={tools}
        label="Tools of the server"
        maxHeight={LIST_PX}
        renderName={renderToolLink}
      />
    </>
  );
};

const Server = ({ found: { server, writeRefusal } }: { readonly found: OneServer }): ReactNode => (
  <Stack>
    <Head server={server} />
    <ServerSignIn server={server} />
    {writeRefusal === undefined && <ServerActions server={server} />}
    <WriteRefusal reason={writeRefusal} />
    <PageSection title="Status">
      <ServerStatus server={server} />
      <ServerConditions server={server} />
    </PageSection>
    <PageSection title="Tools">
      <Tools server={server} />
    </PageSection>
    <RevealAfter isReady={useServerTools(server) !== undefined}>
      <PageSection title="Events">
        <ServerEvents name={server.name} />
      </PageSection>
      <RevealAfter isReady={!useServerEvents(server.name).isPending}>
        <PageSection title="Definition">
          <ServerDefinition server={server} />
        </PageSection>
      </RevealAfter>
    </RevealAfter>
  </Stack>
);

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
