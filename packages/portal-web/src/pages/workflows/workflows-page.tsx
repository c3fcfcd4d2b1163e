import { Button, Group, Stack, Text } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { WorkflowState } from '../../addresses/searches.ts';
import { type Column, DataTable, type Filter } from '../../display/data-table.tsx';
import { Loaded } from '../../display/loading.tsx';
import { PageHead, PageLink, StateBadge } from '../../display/page-parts.tsx';
import { toWorkflowState, useWorkflows, type WorkflowEntry } from './workflow-facts.ts';

const COLORS: Readonly<Record<WorkflowState, string>> = {
  available: 'teal',
  missing: 'orange',
  invalid: 'red',
};

/** The states of workflows in words. */
const STATE_LABELS: Readonly<Record<WorkflowState, string>> = {
  available: 'Available',
  missing: 'Lacks tools',
  invalid: 'Not valid',
};

/** The state of a workflow in words. */
export const WorkflowMark = ({ workflow }: { readonly workflow: WorkflowEntry }): ReactNode => {
  const state = toWorkflowState(workflow);
  return <StateBadge color={COLORS[state]}>{STATE_LABELS[state]}</StateBadge>;
};

const COLUMNS: readonly Column<WorkflowEntry>[] = [
  {
    id: 'name',
    label: 'Name',
    w: 240,
    render: ({ name }) => (
      <PageLink to="/workflows/$workflow" params={{ workflow: name }} size="sm">
        <bdi>{name}</bdi>
      </PageLink>
    ),
    sortBy: ({ name }) => name,
  },
  {
    id: 'state',
    label: 'State',
    w: 340,
    render: (workflow) => (
      <Group gap="xs" wrap="nowrap">
        <WorkflowMark workflow={workflow} />
        <Text size="xs" ff="monospace" truncate title={workflow.missing.join(', ')}>
          <bdi>{workflow.missing.join(', ')}</bdi>
        </Text>
      </Group>
    ),
    sortBy: toWorkflowState,
  },
  {
    id: 'description',
    label: 'Description',
    isWide: true,
    render: ({ description }) => <bdi title={description}>{description}</bdi>,
  },
];

const FILTERS: readonly Filter<WorkflowEntry>[] = [
  {
    key: 'state',
    label: 'State',
    choices: Object.entries(STATE_LABELS).map(([value, label]) => ({ value, label })),
    valuesOf: (workflow) => [toWorkflowState(workflow)],
  },
];

const Empty = (): ReactNode => (
  <Text>
    There is no workflow yet. A workflow makes one tool of several calls:{' '}
    <PageLink to="/workflows/new">create one</PageLink>, or write its definition into the directory{' '}
    <code>workflows</code> of the gateway.
  </Text>
);

const Workflows = ({ workflows }: { readonly workflows: readonly WorkflowEntry[] }): ReactNode => {
  const navigate = useNavigate();
  const open = (name: string, tab: 'run' | 'runs') =>
    void navigate({ to: '/workflows/$workflow', params: { workflow: name }, search: { tab } });
  return (
    <DataTable
      label="Workflows"
      noun="workflow"
      records={workflows}
      recordKey={({ name }) => name}
      columns={COLUMNS}
      filters={FILTERS}
      searchLabel="Find workflows"
      textOf={({ name, description }) => `${name} ${description}`}
      nothing="No workflow matches."
      listActions={({ name }) => [
        { label: 'Run it', onClick: () => open(name, 'run') },
        { label: 'Runs', onClick: () => open(name, 'runs') },
      ]}
      empty={<Empty />}
    />
  );
};

/** The workflows of the gateway, for the user who reads the page. */
export const WorkflowsPage = (): ReactNode => (
  <Stack>
    <PageHead title="Workflows" text="Several calls as one tool.">
      <Button component={Link} to="/runs" variant="default" size="xs">
        Runs of all workflows
      </Button>
      <Button component={Link} to="/workflows/new" size="xs">
        New workflow
      </Button>
    </PageHead>
    <Loaded query={useWorkflows()} label="Loading the workflows">
      {(workflows) => <Workflows workflows={workflows} />}
    </Loaded>
  </Stack>
);
