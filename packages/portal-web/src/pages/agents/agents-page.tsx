import type { Agent } from '@gateway/agent-manager-client';
import { Alert, Button, Stack, Text } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { type Column, DataTable, type Filter } from '../../display/data-table.tsx';
import { Loaded } from '../../display/loading.tsx';
import { PageHead, PageLink } from '../../display/page-parts.tsx';
import { MANAGED, toAgentState } from './agent-facts.ts';
import { AgentAccess, AgentState } from './agent-parts.tsx';
import { useAgents, useUnreadableNamespaces } from '../../queries/agents.ts';

const Name = ({
  agent: { namespace, name, displayName },
}: {
  readonly agent: Agent;
}): ReactNode => (
  <>
    <PageLink to="/agents/$namespace/$name" params={{ namespace, name }} size="sm">
      <bdi>{displayName ?? name}</bdi>
    </PageLink>
    <Text size="xs" c="dimmed" truncate>
      <bdi>{`${namespace}/${name}`}</bdi>
    </Text>
  </>
);

const COLUMNS: readonly Column<Agent>[] = [
  {
    id: 'name',
    label: 'Name',
    w: 220,
    render: (agent) => <Name agent={agent} />,
    sortBy: ({ displayName, name }) => displayName ?? name,
  },
  {
    id: 'state',
    label: 'State',
    w: 150,
    render: (agent) => <AgentState agent={agent} />,
    sortBy: (agent) => toAgentState(agent).text,
  },
  { id: 'toolset', label: 'Toolset', w: 400, render: (agent) => <AgentAccess agent={agent} /> },
  {
    id: 'description',
    label: 'Description',
    isWide: true,
    render: ({ description }) => <bdi title={description}>{description}</bdi>,
  },
  {
    id: 'model',
    label: 'Model',
    w: 140,
    isWide: true,
    render: ({ modelConfig }) => <bdi>{modelConfig}</bdi>,
    sortBy: ({ modelConfig }) => modelConfig,
  },
  {
    id: 'owner',
    label: 'Managed by',
    w: 150,
    isWide: true,
    render: ({ managed }) => MANAGED[managed],
    sortBy: ({ managed }) => MANAGED[managed],
  },
];

const FILTERS: readonly Filter<Agent>[] = [
  { key: 'state', label: 'State', valuesOf: (agent) => [toAgentState(agent).text] },
  { key: 'namespace', label: 'Namespace', valuesOf: ({ namespace }) => [namespace] },
  { key: 'selector', label: 'Toolset has', valuesOf: ({ toolset = [] }) => toolset },
];

const Empty = (): ReactNode => (
  <Text>
    There is no agent yet. <PageLink to="/agents/new">Create the first one</PageLink>: give it a
    name and a model, and choose its tools.
  </Text>
);

const Unreadable = (): ReactNode =>
  useUnreadableNamespaces().map(({ namespace, reason }) => (
    <Alert key={namespace} color="yellow" title={<bdi>{`Agents of ${namespace}`}</bdi>}>
      <bdi>{reason}</bdi>
    </Alert>
  ));

const Agents = ({ agents }: { readonly agents: readonly Agent[] }): ReactNode => {
  const navigate = useNavigate();
  return (
    <DataTable
      label="Agents"
      noun="agent"
      records={agents}
      recordKey={({ namespace, name }) => `${namespace}/${name}`}
      columns={COLUMNS}
      filters={FILTERS}
      searchLabel="Find agents"
      textOf={({ namespace, name, displayName, description, toolset }) =>
        [namespace, name, displayName, description, ...(toolset ?? [])].join(' ')
      }
      empty={<Empty />}
      listActions={({ namespace, name, toolset }) => [
        {
          label: 'Edit',
          onClick: () =>
            void navigate({ to: '/agents/$namespace/$name/edit', params: { namespace, name } }),
        },
        {
          label: 'Why a tool is in or out',
          onClick: () => void navigate({ to: '/toolsets', search: { left: toolset ?? [] } }),
        },
      ]}
    />
  );
};

/** The agents that the user can read. */
export const AgentsPage = (): ReactNode => (
  <Stack>
    <PageHead title="Agents">
      <Button component={Link} to="/agents/new" size="xs">
        New agent
      </Button>
    </PageHead>
    <Unreadable />
    <Loaded query={useAgents()} label="Loading the agents">
      {(agents) => <Agents agents={agents} />}
    </Loaded>
  </Stack>
);
