/** The figures to reach, each against the rows of a run. */

const percent = (share) => `${Math.round(share * 100)} %`;

const isGateway = ({ target }) => target === 'gateway';
const atFull = ({ everyMs }) => everyMs === 0;
const sixteen = (row) => row.connections === 16 && atFull(row);

const worst = (rows, figure) => Math.max(...rows.map(figure));
const least = (rows, figure) => Math.min(...rows.map(figure));

const inside = (load, framing) =>
  load.filter(
    (row) =>
      row.name === 'describe_tool' && row.framing === framing && isGateway(row) && sixteen(row),
  );
const proxied = (load) =>
  load.filter((row) => row.name === 'call_tool, HTTP, 1 KB' && isGateway(row) && sixteen(row));
const large = (load) => load.filter(({ name }) => name === 'call_tool, HTTP, 100 KB');
const stock = (load, target) =>
  load.filter((row) => row.name === 'describe_tool' && row.target === target && sixteen(row));

/** The goals: the rows that each evaluates, and its figure. */
const GOALS = [
  ...['session', 'sessionless', 'modern'].map((framing) => ({
    goal: `tools/call inside, ${framing}: share of the floor`,
    rows: ({ load }) => inside(load, framing),
    found: (rows) => least(rows, ({ cpuOverFloor }) => 1 / cpuOverFloor),
    atLeast: 0.7,
    show: percent,
  })),
  ...[
    ['sdk-session', 'session'],
    ['sdk-handler', 'modern'],
  ].map(([target, framing]) => ({
    goal: `tools/call inside, ${framing}: times the SDK's stock entry`,
    rows: ({ load }) => [stock(load, target)[0], inside(load, framing)[0]].filter(Boolean),
    found: ([sdk, own]) => (own === undefined ? Number.NaN : sdk.cpuUs / own.cpuUs),
    atLeast: 8,
    show: (times) => times.toFixed(1),
  })),
  {
    goal: 'call_tool over HTTP: share of the reverse proxy',
    rows: ({ load }) => proxied(load),
    found: (rows) => least(rows, ({ cpuOverFloor }) => 1 / cpuOverFloor),
    atLeast: 0.7,
    show: percent,
  },
  {
    goal: 'call_tool over HTTP, 16 connections, paced: p99 added, ms',
    rows: ({ load }) => load.filter((row) => isGateway(row) && !atFull(row)),
    found: (rows) => worst(rows, ({ p99AddedMs }) => p99AddedMs),
    atMost: 2,
    show: (ms) => ms.toFixed(2),
  },
  {
    goal: 'call_tool over HTTP, 16 connections, saturated: p99 added, ms',
    rows: ({ load }) => proxied(load),
    found: (rows) => worst(rows, ({ p99AddedMs }) => p99AddedMs),
    atMost: 2,
    show: (ms) => ms.toFixed(2),
  },
  {
    goal: '100 KB results: times the CPU of the floor',
    rows: ({ load }) => large(load),
    found: (rows) => worst(rows, ({ cpuOverFloor }) => cpuOverFloor),
    atMost: 1.3,
    show: (times) => times.toFixed(2),
  },
  {
    goal: '1,000 idle sessions, MB of heap',
    rows: ({ memory }) => memory.filter(({ target }) => target === 'gateway, idle'),
    found: (rows) => worst(rows, ({ heapMb }) => heapMb),
    atMost: 10,
    show: (mb) => mb.toFixed(2),
  },
];

/**
 * The verdicts. Shares compare processor time for each request: what one core can carry, whoever else uses the machine.
 *
 * @param figures the rows: `load` and `memory`
 */
export const verdicts = (figures) =>
  GOALS.flatMap(({ goal, rows, found, atLeast, atMost, show }) => {
    const looked = rows(figures);
    if (looked.length === 0) return [];
    const figure = found(looked);
    const reached = atLeast === undefined ? figure <= atMost : figure >= atLeast;
    const wanted = atLeast === undefined ? `<= ${show(atMost)}` : `>= ${show(atLeast)}`;
    return [{ goal, wanted, found: show(figure), figure, reached }];
  });
