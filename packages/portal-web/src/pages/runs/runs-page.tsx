import { Button, Stack, Text } from '@mantine/core';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { RUN_STATUSES, type RunsSearch } from '../../addresses/searches.ts';
import { type Column, DataTable, type Filter, useTableSearch } from '../../display/data-table.tsx';
import { Loaded } from '../../display/loading.tsx';
import { PageHead, PageLink, RelativeTime } from '../../display/page-parts.tsx';
import { RUN_LOOKS, RunBadge } from './run-badge.tsx';
import { formatDuration, type RunEntry, useRuns } from './run-facts.ts';

const STARTED: Column<RunEntry> = {
  id: 'started',
  label: 'Started',
  w: 150,
  render: ({ id, startedAt }) => (
    <PageLink to="/runs/$run" params={{ run: id }} size="sm">
      <RelativeTime at={startedAt} />
    </PageLink>
  ),
  sortBy: ({ startedAt }) => Date.parse(startedAt),
};
const WORKFLOW: Column<RunEntry> = {
  id: 'workflow',
  label: 'Workflow',
  w: 240,
  render: ({ workflow }) => (
    <PageLink to="/workflows/$workflow" params={{ workflow }} size="sm">
      <bdi>{workflow}</bdi>
    </PageLink>
  ),
  sortBy: ({ workflow }) => workflow,
};
const OUTCOME: readonly Column<RunEntry>[] = [
  {
    id: 'state',
    label: 'State',
    w: 120,
    render: ({ status }) => <RunBadge status={status} />,
    sortBy: ({ status }) => status,
  },
  {
    id: 'duration',
    label: 'Duration',
    w: 110,
    render: ({ status, durationMs }) =>
      status === 'inprogress' ? '–' : formatDuration(durationMs),
    sortBy: ({ durationMs }) => durationMs,
  },
  {
    id: 'error',
    label: 'Error',
    isWide: true,
    render: ({ error }) => <bdi title={error}>{error}</bdi>,
  },
];
const COLUMNS = [STARTED, WORKFLOW, ...OUTCOME];

/** The columns of the runs of one workflow. */
const COLUMNS_OF_ONE = [STARTED, ...OUTCOME];

const FILTERS: readonly Filter<RunEntry>[] = [
  {
    key: 'status',
    label: 'State',
    choices: RUN_STATUSES.map((value) => ({ value, label: RUN_LOOKS[value][0] })),
  },
];

/** Runs of one workflow or of all, newest first. */
export const RunList = ({
  search,
  hasWorkflow,
  empty,
}: {
  readonly search: RunsSearch;
  /** Shows the workflow of each run. */
  readonly hasWorkflow: boolean;
  /** Shown when there is no run at all. */
  readonly empty: ReactNode;
}): ReactNode => {
  const [, change] = useTableSearch();
  const { status, page = 1 } = search;
  return (
    <Loaded query={useRuns(search)} label="Loading the runs">
      {({ total, runs }) => (
        <>
          <DataTable
            label="Runs"
            noun="run"
            records={runs}
            total={total}
            recordKey={({ id }) => id}
            columns={hasWorkflow ? COLUMNS : COLUMNS_OF_ONE}
            filters={FILTERS}
            nothing="No run has this state. Choose another one above."
            {...(status === undefined && { empty })}
          />
          {runs.length < total && (
            <Button
              variant="default"
              size="xs"
              w="fit-content"
              onClick={() => change({ page: page + 1 })}
            >
              Show older runs
            </Button>
          )}
        </>
      )}
    </Loaded>
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
  const { workflow } = search;
  return (
    <Stack>
      <PageHead title={workflow === undefined ? 'Runs' : `Runs of ${workflow}`}>
        <Button component={Link} to="/workflows" variant="default" size="xs">
          All workflows
        </Button>
        {workflow !== undefined && (
          <Button component={Link} to="/runs" variant="default" size="xs">
            Runs of all workflows
          </Button>
        )}
      </PageHead>
      <RunList
        search={search}
        hasWorkflow={workflow === undefined}
        empty={<Empty workflow={workflow} />}
      />
    </Stack>
  );
};
