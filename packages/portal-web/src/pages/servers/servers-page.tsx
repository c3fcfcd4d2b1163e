import { ServerList } from '@gateway/portal-ui';
import { type CatalogRow, searchSections } from '@gateway/toolset-composer';
import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { SearchField } from '../../addresses/address-fields.tsx';
import { Loaded } from '../../display/loading.tsx';
import { formatCount, PageLink, PageTitle, TextList } from '../../display/page-parts.tsx';
import {
  type InvalidServer,
  type ServerSummary,
  type ServerOverview,
  useServers,
} from './server-facts.ts';
import { ServerProblem, ServerState, WriteRefusal } from './server-parts.tsx';
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

const ServerLink = ({ name }: { readonly name: string }): ReactNode => (
  <PageLink to="/servers/$name" params={{ name }} inherit>
    {name}
  </PageLink>
);

/** Returns the name of a row: a link to its server, or the name of a family. */
const renderRowName = ({ kind, name }: CatalogRow): ReactNode =>
  kind === 'family' ? `${name} (family)` : <ServerLink name={name} />;

const formatCounts = ({ resourcesCount = 0, promptsCount = 0 }: ServerSummary): string =>
  [
    resourcesCount > 0 ? formatCount(resourcesCount, 'resource') : '',
    promptsCount > 0 ? formatCount(promptsCount, 'prompt') : '',
  ]
    .filter(Boolean)
    .join(', ');

/** One server of a row: its state, what it has besides tools, and its last error. */
const ServerLine = ({
  server,
  row,
}: {
  readonly server: ServerSummary | undefined;
  readonly row: CatalogRow;
}): ReactNode =>
  server === undefined ? null : (
    <Stack gap={2} pl={row.kind === 'family' ? 'md' : 0}>
      <Group gap="xs">
        {row.kind === 'family' && (
          <Text size="sm" component="bdi">
            <ServerLink name={server.name} />
          </Text>
        )}
        <ServerState server={server} />
        <Text size="sm">{formatCounts(server)}</Text>
      </Group>
      {server.description !== undefined && (
        <Text size="sm" c="dimmed" lineClamp={2} style={{ overflowWrap: 'anywhere' }}>
          <bdi>{server.description}</bdi>
        </Text>
      )}
      <ServerProblem server={server} />
    </Stack>
  );

const route = getRouteApi('/servers');

const Head = ({ mayChange }: { readonly mayChange: boolean }): ReactNode => (
  <Group justify="space-between">
    <PageTitle title="Servers" />
    {mayChange && (
      <Group gap="xs">
        <Button component={Link} to="/servers/import" variant="default">
          Import
        </Button>
        <Button component={Link} to="/servers/new">
          Add a server
        </Button>
      </Group>
    )}
  </Group>
);

const Search = (): ReactNode => {
  const navigate = route.useNavigate();
  return (
    <SearchField
      label="Find servers"
      description="By name, or by a tool"
      query={route.useSearch().query}
      onSearch={(query) => void navigate({ search: query === '' ? {} : { query }, replace: true })}
    />
  );
};

const formatServers = ({ servers }: ServerOverview): string => {
  const failed = servers.filter(({ state }) => state === 'Failed').length;
  const count = formatCount(servers.length, 'server');
  return failed === 0 ? count : `${count}, ${failed} failed`;
};

const Servers = ({ overview }: { readonly overview: ServerOverview }): ReactNode => {
  const { query = '' } = route.useSearch();
  const startSignIn = useStartSignIn();
  const sections = searchSections(overview.sections, query);
  return (
    <>
      <Text size="sm" role="status">
        {formatServers(overview)}
      </Text>
      <InvalidServers servers={overview.refused} />
      <ServerList
        sections={sections}
        onSignIn={startSignIn}
        renderName={renderRowName}
        renderServer={(server, row) => (
          <ServerLine server={overview.findFacts(server.name)} row={row} />
        )}
      />
      {sections.length === 0 && query !== '' && <Text>No server and no tool has these words.</Text>}
    </>
  );
};

const Empty = ({ mayChange }: { readonly mayChange: boolean }): ReactNode => (
  <Text>
    There is no server yet.{' '}
    {mayChange
      ? 'Add one by its address or its command, or import those of another program.'
      : 'An administrator of the gateway adds servers.'}
  </Text>
);

/** The servers behind the gateway in their groups, with their states. @spec §2.3, §2.6 */
export const ServersPage = (): ReactNode => {
  const query = useServers();
  const { data } = query;
  const mayChange = data !== undefined && data.writeRefusal === undefined;
  return (
    <Stack>
      <Head mayChange={mayChange} />
      <WriteRefusal reason={data?.writeRefusal} />
      <Loaded query={query} label="Loading the servers">
        {(overview) => (
          <>
            <Search />
            <Servers overview={overview} />
            {overview.servers.length === 0 && <Empty mayChange={mayChange} />}
          </>
        )}
      </Loaded>
    </Stack>
  );
};
