import {
  Button,
  Group,
  Pagination,
  SegmentedControl,
  Stack,
  Text,
  TextInput,
  useMatches,
} from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { WORKFLOW_STATES, type WorkflowsSearch } from '../../addresses/workflow-search.ts';
import { filterWorkflows, type WorkflowEntry } from './workflow-facts.ts';
import { STATE_LABELS } from './workflow-mark.tsx';
import { WorkflowTable } from './workflow-table.tsx';

const DEBOUNCE_MS = 200;
const PER_PAGE = 50;
/** All states fit into a window of 360 pixels. */
const CHOICE_SIZE = { base: 'xs', sm: 'sm' };
const ALL = 'all';
const CHOICES = [
  { value: ALL, label: 'All' },
  ...WORKFLOW_STATES.map((value) => ({ value, label: STATE_LABELS[value] })),
];

/** The properties of {@link FoundWorkflows}. */
export interface FoundWorkflowsProps {
  readonly workflows: readonly WorkflowEntry[];
  readonly search: WorkflowsSearch;
  readonly onSearch: (search: WorkflowsSearch) => void;
}

type FilterProps = Omit<FoundWorkflowsProps, 'workflows'>;

const Filters = ({ search: { query, state }, onSearch }: FilterProps): ReactNode => {
  const size = useMatches(CHOICE_SIZE, { getInitialValueInEffect: false });
  const setQuery = useDebouncedCallback((next: string) => {
    onSearch({ ...(state && { state }), ...(next !== '' && { query: next }) });
  }, DEBOUNCE_MS);
  const setState = (value: string): void => {
    const next = WORKFLOW_STATES.find((known) => known === value);
    onSearch({ ...(query !== undefined && { query }), ...(next && { state: next }) });
  };
  return (
    <Group align="flex-end">
      <TextInput
        type="search"
        label="Find workflows"
        defaultValue={query ?? ''}
        onChange={({ currentTarget }) => setQuery(currentTarget.value)}
        style={{ flexGrow: 1 }}
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
export const FoundWorkflows = ({ workflows, search, onSearch }: FoundWorkflowsProps): ReactNode => {
  const found = filterWorkflows(workflows, search);
  const pages = Math.max(1, Math.ceil(found.length / PER_PAGE));
  const page = Math.min(search.page ?? 1, pages);
  const { page: _page, ...filter } = search;
  return (
    <Stack>
      <Filters
        key={Object.keys(filter).length === 0 ? ALL : ''}
        search={search}
        onSearch={onSearch}
      />
      <Text size="sm" role="status">{`${found.length} of ${workflows.length} workflows`}</Text>
      {found.length === 0 ? (
        <NothingFound onSearch={onSearch} />
      ) : (
        <WorkflowTable workflows={found.slice((page - 1) * PER_PAGE, page * PER_PAGE)} />
      )}
      <Pagination
        value={page}
        total={pages}
        hideWithOnePage
        size="sm"
        getControlProps={(control) => ({ 'aria-label': `${control} page` })}
        getItemProps={(item) => ({ 'aria-label': `Page ${item}` })}
        onChange={(next) => onSearch({ ...filter, ...(next > 1 && { page: next }) })}
      />
    </Stack>
  );
};
