import type { CliIo } from '../cli-io.ts';
import { styleOf } from './style.ts';
import { table, type Column } from './table.ts';

/** Returns a table for stdout. On a terminal, its last column is truncated to the width of the terminal. */
export function tableText<Row>(
  io: CliIo,
  rows: readonly Row[],
  columns: readonly Column<Row>[],
): string {
  const { stdout, env } = io;
  const limit = stdout.isTerminal && { columns: stdout.columns };
  return table(rows, columns, { style: styleOf(stdout, env), ...limit });
}
