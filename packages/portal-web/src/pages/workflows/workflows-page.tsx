import { Button, Group, SegmentedControl, Stack, Text, useMatches } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { SearchField } from '../../addresses/address-fields.tsx';
import {
  WORKFLOW_STATES,
  type WorkflowsSearch,
  type WorkflowState,
} from '../../addresses/searches.ts';
import { Loaded } from '../../display/loading.tsx';
import { PageLink, PageTitle, StateBadge } from '../../display/page-parts.tsx';
import { Pages, type RecordColumn, RecordTable } from '../../display/record-table.tsx';
import {
  filterWorkflows,
  toWorkflowState,
  useWorkflows,
  type WorkflowEntry,
} from './workflow-facts.ts';

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

const NAMED_TOOLS = 3;
const DESCRIPTION_LINES = 4;

interface RowProps {
  readonly workflow: WorkflowEntry;
}

const formatAbsentTools = (missing: readonly string[]): string =>
  missing.slice(0, NAMED_TOOLS).join(', ') + (missing.length > NAMED_TOOLS ? ' and more' : '');

const Name = ({ workflow: { name, description } }: RowProps): ReactNode => (
  <>
    <PageLink to="/workflows/$workflow" params={{ workflow: name }}>
      <bdi>{name}</bdi>
    </PageLink>
    <Text size="xs" c="dimmed" lineClamp={DESCRIPTION_LINES}>
      <bdi>{description}</bdi>
    </Text>
  </>
);

const State = ({ workflow }: RowProps): ReactNode => (
  <Stack gap={4} align="flex-start">
    <WorkflowMark workflow={workflow} />
    {workflow.missing.length > 0 && (
      <Text size="xs" ff="monospace" lineClamp={3}>
        <bdi>{formatAbsentTools(workflow.missing)}</bdi>
      </Text>
    )}
  </Stack>
);

const COLUMNS: readonly RecordColumn<WorkflowEntry>[] = [
  { label: 'Name', render: (workflow) => <Name workflow={workflow} /> },
  { label: 'State', render: (workflow) => <State workflow={workflow} /> },
];

/** Workflows with their state for the user who reads the page. */
const WorkflowTable = ({
  workflows,
}: {
  readonly workflows: readonly WorkflowEntry[];
}): ReactNode => (
  <RecordTable
    label="Workflows"
    records={workflows}
    recordKey={({ name }) => name}
    columns={COLUMNS}
  />
);

const PER_PAGE = 50;
/** All states fit into a window of 360 pixels. */
const CHOICE_SIZE = { base: 'xs', sm: 'sm' };
const ALL = 'all';
const CHOICES = [
  { value: ALL, label: 'All' },
  ...WORKFLOW_STATES.map((value) => ({ value, label: STATE_LABELS[value] })),
];

interface FoundWorkflowsProps {
  readonly workflows: readonly WorkflowEntry[];
  readonly search: WorkflowsSearch;
  readonly onSearch: (search: WorkflowsSearch) => void;
}

type FilterProps = Omit<FoundWorkflowsProps, 'workflows'>;

const Filters = ({ search: { query, state }, onSearch }: FilterProps): ReactNode => {
  const size = useMatches(CHOICE_SIZE, { getInitialValueInEffect: false });
  const setState = (value: string): void => {
    const next = WORKFLOW_STATES.find((known) => known === value);
    onSearch({ ...(query !== undefined && { query }), ...(next && { state: next }) });
  };
  return (
    <Group align="flex-end">
      <SearchField
        label="Find workflows"
        style={{ flexGrow: 1 }}
        query={query}
        onSearch={(next) =>
          onSearch({ ...(state && { state }), ...(next !== '' && { query: next }) })
        }
      />
      <SegmentedControl
        size={size}
        aria-label="State of the workflows"
        value={state ?? ALL}
        data={CHOICES}
        onChange={setState}
      />
    </Group>
  );
};

const NothingFound = ({ onSearch }: Pick<FilterProps, 'onSearch'>): ReactNode => (
  <Group gap="xs">
    <Text>No workflow matches.</Text>
    <Button variant="default" size="xs" onClick={() => onSearch({})}>
      Show all workflows
    </Button>
  </Group>
);

/** Workflows with a search and a choice of their state. */
const FilteredWorkflows = ({ workflows, search, onSearch }: FoundWorkflowsProps): ReactNode => {
  const found = filterWorkflows(workflows, search);
  const pages = Math.max(1, Math.ceil(found.length / PER_PAGE));
  const page = Math.min(search.page ?? 1, pages);
  const { page: _page, ...filter } = search;
  return (
    <Stack>
      <Filters search={search} onSearch={onSearch} />
      <Text size="sm" role="status">{`${found.length} of ${workflows.length} workflows`}</Text>
      {found.length === 0 ? (
        <NothingFound onSearch={onSearch} />
      ) : (
        <WorkflowTable workflows={found.slice((page - 1) * PER_PAGE, page * PER_PAGE)} />
      )}
      <Pages
        value={page}
        total={pages}
        onChange={(next) => onSearch({ ...filter, ...(next > 1 && { page: next }) })}
      />
    </Stack>
  );
};

const route = getRouteApi('/workflows');

const Empty = (): ReactNode => (
  <Text>
    There is no workflow yet. A workflow makes one tool of several calls: write its definition into
    the directory <code>workflows</code> of the gateway, or call{' '}
    <PageLink to="/catalog/$tool" params={{ tool: 'core_workflow_create' }} search={{ tab: 'try' }}>
      core_workflow_create
    </PageLink>
    .
  </Text>
);

/** The workflows of the gateway, for the user who reads the page. */
export const WorkflowsPage = (): ReactNode => {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const show = (next: WorkflowsSearch): void => {
    void navigate({ search: next, replace: true, resetScroll: false });
  };
  return (
    <Stack>
      <Group justify="space-between">
        <PageTitle title="Workflows" />
        <PageLink to="/runs" size="sm">
          Runs of all workflows
        </PageLink>
      </Group>
      <Loaded query={useWorkflows()} label="Loading the workflows">
        {(workflows) =>
          workflows.length === 0 ? (
            <Empty />
          ) : (
            <FilteredWorkflows workflows={workflows} search={search} onSearch={show} />
          )
        }
      </Loaded>
    </Stack>
  );
};
