import { Anchor, Group, Stack, Text } from '@mantine/core';
import { ToolList } from '@gateway/portal-ui';
import type { CatalogTool } from '@gateway/toolset-composer';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { InOrder } from '../../display/in-order.tsx';
import { LoadingSign } from '../../display/loading.tsx';
import { PageTitle } from '../../display/page-title.tsx';
import { ReadFailure } from '../../display/read-failure.tsx';
import { PageLink } from '../../addresses/page-link.tsx';
import { PageSection } from '../../display/page-section.tsx';
import { countText } from './count-text.ts';
import { ServerActions } from './server-actions.tsx';
import { ServerConditions } from './server-conditions.tsx';
import { ServerDefinition } from './server-definition.tsx';
import { ServerEvents, useServerEvents } from './server-events.tsx';
import type { ServerFacts } from './server-facts.ts';
import { ServerProblem } from './server-problem.tsx';
import { ServerSignIn } from './server-sign-in.tsx';
import { ServerState } from './server-state.tsx';
import { ServerStatus } from './server-status.tsx';
import { useServer, useServerTools, type OneServer } from './use-servers.ts';
import { WriteRefusal } from './write-refusal.tsx';

const route = getRouteApi('/servers/$name');

const Head = ({ server }: { readonly server: ServerFacts }): ReactNode => (
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

const toolLink = ({ name }: CatalogTool): ReactNode => (
  <PageLink to="/catalog/$tool" params={{ tool: name }} inherit>
    {name}
  </PageLink>
);

/** Six rows and a half, so that a longer list can be seen to continue. */
const LIST_PX = 338;

const Tools = ({ server }: { readonly server: ServerFacts }): ReactNode => {
  const tools = useServerTools(server);
  if (tools === undefined) return <LoadingSign label="Loading the tools" />;
  return tools.length === 0 ? (
    <Text size="sm">None of its tools is in your catalog now.</Text>
  ) : (
    <>
      <Text size="sm">{countText(tools.length, 'tool')}</Text>
      <ToolList
        tools={tools}
        label="Tools of the server"
        maxHeight={LIST_PX}
        renderName={toolLink}
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
    <InOrder isReady={useServerTools(server) !== undefined}>
      <PageSection title="Events">
        <ServerEvents name={server.name} />
      </PageSection>
      <InOrder isReady={!useServerEvents(server.name).isPending}>
        <PageSection title="Definition">
          <ServerDefinition server={server} />
        </PageSection>
      </InOrder>
    </InOrder>
  </Stack>
);

/** The page of one server. @spec §2.6 */
export const ServerPage = (): ReactNode => {
  const { name } = route.useParams();
  const { data, error } = useServer(name);
  return (
    <Stack>
      <Anchor component={Link} to="/servers" size="sm">
        All servers
      </Anchor>
      {data === undefined && <PageTitle title={name} kind="Server" />}
      <ReadFailure
        error={error}
        hasData={data !== undefined}
        next={<PageLink to="/servers">all servers</PageLink>}
      />
      {data !== undefined && <Server found={data} />}
      {data === undefined && error === null && <LoadingSign label="Loading the server" />}
    </Stack>
  );
};
