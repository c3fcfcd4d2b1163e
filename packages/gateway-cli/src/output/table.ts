import { escapeToLine } from '@gateway/service-host';
import type { Look, Style } from './style.ts';
import { cutToWidth, textWidth } from './text-width.ts';

/** One column of a table. */
export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => string;
  readonly look?: (row: Row) => Look | undefined;
}

/** How a table is drawn. */
export interface TableOptions {
  readonly style: Style;
  /** The last column is cut where a line would be longer; absent where nobody needs it cut. */
  readonly columns?: number;
}

const GAP = '  ';
const NARROWEST = 8;

const padded = (text: string, width: number): string =>
  text + ' '.repeat(Math.max(0, width - textWidth(text)));

/** The rows as lines under a line of titles. Cells are one line each, and cannot steer a terminal. */
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
  const room = limit === undefined ? Infinity : Math.max(NARROWEST, limit - before);
  const line = (texts: readonly string[], look: (index: number) => Look | undefined): string =>
    texts
      .map((text, index) => {
        const shown = index === last ? cutToWidth(text, room) : padded(text, widths[index] ?? 0);
        const own = look(index);
        return own === undefined ? shown : style(own, shown);
      })
      .join(GAP)
      .trimEnd();
  const titles = columns.map(({ title }) => title);
  return [
    line(titles, () => 'bold'),
    ...rows.map((row, number) => line(cells[number] ?? [], (index) => columns[index]?.look?.(row))),
  ]
    .map((text) => `${text}\n`)
    .join('');
}
