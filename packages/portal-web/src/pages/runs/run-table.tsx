import { Table, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { PageLink } from '../../addresses/page-link.tsx';
import { LocalTime } from '../../display/local-time.tsx';
import { RunBadge } from './run-badge.tsx';
import type { RunEntry } from './run-facts.ts';
import { durationText } from './duration-text.ts';

const WIDTH_PX = 560;

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

const RunRow = ({
  run,
  hasWorkflow,
}: {
  readonly run: RunEntry;
  readonly hasWorkflow: boolean;
}): ReactNode => (
  <Table.Tr>
    <Table.Td>
      <PageLink to="/runs/$run" params={{ run: run.id }} size="sm">
        <LocalTime at={run.startedAt} />
      </PageLink>
    </Table.Td>
    {hasWorkflow && (
      <Table.Td style={{ overflowWrap: 'anywhere' }}>
        <PageLink to="/workflows/$workflow" params={{ workflow: run.workflow }} size="sm">
          <bdi>{run.workflow}</bdi>
        </PageLink>
      </Table.Td>
    )}
    <Table.Td style={{ overflowWrap: 'anywhere' }}>
      <Outcome run={run} />
    </Table.Td>
    <Table.Td>{run.status === 'inprogress' ? '' : durationText(run.durationMs)}</Table.Td>
  </Table.Tr>
);

/** Runs of one workflow, or of all. */
export const RunTable = ({
  runs,
  hasWorkflow,
}: {
  readonly runs: readonly RunEntry[];
  /** Shows the workflow of each run. */
  readonly hasWorkflow: boolean;
}): ReactNode => (
  <Table.ScrollContainer minWidth={WIDTH_PX}>
    <Table aria-label="Runs">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Started</Table.Th>
          {hasWorkflow && <Table.Th>Workflow</Table.Th>}
          <Table.Th>State</Table.Th>
          <Table.Th>Duration</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {runs.map((run) => (
          <RunRow key={run.id} run={run} hasWorkflow={hasWorkflow} />
        ))}
      </Table.Tbody>
    </Table>
  </Table.ScrollContainer>
);
