import { Alert, Anchor, Button, Group, Loader, Stack, Table, Text, Title } from '@mantine/core';
import type { Agent } from '@gateway/agent-manager-client';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useAgents, useUnreadableNamespaces } from '../../queries/use-agents.ts';
import { AgentAccess } from './agent-access.tsx';
import { AgentState } from './agent-state.tsx';

const Name = ({
  agent: { namespace, name, displayName },
}: {
  readonly agent: Agent;
}): ReactNode => (
  <>
    <Anchor
      style={{ overflowWrap: 'anywhere' }}
      renderRoot={(props) => (
        <Link to="/agents/$namespace/$name" params={{ namespace, name }} {...props} />
      )}
    >
      <bdi>{displayName ?? name}</bdi>
    </Anchor>
    <Text size="xs" c="dimmed">
      <bdi>{`${namespace}/${name}`}</bdi>
    </Text>
  </>
);

const AgentTable = ({ agents }: { readonly agents: readonly Agent[] }): ReactNode => (
  <Table.ScrollContainer minWidth={640}>
    <Table aria-label="Agents">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Name</Table.Th>
          <Table.Th>State</Table.Th>
          <Table.Th>Model</Table.Th>
          <Table.Th>Toolset</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {agents.map((agent) => (
          <Table.Tr key={`${agent.namespace}/${agent.name}`}>
            <Table.Td>
              <Name agent={agent} />
            </Table.Td>
            <Table.Td>
              <AgentState agent={agent} />
            </Table.Td>
            <Table.Td>
              <bdi>{agent.modelConfig}</bdi>
            </Table.Td>
            <Table.Td>
              <AgentAccess agent={agent} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  </Table.ScrollContainer>
);

const Empty = (): ReactNode => (
  <Text>
    There is no agent yet.{' '}
    <Anchor component={Link} to="/agents/new">
      Create the first one
    </Anchor>
    : give it a name and a model, and choose its tools.
  </Text>
);

const Unreadable = (): ReactNode =>
  useUnreadableNamespaces().map(({ namespace, reason }) => (
    <Alert key={namespace} color="yellow" title={<bdi>{`Agents of ${namespace}`}</bdi>}>
      <bdi>{reason}</bdi>
    </Alert>
  ));

/** The agents that the person can read. */
export const AgentsPage = (): ReactNode => {
  const { data, error, isPending } = useAgents();
  return (
    <Stack>
      <Group justify="space-between">
        <Title order={1} size="h3">
          Agents
        </Title>
        <Button component={Link} to="/agents/new">
          New agent
        </Button>
      </Group>
      {isPending && <Loader aria-label="Loading the agents" />}
      {error !== null && (
        <Alert color="red" role="alert">
          {error.message}
        </Alert>
      )}
      <Unreadable />
      {data?.length === 0 && <Empty />}
      {data !== undefined && data.length > 0 && <AgentTable agents={data} />}
    </Stack>
  );
};
