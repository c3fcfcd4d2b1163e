import { Alert, Pagination, SegmentedControl, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { LoadingSign } from '../../display/loading.tsx';
import {
  RUN_STATUSES,
  type RunListSearch,
  type RunsSearch,
  type RunStatus,
} from '../../addresses/workflow-search.ts';
import { RunTable } from './run-table.tsx';
import { RUNS_PER_PAGE, useRuns } from './use-runs.ts';

/** The properties of {@link RunList}. */
export interface RunListProps {
  readonly search: RunsSearch;
  /** Shows the workflow of each run. */
  readonly hasWorkflow: boolean;
  /** Shown when there is no run at all. */
  readonly empty: ReactNode;
  readonly onSearch: (search: RunListSearch) => void;
}

const LABELS: Readonly<Record<RunStatus, string>> = {
  inprogress: 'Running',
  completed: 'Completed',
  failed: 'Failed',
};
const ALL = 'all';
const CHOICES = [
  { value: ALL, label: 'All' },
  ...RUN_STATUSES.map((value) => ({ value, label: LABELS[value] })),
];

const StatusChoice = ({ search, onSearch }: Omit<RunListProps, 'empty'>): ReactNode => (
  <SegmentedControl
    aria-label="State of the runs"
    value={search.status ?? ALL}
    data={CHOICES}
    w="fit-content"
    onChange={(value) => {
      const status = RUN_STATUSES.find((known) => known === value);
      onSearch(status === undefined ? {} : { status });
    }}
  />
);

const Pages = ({
  search: { status, page = 1 },
  total,
  onSearch,
}: Pick<RunListProps, 'search' | 'onSearch'> & { readonly total: number }): ReactNode => (
  <Pagination
    value={page}
    total={Math.ceil(total / RUNS_PER_PAGE)}
    hideWithOnePage
    size="sm"
    getControlProps={(control) => ({ 'aria-label': `${control} page` })}
    getItemProps={(item) => ({ 'aria-label': `Page ${item}` })}
    onChange={(next) =>
      onSearch({ ...(status !== undefined && { status }), ...(next > 1 && { page: next }) })
    }
  />
);

/** Runs with a choice of their state, newest first. */
export const RunList = ({ empty, ...props }: RunListProps): ReactNode => {
  const { search, hasWorkflow } = props;
  const { data, error } = useRuns(search);
  return (
    <Stack>
      <StatusChoice {...props} />
      {error !== null && (
        <Alert color="red" role="alert">
          {error.message}
        </Alert>
      )}
      {data === undefined && error === null && <LoadingSign label="Loading the runs" />}
      {data?.total === 0 &&
        (search.status === undefined ? (
          empty
        ) : (
          <Text>No run has this state. Choose another one above.</Text>
        ))}
      {data !== undefined && data.total > 0 && (
        <>
          <Text size="sm" role="status">
            {data.total === 1 ? '1 run' : `${data.total} runs`}
          </Text>
          <RunTable runs={data.runs} hasWorkflow={hasWorkflow} />
          <Pages {...props} total={data.total} />
        </>
      )}
    </Stack>
  );
};
