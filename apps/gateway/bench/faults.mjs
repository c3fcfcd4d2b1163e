// Lets servers, disk and clock fail beside well-behaved servers under a steady load: measures the reported state, leaks
// and the latency of the other servers. Linux only.
//
//   node bench/faults.mjs [--quick] [--only <words>] [--json <file>] [--disk tmpfs|limit] [--gateway <cli.js>]
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { setTimeout as wait } from 'node:timers/promises';
import { localFaults } from './faults/local-faults.mjs';
import { REMOTE_FAULTS } from './faults/remote-faults.mjs';
import { openWorld } from './faults/world.mjs';
import { CLI } from './gateway-process.mjs';
import { textTable } from './table.mjs';

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    json: { type: 'string' },
    disk: { type: 'string' },
    gateway: { type: 'string', default: CLI },
  },
});
const { quick } = options;
/** Minimum duration of a fault, in which latencies are measured. */
const LEAST_MS = quick ? 0 : 5_000;
/** The baseline without a fault. */
const CALM = { name: undefined, run: () => wait(quick ? 1_000 : 5_100).then(() => ({})) };
const REMOTES = ['clocked-forward', 'clocked-back', 'filled', 'locked'].concat(
  Object.values(REMOTE_FAULTS).map(({ name }) => name),
);

const faults = Object.entries({
  'no fault': CALM,
  ...REMOTE_FAULTS,
  ...localFaults(quick ? 3 : 50),
}).filter(([what]) => what === 'no fault' || what.includes(options.only));

const world = await openWorld({ cli: options.gateway, remotes: REMOTES, disk: options.disk });
try {
  report(await everyFault());
} finally {
  await world.close();
}

async function everyFault() {
  const before = await world.timers();
  const rows = [];
  for (const [what, fault] of faults) {
    const row = await one(what, fault);
    row.leaked = await world.leaked();
    process.stderr.write(`${what}: ${row.seconds.toFixed(1)} s, ${row.problem ?? 'done'}\n`);
    rows.push(row);
  }
  return { disk: world.disk.kind, rows, moreTimers: (await world.timers()) - before };
}

async function one(what, { name, run }) {
  const { operator, load } = world;
  load.begin();
  const start = performance.now();
  let facts;
  do {
    facts = await run(world).catch((error) => ({ problem: error.message }));
    if (name !== undefined) await operator.textOf('core_service_stop', { name });
  } while (facts.problem === undefined && performance.now() - start < LEAST_MS);
  await load.answered();
  const figures = load.end();
  const seconds = (performance.now() - start) / 1000;
  const events = name === undefined ? {} : countsOf(await operator.events(name));
  return { what, name, seconds, ...figures, problem: facts.problem, facts, events };
}

/** Returns the number of events by reason. */
function countsOf(events) {
  const counts = {};
  for (const { reason, count = 1 } of events) counts[reason] = (counts[reason] ?? 0) + count;
  return counts;
}

function report(outcome) {
  const ms = (key) => ({ title: `${key} ms`, of: (row) => row[key].toFixed(1) });
  const columns = [
    { title: 'fault', of: ({ what }) => what, left: true },
    { title: 'seconds', of: ({ seconds }) => seconds.toFixed(1) },
    { title: 'calls of others', of: ({ calls }) => calls },
    { title: 'failed', of: ({ failures }) => failures },
    ms('p50'),
    ms('p99'),
    ms('max'),
    {
      title: 'left behind',
      of: ({ leaked }) => Object.keys(leaked).join() || 'nothing',
      left: true,
    },
  ];
  process.stdout.write(
    `${textTable(columns, outcome.rows)}\n\ntimers: ${outcome.moreTimers} more than before\n`,
  );
  if (options.json !== undefined) writeFileSync(options.json, JSON.stringify(outcome, null, 2));
}
