// Loads the gateway in every answer mode at once and watches its memory.
//
//   node bench/soak.mjs [--seconds 600] [--mode "2026-07-28"] [--json <file>] [--gateway <cli.js>]
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { setTimeout as wait } from 'node:timers/promises';
import { Pool } from 'undici';
import { CLI } from './gateway-process.mjs';
import { Gate } from './soak-gate.mjs';
import { MODES } from './soak-modes.mjs';
import { soakVerdict } from './soak-verdict.mjs';
import { textTable } from './table.mjs';
import { Targets } from './targets.mjs';

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '600' },
    mode: { type: 'string' },
    json: { type: 'string' },
    gateway: { type: 'string', default: CLI },
  },
});
const WORKERS = 2;
const SAMPLES = 24;
const MB = 1024 * 1024;
/** Tolerance between two measurements of the same memory. */
const BOUNDS = { heapMb: 2, rssMb: 12 };

const seconds = Number(options.seconds);
const modes = Object.keys(MODES).filter((mode) => [undefined, mode].includes(options.mode));
const targets = new Targets(options.gateway);
try {
  report(await soak());
} finally {
  await targets.close();
}

async function soak() {
  const gateway = await targets.get('gateway, few sessions');
  const counts = Object.fromEntries(modes.map((mode) => [mode, { steps: 0, failures: 0 }]));
  const stopped = new AbortController();
  const gate = new Gate(modes.length * WORKERS);
  const workers = modes.flatMap((mode) =>
    Array.from({ length: WORKERS }, () =>
      work(MODES[mode], counts[mode], { url: gateway.url, gate, signal: stopped.signal }),
    ),
  );
  const samples = await watch(gateway, gate);
  stopped.abort();
  await Promise.all(workers);
  return { seconds, counts, samples, ...soakVerdict(samples, BOUNDS) };
}

async function work(step, count, { url, gate, signal }) {
  const world = { pool: new Pool(new URL(url).origin, { connections: 2 }) };
  for (let turn = 0; !signal.aborted; turn += 1) {
    await gate.pass();
    try {
      await step(world, turn);
      count.steps += 1;
    } catch (error) {
      count.failures += 1;
      count.failure ??= error instanceof Error ? error.message : String(error);
      // The session may have been evicted.
      world.session = undefined;
      await wait(10);
    }
  }
  await world.pool.destroy();
}

async function watch({ ask }, gate) {
  const samples = [];
  const start = performance.now();
  for (let at = 1; at <= SAMPLES; at += 1) {
    await wait(Math.max(0, start + (at * seconds * 1000) / SAMPLES - performance.now()));
    const rss = await ask('rss');
    await gate.close();
    const { heapUsed, external } = await ask('memory');
    gate.open();
    const second = (performance.now() - start) / 1000;
    samples.push({ second, rss: rss / MB, heap: (heapUsed + external) / MB });
    process.stderr.write(
      `${second.toFixed(0)} s: rss ${(rss / MB).toFixed(1)} MB, heap ${samples.at(-1).heap.toFixed(1)} MB\n`,
    );
  }
  return samples;
}

function report(outcome) {
  const rows = Object.entries(outcome.counts).map(([mode, count]) => ({ mode, ...count }));
  const columns = [
    { title: 'mode', of: ({ mode }) => mode, left: true },
    { title: 'steps', of: ({ steps }) => steps },
    { title: 'failures', of: ({ failures }) => failures },
    { title: 'first failure', of: ({ failure = '' }) => failure.slice(0, 100), left: true },
  ];
  const { heapGrowthMb, heapMbPerMinute, rssGrowthMb, rssMbPerMinute, grows } = outcome;
  const line = (name, mb, perMinute) =>
    `${name}: ${mb.toFixed(2)} MB more in the second half, ${perMinute.toFixed(2)} MB a minute`;
  process.stdout.write(
    [
      textTable(columns, rows),
      '',
      line('heap after collection', heapGrowthMb, heapMbPerMinute),
      line('floor of rss', rssGrowthMb, rssMbPerMinute),
      grows ? 'It GROWS.' : 'It does not grow.',
      '',
    ].join('\n'),
  );
  if (options.json !== undefined) writeFileSync(options.json, JSON.stringify(outcome));
  if (grows) process.exitCode = 1;
}
