/** The rows of the table, as data. `goal` bounds the figure, or the ratio to the baseline; `why` gives the reason of its bound. */

const ONE = '1 server';
const MANY = '81 servers';

const STARTED =
  'From the start of the process to the first answer that lists every tool; a client asks every 20 ms. The first start is not counted.';
const AT_REST =
  'processor time of a process without clients, some time after its tools are complete';
const MEMORY = 'resident memory of the same process at the end of each stretch';

/** How the configuration of many servers is made up; see `worlds.mjs`. */
export const WORLDS_TEXT =
  '1 server has 100 tools; 81 servers have 300, and there are 150 workflows. They are one process that answers at once over HTTP.';

/** The groups that `--rows` takes, with what a run of each measures. */
export const GROUPS = {
  start: 'the first answer after a start',
  rest: 'processor time and memory at rest',
  session: 'opening sessions',
  call: 'proxied calls',
  describe: 'calls that the gateway answers itself',
};

export const ROWS = [
  {
    id: 'start-one-cpu',
    group: 'start',
    title: `start, ${ONE}: CPU`,
    unit: 'ms',
    goal: {
      figure: 250,
      why: 'the implementation in Go needed 87 ms; the bound is below three times that',
    },
    definition: STARTED,
  },
  {
    id: 'start-one-wall',
    group: 'start',
    title: `start, ${ONE}: wall`,
    unit: 'ms',
    definition: STARTED,
  },
  {
    id: 'start-many-cpu',
    group: 'start',
    title: `start, ${MANY}: CPU`,
    unit: 'ms',
    definition: STARTED,
  },
  {
    id: 'start-many-wall',
    group: 'start',
    title: `start, ${MANY}: wall`,
    unit: 'ms',
    goal: { figure: 1_000, why: 'the implementation in Go needed 0.3 to 0.7 s' },
    definition: STARTED,
  },
  {
    id: 'rest-one',
    group: 'rest',
    title: 'CPU at rest, 1 server',
    unit: '%',
    hasRatio: false,
    goal: { figure: 0.1, why: 'a third of the bound for 81 servers' },
    definition: `Share of a core: ${AT_REST}.`,
  },
  {
    id: 'rest-many',
    group: 'rest',
    title: 'CPU at rest, 81 servers',
    unit: '%',
    hasRatio: false,
    goal: { figure: 0.3, why: 'the implementation in Go needed 1.4 %' },
    definition: `Share of a core: ${AT_REST}.`,
  },
  {
    id: 'rss-one',
    group: 'rest',
    title: 'RSS at rest, 1 server',
    unit: 'MB',
    goal: { figure: 60, why: 'the implementation in Go needed 55 MB' },
    definition: `The ${MEMORY}.`,
  },
  {
    id: 'rss-many',
    group: 'rest',
    title: 'RSS at rest, 81 servers',
    unit: 'MB',
    goal: { figure: 85, why: 'the implementation in Go needed 59 MB' },
    definition: `The ${MEMORY}.`,
  },
  {
    id: 'session',
    group: 'session',
    title: 'opening a session: CPU',
    unit: 'µs',
    goal: { figure: 250, why: 'the implementation in Go needed 340 to 380 µs' },
    definition:
      'Processor time for `initialize` and `notifications/initialized`, on eight persistent connections after a warm-up.',
  },
  {
    id: 'call',
    group: 'call',
    title: 'proxied call: CPU',
    unit: 'µs',
    goal: {
      ratio: 1.25,
      why: 'bare Node parses, sends and writes the same JSON, so a quarter of its time is left for sessions, access, limits and records; the implementation in Go needed 4.5x',
    },
    definition:
      'Processor time for a `tools/call` that a server answers with 1 KB, on 16 persistent connections with a session each, after a warm-up. ' +
      'Bare Node is `node:http` with `undici` behind it.',
  },
  {
    id: 'describe',
    group: 'describe',
    title: '`describe_tool`: CPU',
    unit: 'µs',
    goal: {
      ratio: 1.15,
      why: 'bare Node parses the same request and writes the same answer, so 15 % of its time is left for sessions, access, limits and records; the implementation in Go needed 19x',
    },
    definition:
      'Processor time for a call of `describe_tool`, in the same way. Bare Node is `node:http`, which writes the same answer.',
  },
];

export const titleOf = (id) => ROWS.find((row) => row.id === id).title;
