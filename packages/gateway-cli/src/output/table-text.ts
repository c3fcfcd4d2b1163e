import type { CliIo } from '../cli-io.ts';
import { styleOf } from './style.ts';
import { table, type Column } from './table.ts';

/** A table as stdout takes it: its last column is cut where a terminal ends, and nowhere else. */
export function tableText<Row>(
  io: CliIo,
  rows: readonly Row[],
  columns: readonly Column<Row>[],
): string {
  const { stdout, env } = io;
  const cut = stdout.isTerminal && { columns: stdout.columns };
  return table(rows, columns, { style: styleOf(stdout, env), ...cut });
}
