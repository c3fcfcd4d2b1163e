import { escapeToJson, escapeToLine } from '@gateway/service-host';
import type { CliIo, CliOutput } from '../cli-io.ts';

const CODES = { bold: [1, 22], dim: [2, 22], red: [31, 39], green: [32, 39], yellow: [33, 39] };

/** A style of text on a terminal. */
export type TextStyle = keyof typeof CODES;

/** Returns the text in a style, or unchanged where colours are off. */
export type Style = (name: TextStyle, text: string) => string;

const plain: Style = (_name, text) => text;

const coloured: Style = (name, text) => {
  const [on = 0, off = 0] = CODES[name];
  return `\u001B[${on}m${text}\u001B[${off}m`;
};

/** Returns the styles of an output. They are plain outside of terminals, with `NO_COLOR` (no-color.org) and with `TERM=dumb`. */
export const styleOf = (output: CliOutput, env: CliIo['env']): Style =>
  output.isTerminal && !env['NO_COLOR'] && env['TERM'] !== 'dumb' ? coloured : plain;

const WIDE =
  /^(?:\p{Emoji_Presentation}|\p{RI}|[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6]|[\u{20000}-\u{3FFFD}])/u;
const ASCII = /^[\u0020-\u007E]*$/u;

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

const widthOfCluster = (cluster: string): number => (WIDE.test(cluster) ? 2 : 1);

/** Returns an estimate of the columns that a text needs on a terminal. */
export function textWidth(text: string): number {
  if (ASCII.test(text)) return text.length;
  let width = 0;
  for (const { segment } of segmenter.segment(text)) width += widthOfCluster(segment);
  return width;
}

/** Truncates a text to the columns. A truncated text ends with `…`. */
export function truncateToWidth(text: string, columns: number): string {
  if (textWidth(text) <= columns) return text;
  let truncated = '';
  let width = 1;
  for (const { segment } of segmenter.segment(text)) {
    width += widthOfCluster(segment);
    if (width > columns) break;
    truncated += segment;
  }
  return `${truncated.trimEnd()}…`;
}

/** One column of a table. */
export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => string;
  readonly style?: (row: Row) => TextStyle | undefined;
}

/** Options of {@link table}. */
interface TableOptions {
  readonly style: Style;
  /** The maximum length of a line: the last column is truncated. Absent for no maximum. */
  readonly columns?: number;
}

const GAP = '  ';
const MIN_LAST_COLUMNS = 8;

const padToWidth = (text: string, width: number): string =>
  text + ' '.repeat(Math.max(0, width - textWidth(text)));

/** Returns a line of titles and one line for each row. Cells are escaped, so that they contain no line breaks or control characters. */
export function table<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  { style, columns: limit }: TableOptions,
): string {
  const cells = rows.map((row) => columns.map(({ cell }) => escapeToLine(cell(row))));
  const widths = columns.map(({ title }, index) =>
    cells.reduce((most, row) => Math.max(most, textWidth(row[index] ?? '')), title.length),
  );
  const last = columns.length - 1;
  const before = widths.slice(0, last).reduce((sum, width) => sum + width + GAP.length, 0);
  const lastWidth = limit === undefined ? Infinity : Math.max(MIN_LAST_COLUMNS, limit - before);
  const line = (
    texts: readonly string[],
    styleAt: (index: number) => TextStyle | undefined,
  ): string =>
    texts
      .map((text, index) => {
        const cellText =
          index === last ? truncateToWidth(text, lastWidth) : padToWidth(text, widths[index] ?? 0);
        const name = styleAt(index);
        return name === undefined ? cellText : style(name, cellText);
      })
      .join(GAP)
      .trimEnd();
  const titles = columns.map(({ title }) => title);
  return [
    line(titles, () => 'bold'),
    ...rows.map((row, number) =>
      line(cells[number] ?? [], (index) => columns[index]?.style?.(row)),
    ),
  ]
    .map((text) => `${text}\n`)
    .join('');
}

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

/** Format of a result. */
export type OutputFormat = 'text' | 'json';

/** Writes a value as JSON or as text, depending on the output format. */
export function writeValue(
  { stdout }: CliIo,
  output: OutputFormat,
  value: unknown,
  text: () => string,
): void {
  stdout.write(output === 'json' ? `${escapeToJson(value, 2)}\n` : text());
}
