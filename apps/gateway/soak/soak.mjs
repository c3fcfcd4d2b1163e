// Loads the gateway at a fixed rate with every kind of request while servers, files and the clock fail, and judges whether it grows.
// Exit code 0: it does not; 1: it grows, or requests failed. Linux only.
//
//   node soak/soak.mjs [--seconds 1800] [--rate 300] [--no-faults] [--seed 1] [--json <file>] [--gateway <cli.js>]
//     [--preload <module>]   a module for the process of the gateway, such as one that leaks
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { setTimeout as wait } from 'node:timers/promises';
import { CLI } from '../bench/gateway-process.mjs';
import { createFaultRunner, untilHealed } from './faults.mjs';
import { OpenLoop } from './open-loop.mjs';
import { seededRandom, weighted } from './random.mjs';
import { reportText } from './report.mjs';
import { endSession, openSession, REQUEST_KINDS } from './request-kinds.mjs';
import { rssFloor, takeSample } from './samples.mjs';
import { soakVerdict } from './verdict.mjs';
import { openWorld } from './world.mjs';

const { values: options } = parseArgs({
  allowNegative: true,
  options: {
    seconds: { type: 'string', default: '1800' },
    rate: { type: 'string', default: '300' },
    faults: { type: 'boolean', default: true },
    seed: { type: 'string', default: '1' },
    json: { type: 'string' },
    gateway: { type: 'string', default: CLI },
    preload: { type: 'string' },
  },
});
const seconds = Number(options.seconds);
const rate = Number(options.rate);
/** A sample every 20 seconds, and at least so many of them. */
const SAMPLES = Math.max(8, Math.round(seconds / 20));
const MAX_RUNNING = 150;
/** Ended sessions that the gateway remembers; a long run starts with all of them. */
const ENDED_SESSIONS = seconds < 120 ? 500 : 10_000;
const FILL_LANES = 16;

const random = seededRandom(Number(options.seed));
const world = await openWorld({ cli: options.gateway, random, preload: options.preload });
try {
  const outcome = await soak();
  process.stdout.write(reportText(outcome));
  if (options.json !== undefined) writeFileSync(options.json, JSON.stringify(outcome, null, 2));
  if (!outcome.passed) process.exitCode = 1;
} finally {
  await world.pool.destroy();
  await world.close();
}

async function soak() {
  const counts = Object.fromEntries(
    Object.keys(REQUEST_KINDS).map((kind) => [kind, { steps: 0, failures: 0 }]),
  );
  const faults = {};
  await untilHealed(world);
  await endSessions();
  const loop = new OpenLoop({ rate, maxRunning: MAX_RUNNING, step: stepper(counts) });
  const samples = await watch(loop, options.faults ? createFaultRunner(world, faults) : wait);
  const verdict = soakVerdict(samples, counts);
  const input = { seconds, rate, seed: Number(options.seed) };
  return { ...verdict, input, load: loop.figures, counts, faults, samples };
}

/** Fills the memory of ended sessions, which otherwise grows during the first quarter of an hour. */
async function endSessions() {
  const lane = async () => {
    for (let ended = 0; ended < ENDED_SESSIONS / FILL_LANES; ended += 1)
      await endSession(world, await openSession(world));
  };
  await Promise.all(Array.from({ length: FILL_LANES }, lane));
}

function stepper(counts) {
  const pick = weighted(
    Object.entries(REQUEST_KINDS).map(([kind, { share }]) => [share, kind]),
    random,
  );
  // A short run on a slow machine has a request of each kind too.
  const first = Object.keys(REQUEST_KINDS);
  return async () => {
    const kind = first.shift() ?? pick();
    const count = counts[kind];
    count.steps += 1;
    try {
      await REQUEST_KINDS[kind].run(world);
    } catch (error) {
      count.failures += 1;
      count.failure ??= error instanceof Error ? error.message : String(error);
      // A session may have been evicted.
      world.sessions = [];
    }
  };
}

async function watch(loop, runFaults) {
  const floor = rssFloor(world.gateway);
  const samples = [];
  const start = performance.now();
  const place = { ...world, directory: world.directory.path };
  for (let at = 1; at <= SAMPLES; at += 1) {
    const until = start + (at * seconds * 1000) / SAMPLES;
    loop.resume();
    if (options.faults) await runFaults(until);
    await wait(Math.max(0, until - performance.now()));
    await loop.pause();
    const sample = {
      second: (performance.now() - start) / 1000,
      ...(await takeSample(place, floor)),
    };
    samples.push(sample);
    process.stderr.write(`${progressText(sample)}\n`);
  }
  floor.close();
  return samples;
}

function progressText({ second, heapMb, rssMb, descriptors, timers, processes, stateFiles }) {
  return `${second.toFixed(0)} s: heap ${heapMb.toFixed(2)} MB, rss ${rssMb.toFixed(1)} MB, ${descriptors} descriptors, ${timers} timers, ${processes} processes, ${stateFiles} files`;
}
