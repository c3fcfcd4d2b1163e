import { Alert, Anchor, Button, Group, Stack, Text } from '@mantine/core';
import type { Agent } from '@gateway/agent-manager-client';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { LoadingSign } from '../../display/loading.tsx';
import { PageTitle } from '../../display/page-title.tsx';
import { RecordTable, type RecordColumn } from '../../display/record-table.tsx';
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

const COLUMNS: readonly RecordColumn<Agent>[] = [
  { label: 'Name', render: (agent) => <Name agent={agent} /> },
  { label: 'State', render: (agent) => <AgentState agent={agent} /> },
  { label: 'Model', render: ({ modelConfig }) => <bdi>{modelConfig}</bdi> },
  { label: 'Toolset', render: (agent) => <AgentAccess agent={agent} /> },
];

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
        <PageTitle title="Agents" />
        <Button component={Link} to="/agents/new">
          New agent
        </Button>
      </Group>
      {isPending && <LoadingSign label="Loading the agents" />}
      {error !== null && (
        <Alert color="red" role="alert">
          {error.message}
        </Alert>
      )}
      <Unreadable />
      {data?.length === 0 && <Empty />}
      {data !== undefined && data.length > 0 && (
        <RecordTable
          label="Agents"
          records={data}
          keyOf={({ namespace, name }) => `${namespace}/${name}`}
          columns={COLUMNS}
        />
      )}
    </Stack>
  );
};
