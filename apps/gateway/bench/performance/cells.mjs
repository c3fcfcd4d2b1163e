import { titleOf } from './rows.mjs';
import { ratiosOf, spreadOf } from './statistics.mjs';

/** Returns a number with two to three digits that count. */
export const numberText = (value) => {
  if (value >= 1_000) return Math.round(value).toLocaleString('en-US');
  return value.toFixed(value >= 100 ? 0 : value >= 10 ? 1 : 2);
};

const spread = (values, unit) => {
  const { median, min, max } = spreadOf(values);
  return `${numberText(median)}${unit} (${numberText(min)}–${numberText(max)})`;
};

/** Returns the figure of a row, a subject and a Node. */
export const figureOf = ({ figures }, { row, subject, node }) =>
  figures.find(
    (figure) => figure.row === row && figure.subject === subject && figure.node === node,
  );

/** Returns the ratios of a figure to that of bare Node, by round. */
const ratios = (run, figure, { hasRatio = true }) => {
  if (!hasRatio) return undefined;
  const bare = figureOf(run, { ...figure, subject: 'bare' });
  return figure.rounds && bare?.rounds && ratiosOf(figure.rounds, bare.rounds);
};

/** Returns a figure as text: median, least and largest. */
export const figureText = (figure, { unit }) => {
  if (figure === undefined) return '';
  return figure.rounds === undefined ? 'no' : spread(figure.rounds, ` ${unit}`);
};

/** Returns the median of the ratios to bare Node as text, a dash when the baseline is too small to divide by. */
export const ratioText = (run, figure, row) => {
  if (figure?.rounds === undefined) return '';
  const values = ratios(run, figure, row);
  return values === undefined ? '–' : `${numberText(spreadOf(values).median)}x`;
};

/** Returns the goal of a row as text. */
export const goalText = ({ goal, unit }) => {
  if (goal?.figure !== undefined) return `${numberText(goal.figure)} ${unit}`;
  return goal?.ratio === undefined ? '–' : `${numberText(goal.ratio)}x`;
};

/** Returns whether the gateway reaches the goal of a row: `yes`, `no`, or a dash without goal or figure. */
export const reachedText = (run, figure, row) => {
  const { goal } = row;
  if (goal === undefined || figure?.rounds === undefined) return '–';
  const values = goal.ratio === undefined ? figure.rounds : ratios(run, figure, row);
  if (values === undefined) return '–';
  return spreadOf(values).median <= (goal.ratio ?? goal.figure) ? 'yes' : 'no';
};

/** Returns the reasons for figures that do not exist, one text for all rows of a subject with the same reason. */
export const missingFigures = ({ figures, subjects }) =>
  subjects.flatMap(({ id, title }) => {
    const missing = figures.filter(({ subject, no }) => subject === id && no !== undefined);
    const measured = new Set(figures.map(({ row }) => row));
    return [...new Set(missing.map(({ no }) => no))].map((reason) => {
      const rows = [...new Set(missing.filter(({ no }) => no === reason).map(({ row }) => row))];
      const which = rows.length === measured.size ? 'every row' : rows.map(titleOf).join('; ');
      return `${title}, ${which}: ${reason}.`;
    });
  });
