import { Alert, Anchor, Button, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import type { Agent } from '@gateway/agent-manager-client';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { InOrder } from '../../display/in-order.tsx';
import { LoadingSign } from '../../display/loading.tsx';
import { PageTitle } from '../../display/page-title.tsx';
import { AgentFacts } from './agent-facts.tsx';
import { AgentRelease } from './agent-release.tsx';
import { AgentState } from './agent-state.tsx';
import { AgentStatus } from './agent-status.tsx';
import { AgentToolset, useAgentToolset } from './agent-toolset.tsx';
import { DeleteAgent } from './delete-agent.tsx';
import { UnavailableAgent } from './unavailable-agent.tsx';
import { useAgent, useAgentStatus } from './use-agent.ts';

const route = getRouteApi('/agents/$namespace/$name');

const Head = ({ agent }: { readonly agent: Agent }): ReactNode => {
  const { namespace, name, displayName } = agent;
  return (
    <Group justify="space-between" align="flex-start">
      <Stack gap={4} miw={0}>
        <Group gap="sm">
          <PageTitle title={displayName ?? name} kind="Agent" />
          <AgentState agent={agent} />
        </Group>
        <Text size="sm">
          <bdi>{`${namespace}/${name}`}</bdi>
        </Text>
      </Stack>
      <Group gap="xs">
        <Button
          renderRoot={(props) => (
            <Link to="/agents/$namespace/$name/edit" params={{ namespace, name }} {...props} />
          )}
        >
          Edit
        </Button>
        <DeleteAgent agent={agent} />
      </Group>
    </Group>
  );
};

const Parts = ({ agent }: { readonly agent: Agent }): ReactNode => {
  const { isPending } = useAgentStatus(agent);
  return (
    <Stack>
      <Head agent={agent} />
      <AgentToolset agent={agent} />
      <InOrder isReady={useAgentToolset(agent).isSettled}>
        <SimpleGrid cols={{ base: 1, md: 2 }}>
          <AgentFacts agent={agent} />
          <AgentStatus name={agent} />
        </SimpleGrid>
        <InOrder isReady={!isPending}>
          <AgentRelease name={agent} />
        </InOrder>
      </InOrder>
    </Stack>
  );
};

/** An agent as it was read last; an error is that of a later read. */
const Known = ({
  agent,
  error,
}: {
  readonly agent: Agent;
  readonly error: Error | null;
}): ReactNode => (
  <>
    {error !== null && (
      <Alert color="red" role="alert">
        {error.message}
      </Alert>
    )}
    <Parts agent={agent} />
  </>
);

/** The page of one agent: its toolset, fields, status and release. */
export const AgentPage = (): ReactNode => {
  const name = route.useParams();
  const { data, error } = useAgent(name);
  return (
    <Stack>
      <Anchor component={Link} to="/agents" size="sm">
        All agents
      </Anchor>
      {data !== undefined && <Known agent={data} error={error} />}
      {data === undefined && error !== null && <UnavailableAgent name={name} error={error} />}
      {data === undefined && error === null && (
        <>
          <PageTitle title={name.name} kind="Agent" />
          <LoadingSign label="Loading the agent" />
        </>
      )}
    </Stack>
  );
};
