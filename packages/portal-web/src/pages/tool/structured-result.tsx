import { Table } from '@mantine/core';
import type { ReactNode } from 'react';
import type { JsonObject } from '../../mcp/mcp-outcome.ts';
import { ResultJson } from './result-text.tsx';

const MAX_ROWS = 50;
const MAX_CELL_CHARS = 1_000;

const isShort = (value: unknown): boolean =>
  typeof value === 'string'
    ? value.length <= MAX_CELL_CHARS
    : typeof value !== 'object' || value === null;

/** A result that follows the schema of a tool: a table of short values, and JSON for anything else. */
export const StructuredResult = ({ value }: { readonly value: JsonObject }): ReactNode => {
  const entries = Object.entries(value);
  const isTable =
    entries.length > 0 &&
    entries.length <= MAX_ROWS &&
    entries.every(([, member]) => isShort(member));
  if (!isTable) return <ResultJson value={value} />;
  return (
    <Table variant="vertical" layout="fixed" aria-label="Structured result">
      <Table.Tbody>
        {entries.map(([name, member]) => (
          <Table.Tr key={name}>
            <Table.Th scope="row" w="40%" style={{ overflowWrap: 'anywhere' }}>
              <bdi>{name}</bdi>
            </Table.Th>
            <Table.Td style={{ overflowWrap: 'anywhere' }}>
              <bdi>{typeof member === 'string' ? member : JSON.stringify(member)}</bdi>
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
};
