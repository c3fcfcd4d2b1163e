import { textTable } from '../table.mjs';
import {
  figureOf,
  figureText,
  goalText,
  missingFigures,
  ratioText,
  reachedText,
} from './cells.mjs';
import { ROWS } from './rows.mjs';

const COLUMNS = [
  { title: 'row', of: ({ row }) => row.title.replaceAll('`', ''), left: true },
  { title: 'node', of: ({ node }) => node },
  { title: 'server', of: ({ subject }) => subject.title, left: true },
  { title: 'median (min–max)', of: ({ figure, row }) => figureText(figure, row) },
  { title: 'x bare', of: ({ run, figure, row }) => ratioText(run, figure, row) },
  { title: 'goal', of: ({ row, subject }) => (subject.id === 'gateway' ? goalText(row) : '') },
  {
    title: 'reached',
    of: ({ run, row, figure, subject }) =>
      subject.id === 'gateway' ? reachedText(run, figure, row) : '',
    left: true,
  },
];

/** Returns a run as a table of text, and the reasons for figures that do not exist. */
export const runTable = (run) => {
  const lines = ROWS.flatMap((row) =>
    run.nodes.flatMap(({ major: node }) =>
      run.subjects.flatMap((subject) => {
        const figure = figureOf(run, { row: row.id, subject: subject.id, node });
        return figure === undefined ? [] : [{ run, row, node, subject, figure }];
      }),
    ),
  );
  return [textTable(COLUMNS, lines), ...missingFigures(run)].join('\n');
};
