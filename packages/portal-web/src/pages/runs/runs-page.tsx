import { Group, Stack, Text, SegmentedControl } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import {
  type RunListSearch,
  RUN_STATUSES,
  type RunsSearch,
  type RunStatus,
} from '../../addresses/searches.ts';
import {
  PageLink,
  PageTitle,
  formatCount,
  LocalTime,
  StateBadge,
} from '../../display/page-parts.tsx';
import { Loaded } from '../../display/loading.tsx';
import { Pages, type RecordColumn, RecordTable } from '../../display/record-table.tsx';
import {
  formatDuration,
  type RunEntry,
  RUNS_PER_PAGE,
  type RunStep,
  useRuns,
} from './run-facts.ts';

/** The state of a run or of a step. */
type StepOrRunStatus = RunEntry['status'] | RunStep['status'];

const LOOKS: Readonly<Record<StepOrRunStatus, readonly [text: string, color: string]>> = {
  inprogress: ['Running', 'blue'],
  completed: ['Completed', 'teal'],
  failed: ['Failed', 'red'],
  skipped: ['Skipped', 'gray'],
};

/** Returns the colour of a state. */
export const resolveStatusColor = (status: StepOrRunStatus): string => LOOKS[status][1];

/** The state of a run or of a step in words. */
export const RunBadge = ({ status }: { readonly status: StepOrRunStatus }): ReactNode => {
  const [text, color] = LOOKS[status];
  return <StateBadge color={color}>{text}</StateBadge>;
};

const Outcome = ({ run }: { readonly run: RunEntry }): ReactNode => (
  <>
    <RunBadge status={run.status} />
    {run.error !== undefined && (
      <Text size="xs" lineClamp={2} mt={4}>
        <bdi>{run.error}</bdi>
      </Text>
    )}
  </>
);

const STARTED: RecordColumn<RunEntry> = {
  label: 'Started',
  render: ({ id, startedAt }) => (
    <PageLink to="/runs/$run" params={{ run: id }} size="sm">
      <LocalTime at={startedAt} />
    </PageLink>
  ),
};
const WORKFLOW: RecordColumn<RunEntry> = {
  label: 'Workflow',
  render: ({ workflow }) => (
    <PageLink to="/workflows/$workflow" params={{ workflow }} size="sm">
      <bdi>{workflow}</bdi>
    </PageLink>
  ),
};
const OUTCOME: readonly RecordColumn<RunEntry>[] = [
  { label: 'State', render: (run) => <Outcome run={run} /> },
  {
    label: 'Duration',
    render: ({ status, durationMs }) =>
      status === 'inprogress' ? '–' : formatDuration(durationMs),
  },
];

/** Runs of one workflow, or of all. */
const RunTable = ({
  runs,
  hasWorkflow,
}: {
  readonly runs: readonly RunEntry[];
  /** Shows the workflow of each run. */
  readonly hasWorkflow: boolean;
}): ReactNode => (
  <RecordTable
    label="Runs"
    records={runs}
    recordKey={({ id }) => id}
    columns={[STARTED, ...(hasWorkflow ? [WORKFLOW] : []), ...OUTCOME]}
  />
);

interface RunListProps {
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

/** Runs with a choice of their state, newest first. */
export const RunList = ({ empty, ...props }: RunListProps): ReactNode => {
  const { search, hasWorkflow, onSearch } = props;
  const { status, page = 1 } = search;
  return (
    <Stack>
      <StatusChoice {...props} />
      <Loaded query={useRuns(search)} label="Loading the runs">
        {({ total, runs }) => {
          if (total > 0)
            return (
              <>
                <Text size="sm" role="status">
                  {formatCount(total, 'run')}
                </Text>
                <RunTable runs={runs} hasWorkflow={hasWorkflow} />
                <Pages
                  value={page}
                  total={Math.ceil(total / RUNS_PER_PAGE)}
                  onChange={(next) =>
                    onSearch({ ...(status && { status }), ...(next > 1 && { page: next }) })
                  }
                />
              </>
            );
          return status === undefined ? (
            empty
          ) : (
            <Text>No run has this state. Choose another one above.</Text>
          );
        }}
      </Loaded>
    </Stack>
  );
};

const route = getRouteApi('/runs');

const Empty = ({ workflow }: { readonly workflow: string | undefined }): ReactNode => (
  <Text>
    {workflow === undefined ? 'No workflow has run yet. ' : 'This workflow has not run yet. '}
    <PageLink to="/workflows">Choose a workflow</PageLink> and run it.
  </Text>
);

/** The runs that the user may see, of one workflow or of all. */
export const RunsPage = (): ReactNode => {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { workflow } = search;
  const show = (next: RunListSearch): void => {
    void navigate({ search: { ...(workflow !== undefined && { workflow }), ...next } });
  };
  return (
    <Stack>
      <PageLink to="/workflows" size="sm">
        All workflows
      </PageLink>
      <Group justify="space-between">
        <PageTitle title={workflow === undefined ? 'Runs' : `Runs of ${workflow}`}>
          {' '}
          Runs
          {workflow !== undefined && (
            <>
              {' of '}
              <bdi>{workflow}</bdi>
            </>
          )}
        </PageTitle>
        {workflow !== undefined && (
          <PageLink to="/runs" size="sm">
            Runs of all workflows
          </PageLink>
        )}
      </Group>
      <RunList
        search={search}
        hasWorkflow={workflow === undefined}
        empty={<Empty workflow={workflow} />}
        onSearch={show}
      />
    </Stack>
  );
};
