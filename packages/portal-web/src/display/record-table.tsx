import { Box, Card, Group, Stack, Table, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { ReactNode } from 'react';

/** A value of each record, with its label. */
export interface RecordColumn<T> {
  readonly label: string;
  /** Returns null for a record without the value. */
  readonly render: (record: T) => ReactNode;
  /** Keeps the value in one line where there is room for a table. */
  readonly isShort?: boolean;
}

interface RecordTableProps<T> {
  /** Names the table for assistive technology. */
  readonly label: string;
  readonly records: readonly T[];
  readonly recordKey: (record: T, index: number) => string;
  readonly columns: readonly RecordColumn<T>[];
}

/** Below this width of the window, the columns of a table are outside of it. */
const NARROW = '(max-width: 48em)';
const LABEL_PX = 84;

const CardLine = ({
  label,
  value,
}: {
  readonly label: string;
  readonly value: ReactNode;
}): ReactNode =>
  value === null ? null : (
    <Group gap="xs" wrap="nowrap" align="flex-start">
      <Text size="xs" c="dimmed" w={LABEL_PX} flex="none" pt={2}>
        {label}
      </Text>
      <Box miw={0} flex={1} fz="sm" style={{ overflowWrap: 'anywhere' }}>
        {value}
      </Box>
    </Group>
  );

const Cards = <T,>({
  label,
  records,
  recordKey: keyOf,
  columns,
}: RecordTableProps<T>): ReactNode => (
  <Stack gap="xs" role="list" aria-label={label}>
    {records.map((record, index) => (
      <Card key={keyOf(record, index)} withBorder p="sm" role="listitem">
        <Stack gap={6}>
          {columns.map(({ label: name, render }) => (
            <CardLine key={name} label={name} value={render(record)} />
          ))}
        </Stack>
      </Card>
    ))}
  </Stack>
);

const WideTable = <T,>({
  label,
  records,
  recordKey: keyOf,
  columns,
}: RecordTableProps<T>): ReactNode => (
  <Table aria-label={label}>
    <Table.Thead>
      <Table.Tr>
        {columns.map((column) => (
          <Table.Th key={column.label}>{column.label}</Table.Th>
        ))}
      </Table.Tr>
    </Table.Thead>
    <Table.Tbody>
      {records.map((record, index) => (
        <Table.Tr key={keyOf(record, index)}>
          {columns.map(({ label: name, render, isShort = false }) => (
            <Table.Td
              key={name}
              style={isShort ? { whiteSpace: 'nowrap' } : { overflowWrap: 'anywhere' }}
            >
              {render(record)}
            </Table.Td>
          ))}
        </Table.Tr>
      ))}
    </Table.Tbody>
  </Table>
);

/** Records as a table; in a narrow window as cards, so that no value is outside of it. */
export const RecordTable = <T,>(props: RecordTableProps<T>): ReactNode => {
  const isNarrow = useMediaQuery(NARROW, false, { getInitialValueInEffect: false });
  return isNarrow ? <Cards {...props} /> : <WideTable {...props} />;
};
