/** Lays rows out as a table of text: texts to the left, numbers to the right. */
export const textTable = (columns, rows) => {
  const cells = rows.map((row) => columns.map(({ of }) => String(of(row))));
  const widths = columns.map(({ title }, at) =>
    Math.max(title.length, ...cells.map((line) => line[at].length)),
  );
  const line = (texts) =>
    texts
      .map((text, at) => (columns[at].left ? text.padEnd(widths[at]) : text.padStart(widths[at])))
      .join('  ')
      .trimEnd();
  return [
    line(columns.map(({ title }) => title)),
    line(widths.map((width) => '-'.repeat(width))),
    ...cells.map(line),
  ].join('\n');
};

const left = (title, of) => ({ title, of, left: true });
const number = (title, of) => ({ title, of, left: false });

/** The columns of the figures under load. */
export const LOAD_COLUMNS = [
  left('request', ({ name, everyMs }) => (everyMs > 0 ? `${name}, paced` : name)),
  left('server', ({ target }) => target),
  left('framing', ({ framing }) => framing),
  left('toolset', ({ toolset }) => (toolset ? 'yes' : '-')),
  number('conn', ({ connections }) => connections),
  number('bytes', ({ bytes }) => bytes),
  number('req/s', ({ perSecond }) => Math.round(perSecond)),
  number('of floor', ({ shareOfFloor }) => `${Math.round(shareOfFloor * 100)} %`),
  number('CPU us', ({ cpuUs }) => cpuUs.toFixed(1)),
  number('floor us', ({ floorCpuUs }) => floorCpuUs.toFixed(1)),
  number('x floor', ({ cpuOverFloor }) => cpuOverFloor.toFixed(2)),
  number('p50 ms', ({ p50Ms }) => p50Ms.toFixed(2)),
  number('p99 ms', ({ p99Ms }) => p99Ms.toFixed(2)),
  number('p99 added', ({ p99AddedMs }) => p99AddedMs.toFixed(2)),
];

/** The columns of the figures at rest. */
export const MEMORY_COLUMNS = [
  left('1,000 idle sessions', ({ target }) => target),
  number('heap MB', ({ heapMb }) => heapMb.toFixed(2)),
  number('rss MB', ({ rssMb }) => rssMb.toFixed(2)),
];

/** The columns of the verdicts. */
export const GOAL_COLUMNS = [
  left('goal', ({ goal }) => goal),
  number('wanted', ({ wanted }) => wanted),
  number('found', ({ found }) => found),
  left('reached', ({ reached }) => (reached ? 'yes' : 'NO')),
];
