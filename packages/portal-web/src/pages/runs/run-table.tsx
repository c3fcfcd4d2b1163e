import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { PageLink } from '../../addresses/page-link.tsx';
import { LocalTime } from '../../display/local-time.tsx';
import { RecordTable, type RecordColumn } from '../../display/record-table.tsx';
import { RunBadge } from './run-badge.tsx';
import type { RunEntry } from './run-facts.ts';
import { durationText } from './duration-text.ts';

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
    render: ({ status, durationMs }) => (status === 'inprogress' ? '–' : durationText(durationMs)),
  },
];

/** Runs of one workflow, or of all. */
export const RunTable = ({
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
    keyOf={({ id }) => id}
    columns={[STARTED, ...(hasWorkflow ? [WORKFLOW] : []), ...OUTCOME]}
  />
);
