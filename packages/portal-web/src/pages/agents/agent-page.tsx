import {
  Alert,
  Anchor,
  Button,
  Group,
  Loader,
  SimpleGrid,
  Stack,
  Text,
  Title,
} from '@mantine/core';
import type { Agent } from '@gateway/agent-manager-client';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { AgentFacts } from './agent-facts.tsx';
import { AgentRelease } from './agent-release.tsx';
import { AgentState } from './agent-state.tsx';
import { AgentStatus } from './agent-status.tsx';
import { AgentToolset } from './agent-toolset.tsx';
import { DeleteAgent } from './delete-agent.tsx';
import { useAgent } from './use-agent.ts';

const route = getRouteApi('/agents/$namespace/$name');

const Head = ({ agent }: { readonly agent: Agent }): ReactNode => {
  const { namespace, name, displayName } = agent;
  return (
    <Group justify="space-between" align="flex-start">
      <Stack gap={4} miw={0}>
        <Group gap="sm">
          <Title order={1} size="h3" style={{ overflowWrap: 'anywhere' }}>
            <bdi>{displayName ?? name}</bdi>
          </Title>
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

const Parts = ({ agent }: { readonly agent: Agent }): ReactNode => (
  <Stack>
    <Head agent={agent} />
    <AgentToolset agent={agent} />
    <SimpleGrid cols={{ base: 1, md: 2 }}>
      <AgentFacts agent={agent} />
      <AgentStatus name={agent} />
    </SimpleGrid>
    <AgentRelease name={agent} />
  </Stack>
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
      {error !== null && (
        <Alert color="red" role="alert">
          {error.message}
        </Alert>
      )}
      {data !== undefined && <Parts agent={data} />}
      {data === undefined && error === null && <Loader aria-label="Loading the agent" />}
    </Stack>
  );
};
