import { escapeToLine } from '@gateway/service-host';
import type { TextStyle, Style } from './style.ts';
import { truncateToWidth, textWidth } from './text-width.ts';

/** One column of a table. */
export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => string;
  readonly style?: (row: Row) => TextStyle | undefined;
}

/** Options of {@link table}. */
export interface TableOptions {
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
