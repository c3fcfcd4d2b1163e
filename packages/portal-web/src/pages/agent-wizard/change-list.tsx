import { Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { LongText } from '../../display/long-text.tsx';
import { RecordTable, type RecordColumn } from '../../display/record-table.tsx';
import type { AgentChange } from './agent-changes.ts';

const Value = ({ text }: { readonly text: string }): ReactNode =>
  text === '' ? <Text size="sm">–</Text> : <LongText text={text} />;

const COLUMNS: readonly RecordColumn<AgentChange>[] = [
  { label: 'Part', render: ({ label }) => label },
  { label: 'Now', render: ({ before }) => <Value text={before} /> },
  { label: 'After', render: ({ after }) => <Value text={after} /> },
];

/** The parts of an agent that a change writes, with their values before and after. */
export const ChangeList = ({
  changes,
}: {
  readonly changes: readonly AgentChange[];
}): ReactNode => (
  <Stack gap="xs" component="section" aria-label="Changes">
    <Title order={3} size="h5">
      Changes
    </Title>
    {changes.length === 0 ? (
      <Text size="sm">Nothing changes: every field and selector stays as it is.</Text>
    ) : (
      <>
        <RecordTable
          label="Changes"
          records={changes}
          keyOf={({ label }) => label}
          columns={COLUMNS}
        />
        <Text size="sm">
          Of the skills and the toolset, only what is removed and what is added is listed.
        </Text>
      </>
    )}
  </Stack>
);
