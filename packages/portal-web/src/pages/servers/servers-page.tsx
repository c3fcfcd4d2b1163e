import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { ServerList } from '@gateway/portal-ui';
import { searchSections } from '@gateway/toolset-composer';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { LoadingSign } from '../../display/loading.tsx';
import { PageTitle } from '../../display/page-title.tsx';
import { useSearchText } from '../../addresses/use-search-text.ts';
import { useStartSignIn } from '../../queries/use-start-sign-in.ts';
import { RefusedServers } from './refused-servers.tsx';
import { nameOfRow, ServerLine } from './server-line.tsx';
import { useServers, type ServerOverview } from './use-servers.ts';
import { WriteRefusal } from './write-refusal.tsx';

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
  const { query = '' } = route.useSearch();
  const navigate = route.useNavigate();
  const { text, setText } = useSearchText(query, (next) => {
    void navigate({ search: next === '' ? {} : { query: next }, replace: true });
  });
  return (
    <TextInput
      type="search"
      label="Find servers"
      description="By name, or by a tool"
      value={text}
      onChange={({ currentTarget }) => setText(currentTarget.value)}
    />
  );
};

const countText = ({ servers }: ServerOverview): string => {
  const failed = servers.filter(({ state }) => state === 'Failed').length;
  const count = servers.length === 1 ? '1 server' : `${servers.length} servers`;
  return failed === 0 ? count : `${count}, ${failed} failed`;
};

const Servers = ({ overview }: { readonly overview: ServerOverview }): ReactNode => {
  const { query = '' } = route.useSearch();
  const startSignIn = useStartSignIn();
  const sections = searchSections(overview.sections, query);
  return (
    <>
      <Text size="sm" role="status">
        {countText(overview)}
      </Text>
      <RefusedServers servers={overview.refused} />
      <ServerList
        sections={sections}
        onSignIn={startSignIn}
        renderName={nameOfRow}
        renderServer={(server, row) => (
          <ServerLine server={overview.factsOf(server.name)} row={row} />
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
  const { data, error } = useServers();
  const mayChange = data !== undefined && data.writeRefusal === undefined;
  return (
    <Stack>
      <Head mayChange={mayChange} />
      <WriteRefusal reason={data?.writeRefusal} />
      {error !== null && (
        <Alert color="red" role="alert">
          {error.message}
        </Alert>
      )}
      {data === undefined && error === null && <LoadingSign label="Loading the servers" />}
      {data !== undefined && <Search />}
      {data !== undefined && <Servers overview={data} />}
      {data?.servers.length === 0 && <Empty mayChange={mayChange} />}
    </Stack>
  );
};
