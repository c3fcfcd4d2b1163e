import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { PageLink } from '../../addresses/page-link.tsx';
import { RecordTable, type RecordColumn } from '../../display/record-table.tsx';
import type { WorkflowEntry } from './workflow-facts.ts';
import { WorkflowMark } from './workflow-mark.tsx';

const NAMED_TOOLS = 3;
const DESCRIPTION_LINES = 4;

interface RowProps {
  readonly workflow: WorkflowEntry;
}

const missingText = (missing: readonly string[]): string =>
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
        <bdi>{missingText(workflow.missing)}</bdi>
      </Text>
    )}
  </Stack>
);

const COLUMNS: readonly RecordColumn<WorkflowEntry>[] = [
  { label: 'Name', render: (workflow) => <Name workflow={workflow} /> },
  { label: 'State', render: (workflow) => <State workflow={workflow} /> },
];

/** Workflows with their state for the person who reads the page. */
export const WorkflowTable = ({
  workflows,
}: {
  readonly workflows: readonly WorkflowEntry[];
}): ReactNode => (
  <RecordTable label="Workflows" records={workflows} keyOf={({ name }) => name} columns={COLUMNS} />
);
