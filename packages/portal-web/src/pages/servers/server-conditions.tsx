import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { RecordTable, type RecordColumn } from '../../display/record-table.tsx';
import type { ServerFacts } from './server-facts.ts';

const COLUMNS: readonly RecordColumn<ServerFacts['conditions'][number]>[] = [
  { label: 'Condition', render: ({ type }) => type },
  { label: 'Status', render: ({ status }) => status },
  {
    label: 'Message',
    render: ({ reason, message }) => <bdi>{message === '' ? reason : message}</bdi>,
  },
];

/** The conditions of a server. @spec §2.6 status */
export const ServerConditions = ({ server }: { readonly server: ServerFacts }): ReactNode =>
  server.conditions.length === 0 ? (
    <Text size="sm">The gateway has not tried this server yet.</Text>
  ) : (
    <RecordTable
      label="Conditions"
      records={server.conditions}
      keyOf={({ type }) => type}
      columns={COLUMNS}
    />
  );
