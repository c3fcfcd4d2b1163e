import { textTable } from '../bench/table.mjs';

const COUNT_COLUMNS = [
  { title: 'kind of request', of: ({ kind }) => kind, left: true },
  { title: 'sent', of: ({ steps }) => steps },
  { title: 'failed', of: ({ failures }) => failures },
  { title: 'first failure', of: ({ failure = '' }) => failure.slice(0, 100), left: true },
];

const QUANTITY_COLUMNS = [
  { title: 'quantity', of: ({ title }) => title, left: true },
  { title: 'first', of: ({ first }) => first.toFixed(2) },
  { title: 'last', of: ({ last }) => last.toFixed(2) },
  { title: 'per hour', of: ({ perHour }) => perHour.toFixed(2) },
  {
    title: '95 % interval',
    of: ({ lowPerHour, highPerHour }) => `${lowPerHour.toFixed(2)} to ${highPerHour.toFixed(2)}`,
  },
  { title: 'growth', of: ({ growth }) => growth.toFixed(2) },
  { title: 'noise', of: ({ noise }) => noise },
  { title: 'verdict', of: ({ grows }) => (grows ? 'GROWS' : 'constant'), left: true },
];

/** Returns the result of a run as text. */
export const reportText = ({ input, load, counts, faults, quantities, problems }) => {
  const rows = Object.entries(counts).map(([kind, count]) => ({ kind, ...count }));
  const happened = Object.entries(faults).map(([name, times]) => `${name} (${times})`);
  const { started, late, perSecond } = load;
  return [
    textTable(COUNT_COLUMNS, rows),
    '',
    `${started} requests in ${input.seconds} s, ${perSecond.toFixed(0)} per second of ${input.rate}, ${late} late; seed ${input.seed}`,
    `faults: ${happened.join(', ') || 'none'}`,
    '',
    textTable(QUANTITY_COLUMNS, quantities),
    '',
    problems.length === 0 ? 'PASSED: nothing grows.' : `FAILED: ${problems.join('; ')}.`,
    '',
  ].join('\n');
};
