import { Alert, Badge, Group, Stack, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { accessOfAgent, CARD_TEXTS, resolutionOf, toolsetCard } from '@gateway/toolset-composer';
import type { Agent } from '@gateway/agent-manager-client';
import type { ReactNode } from 'react';
import { useBackend } from '../../backend/backend-context.ts';

const IDLE = resolutionOf({ kind: 'idle' });

const useAgents = () => {
  const { agentManager } = useBackend();
  return useQuery({
    queryKey: ['agents'],
    queryFn: async ({ signal }): Promise<readonly Agent[]> => {
      if (agentManager === undefined) return [];
      const answer = await agentManager.listAgents({}, { signal });
      if (answer.ok) return answer.value.agents;
      throw new Error((answer.refusal ?? answer.failure).message);
    },
  });
};

const Toolset = ({ agent }: { readonly agent: Agent }): ReactNode => {
  const card = toolsetCard(accessOfAgent(agent), IDLE);
  if (card.kind === 'no-tools') return <Text size="sm">{CARD_TEXTS.noTools}</Text>;
  if (card.kind === 'implicit-full-access')
    return <Badge color="red">{CARD_TEXTS.implicitFullAccess}</Badge>;
  return (
    <Group gap={4}>
      {card.isFullAccess && <Badge color="red">{CARD_TEXTS.fullAccess}</Badge>}
      {card.chips.map(({ selector }) => (
        <Badge key={selector} variant="default" tt="none">
          <bdi>{selector}</bdi>
        </Badge>
      ))}
    </Group>
  );
};

const readyText = ({ ready }: Agent): string => {
  if (ready === null) return 'unknown';
  return ready ? 'ready' : 'not ready';
};

const AgentTable = ({ agents }: { readonly agents: readonly Agent[] }): ReactNode => (
  <Table.ScrollContainer minWidth={560}>
    <Table>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Name</Table.Th>
          <Table.Th>State</Table.Th>
          <Table.Th>Toolset</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {agents.map((agent) => (
          <Table.Tr key={`${agent.namespace}/${agent.name}`}>
            <Table.Td>
              <bdi>{agent.displayName ?? agent.name}</bdi>
            </Table.Td>
            <Table.Td>{readyText(agent)}</Table.Td>
            <Table.Td>
              <Toolset agent={agent} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  </Table.ScrollContainer>
);

/** The agents that the person can read. */
export const AgentsPage = (): ReactNode => {
  const agents = useAgents();
  return (
    <Stack>
      <Title order={1} size="h3">
        Agents
      </Title>
      {agents.isError && (
        <Alert color="red" role="alert">
          {agents.error.message}
        </Alert>
      )}
      {agents.data?.length === 0 && <Text>There is no agent yet.</Text>}
      {agents.data !== undefined && agents.data.length > 0 && <AgentTable agents={agents.data} />}
    </Stack>
  );
};
