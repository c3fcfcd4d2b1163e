import { textTable } from '../bench/table.mjs';

const COUNT_COLUMNS = [
  { title: 'requests', of: ({ kind }) => kind, left: true },
  { title: 'sent', of: ({ sent }) => sent },
  { title: 'failed', of: ({ failed }) => failed },
  { title: 'p50 ms', of: ({ p50 }) => p50.toFixed(0) },
  { title: 'p99 ms', of: ({ p99 }) => p99.toFixed(0) },
];

const GROWTH_COLUMNS = [
  { title: 'process', of: ({ replica }) => replica, left: true },
  { title: 'quantity', of: ({ title }) => title, left: true },
  { title: 'early', of: ({ first }) => first.toFixed(1) },
  { title: 'end', of: ({ last }) => last.toFixed(1) },
  { title: 'may grow by', of: ({ bound }) => bound },
  { title: 'verdict', of: ({ grows }) => (grows ? 'GROWS' : 'constant'), left: true },
];

const listed = (counts) =>
  Object.entries(counts)
    .map(([name, times]) => `${name} (${times})`)
    .join(', ') || 'none';

const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`;

const timesOf = (changes) => {
  const sorted = changes.map(({ ms }) => ms).toSorted((a, b) => a - b);
  if (sorted.length === 0) return 'none';
  const median = sorted[Math.floor(sorted.length / 2)];
  return `${sorted.length}, after ${seconds(median)} (median), at most ${seconds(sorted.at(-1))}`;
};

/** Returns the result of a run as text. */
export const reportText = ({ input, load, kinds, faults, failures, growth, ...rest }) => {
  const { failovers, settled, streams, problems, failoverBoundMs } = rest;
  return [
    textTable(COUNT_COLUMNS, kinds),
    '',
    `${load.started} requests, ${load.perSecond.toFixed(0)} per second of ${input.rate}, ${load.late} late; seed ${input.seed}, ${input.expose}`,
    `faults: ${listed(faults)}`,
    `failures that had to happen, by what was away: ${listed(failures.excused)}`,
    `other failures: ${failures.unexcused}`,
    ...failures.examples.map((example) => `  ${example}`),
    `new leaders after (at most ${seconds(failoverBoundMs)}): ${failovers.map(({ how, ms }) => `${seconds(ms)} (${how})`).join(', ') || 'none'}`,
    'changes of objects at all replicas,',
    `  while all replicas and the API server were up: ${timesOf(settled.filter(({ away }) => away.length === 0))}`,
    `  while one of them was away: ${timesOf(settled.filter(({ away }) => away.length > 0))}`,
    `streams: ${streams.opened} opened, ${streams.changes} announcements`,
    '',
    textTable(GROWTH_COLUMNS, growth),
    '',
    problems.length === 0 ? 'PASSED' : `FAILED:\n${problems.join('\n')}`,
    '',
  ].join('\n');
};
