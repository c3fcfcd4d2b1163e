import { SignInOffers } from '@gateway/portal-ui';
import { TOOL_GROUPS } from '@gateway/toolset-composer';
import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { type Column, DataTable, type Filter } from '../../display/data-table.tsx';
import { Loaded } from '../../display/loading.tsx';
import { PageHead, PageLink, RelativeTime, TextList } from '../../display/page-parts.tsx';
import {
  type InvalidServer,
  isSignedOut,
  type ListedServer,
  type ServerOverview,
  useServers,
} from './server-facts.ts';
import { useServerActions } from './server-actions.tsx';
import { findServerProblem, ServerState, toShownState, WriteRefusal } from './server-parts.tsx';
import { useStartSignIn } from '../../queries/sign-in.ts';

/** The servers whose definitions are not valid, with every problem. */
const InvalidServers = ({ servers }: { readonly servers: readonly InvalidServer[] }): ReactNode =>
  servers.length === 0 ? null : (
    <Alert color="red" title="Definitions that cannot be used">
      {servers.map(({ name, problems }) => (
        <div key={name}>
          <Text fw={600} size="sm" style={{ overflowWrap: 'anywhere' }}>
            <bdi>{name}</bdi>
          </Text>
          <TextList texts={problems} />
        </div>
      ))}
    </Alert>
  );

const COLUMNS: readonly Column<ListedServer>[] = [
  {
    id: 'name',
    label: 'Name',
    w: 240,
    render: ({ name, family }) => (
      <>
        <PageLink to="/servers/$name" params={{ name }} size="sm">
          <bdi>{name}</bdi>
        </PageLink>
        {family !== undefined && (
          <Text size="xs" c="dimmed" truncate>
            family <bdi>{family}</bdi>
          </Text>
        )}
      </>
    ),
    sortBy: ({ name }) => name,
  },
  {
    id: 'state',
    label: 'State',
    w: 150,
    render: (server) => (
      <Group gap={4} wrap="nowrap">
        <ServerState server={server} />
      </Group>
    ),
    sortBy: toShownState,
  },
  {
    id: 'tools',
    label: 'Tools',
    w: 80,
    render: ({ toolsCount = 0 }) => toolsCount,
    sortBy: ({ toolsCount = 0 }) => toolsCount,
  },
  {
    id: 'type',
    label: 'Type',
    w: 130,
    isWide: true,
    render: ({ type }) => type,
    sortBy: ({ type }) => type,
  },
  {
    id: 'since',
    label: 'Connected',
    w: 120,
    isWide: true,
    render: ({ connectedAt }) => connectedAt !== undefined && <RelativeTime at={connectedAt} />,
    sortBy: ({ connectedAt = '' }) => connectedAt,
  },
  {
    id: 'about',
    label: 'About',
    render: (server) => {
      const problem = findServerProblem(server);
      return (
        <Text
          size="sm"
          truncate
          title={problem ?? server.description}
          {...(problem && { c: 'red' })}
        >
          <bdi>{problem ?? server.description}</bdi>
        </Text>
      );
    },
  },
];

const FILTERS: readonly Filter<ListedServer>[] = [
  { key: 'state', label: 'State', valuesOf: (server) => [toShownState(server)] },
  { key: 'type', label: 'Type', valuesOf: ({ type }) => [type] },
  {
    key: 'group',
    label: 'Group',
    choices: TOOL_GROUPS.map(({ group, label }) => ({ value: group, label })),
    valuesOf: ({ group }) => [group],
  },
];

const Servers = ({ overview }: { readonly overview: ServerOverview }): ReactNode => {
  const actions = useServerActions();
  return (
    <>
      <InvalidServers servers={overview.refused} />
      <SignInOffers
        servers={overview.servers.filter(isSignedOut).map(({ name }) => name)}
        onSignIn={useStartSignIn()}
      />
      <DataTable
        label="Servers"
        noun="server"
        records={overview.servers}
        recordKey={({ name }) => name}
        columns={COLUMNS}
        filters={FILTERS}
        searchLabel="Find servers"
        textOf={({ name, family, description, tools }) =>
          [name, family, description, tools].join(' ')
        }
        nothing="No server and no tool has these words."
        {...(overview.writeRefusal === undefined && { listActions: actions.list })}
        empty={
          <Text>
            There is no server yet.{' '}
            {overview.writeRefusal === undefined
              ? 'Add one by its address or its command, or import those of another program.'
              : 'An administrator of the gateway adds servers.'}
          </Text>
        }
      />
      {actions.question}
    </>
  );
};

/** The servers behind the gateway, with their states. @spec §2.3, §2.6 */
export const ServersPage = (): ReactNode => {
  const query = useServers();
  const { data } = query;
  return (
    <Stack>
      <PageHead title="Servers">
        {data !== undefined && data.writeRefusal === undefined && (
          <>
            <Button component={Link} to="/servers/import" variant="default" size="xs">
              Import
            </Button>
            <Button component={Link} to="/servers/new" size="xs">
              Add a server
            </Button>
          </>
        )}
      </PageHead>
      <WriteRefusal reason={data?.writeRefusal} />
      <Loaded query={query} label="Loading the servers">
        {(overview) => <Servers overview={overview} />}
      </Loaded>
    </Stack>
  );
};
