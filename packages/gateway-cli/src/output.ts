import { type JsonObject } from '@gateway/call-contract';
import { escapeToJson, escapeToLine } from '@gateway/service-host';
import type { CliIo } from './cli-io.ts';
import { formatField } from './json-fields.ts';

const CODES = { bold: [1, 22], dim: [2, 22], red: [31, 39], green: [32, 39], yellow: [33, 39] };

export type TextStyle = keyof typeof CODES;

/** Returns the text in a style, or unchanged where colours are off. */
export type Style = (name: TextStyle, text: string) => string;

const keepPlain: Style = (_name, text) => text;

const applyColour: Style = (name, text) => {
  const [on = 0, off = 0] = CODES[name];
  return `\u001B[${on}m${text}\u001B[${off}m`;
};

type TerminalIo = Pick<CliIo, 'stdout' | 'env'>;

/** Returns the styles of stdout. They are plain outside of terminals, with `NO_COLOR` (no-color.org) and with `TERM=dumb`. */
export const createStyle = ({ stdout, env }: TerminalIo): Style =>
  stdout.isTerminal && !env['NO_COLOR'] && env['TERM'] !== 'dumb' ? applyColour : keepPlain;

const WIDE =
  /^(?:\p{Emoji_Presentation}|\p{RI}|[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6]|[\u{20000}-\u{3FFFD}])/u;
const ASCII = /^[\u0020-\u007E]*$/u;

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

const computeClusterWidth = (cluster: string): number => (WIDE.test(cluster) ? 2 : 1);

/** Returns an estimate of the columns that a text needs on a terminal. */
export function computeTextWidth(text: string): number {
  if (ASCII.test(text)) return text.length;
  let width = 0;
  for (const { segment } of segmenter.segment(text)) width += computeClusterWidth(segment);
  return width;
}

/** Truncates a text to the columns. A truncated text ends with `…`. */
export function truncateToWidth(text: string, columns: number): string {
  if (computeTextWidth(text) <= columns) return text;
  let truncated = '';
  let width = 1;
  for (const { segment } of segmenter.segment(text)) {
    width += computeClusterWidth(segment);
    if (width > columns) break;
    truncated += segment;
  }
  return `${truncated.trimEnd()}…`;
}

export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => string;
  readonly style?: (row: Row) => TextStyle | undefined;
}

export const createFieldColumn = (
  title: string,
  key: string,
  style?: Column<JsonObject>['style'],
): Column<JsonObject> => ({ title, cell: (row) => formatField(row, key), ...(style && { style }) });

const GAP = '  ';
const MIN_LAST_COLUMNS = 8;

const padToWidth = (text: string, width: number): string =>
  text + ' '.repeat(Math.max(0, width - computeTextWidth(text)));

/**
 * Returns a line of titles and one line for each row. Cells are escaped, so that they contain no line breaks or control characters. On a
 * terminal the last column is truncated to its width.
 */
export function formatTerminalTable<Row>(
  io: TerminalIo,
  rows: readonly Row[],
  columns: readonly Column<Row>[],
): string {
  const style = createStyle(io);
  const limit = io.stdout.isTerminal ? io.stdout.columns : Infinity;
  const cells = rows.map((row) => columns.map(({ cell }) => escapeToLine(cell(row))));
  const widths = columns.map(({ title }, index) =>
    cells.reduce((most, row) => Math.max(most, computeTextWidth(row[index] ?? '')), title.length),
  );
  const last = columns.length - 1;
  const before = widths.slice(0, last).reduce((sum, width) => sum + width + GAP.length, 0);
  const lastWidth = Math.max(MIN_LAST_COLUMNS, limit - before);
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

export type OutputFormat = 'text' | 'json';

export function writeValue(
  { stdout }: CliIo,
  output: OutputFormat,
  value: unknown,
  text: () => string,
): void {
  stdout.write(output === 'json' ? `${escapeToJson(value, 2)}\n` : text());
}

/** Writes rows as JSON, or as a table; `empty` is the text of no rows. */
export const writeRows = <Row>(
  io: CliIo,
  output: OutputFormat,
  rows: readonly Row[],
  { empty, columns }: { readonly empty: string; readonly columns: readonly Column<Row>[] },
): void =>
  writeValue(io, output, rows, () =>
    rows.length === 0 ? empty : formatTerminalTable(io, rows, columns),
  );
