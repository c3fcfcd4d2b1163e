// Loads three replicas of the gateway in a cluster while the API server, etcd, Redis, replicas, servers and objects fail and change, and judges
// whether a request failed that did not have to, and whether the replicas end as a fresh process starts.
// Exit code 0: none did, and they do. Linux only.
//
//   npm run chaos -- [--minutes 10] [--rate 40] [--seed 1] [--expose native|meta] [--json <file>] [--gateway <cli.js>]
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { setTimeout as wait } from 'node:timers/promises';
import { OpenLoop } from '../soak/open-loop.mjs';
import { seededRandom, weighted } from '../soak/random.mjs';
import { CHECKS } from './checks.mjs';
import { OBJECT_FAULTS, runFaults, SHARED_FAULTS } from './faults.mjs';
import { growthOf } from './growth.mjs';
import { CLI } from './replicas.mjs';
import { reportText } from './report.mjs';
import { openSession, REQUEST_KINDS } from './request-kinds.mjs';
import { takeSamples } from './samples.mjs';
import { FollowedStream } from './streams.mjs';
import { openWorld } from './world.mjs';

const { values: options } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    rate: { type: 'string', default: '40' },
    seed: { type: 'string', default: '1' },
    expose: { type: 'string', default: 'native' },
    json: { type: 'string' },
    gateway: { type: 'string', default: CLI },
  },
});
const input = {
  seconds: Number(options.minutes) * 60,
  rate: Number(options.rate),
  seed: Number(options.seed),
  expose: options.expose,
};
const MAX_RUNNING = 150;
/** A request that takes longer is reported on standard error. */
const SLOW_MS = 3_000;
const SESSIONS = 12;
const STREAMS = 8;
/** Time between samples, and at least so many of them. */
const SAMPLE_SECONDS = 15;
const LEAST_SAMPLES = 10;
/** Load before the first fault and after the last one. */
const CALM_MS = 3_000;
const SHARED_PAUSE_MS = 2_000;
const OBJECT_PAUSE_MS = 500;
const FAILOVER_BOUND_MS = 20_000;

const world = await openWorld({
  cli: options.gateway,
  expose: input.expose,
  random: seededRandom(input.seed),
});
try {
  const outcome = await chaos();
  process.stdout.write(reportText(outcome));
  if (options.json !== undefined) writeFileSync(options.json, JSON.stringify(outcome, null, 2));
  if (outcome.problems.length > 0) process.exitCode = 1;
} finally {
  await world.close();
}

async function chaos() {
  world.sessions = [];
  while (world.sessions.length < SESSIONS) world.sessions.push(await openSession(world));
  world.streams = world.sessions.slice(0, STREAMS).map((id) => new FollowedStream(world, id));
  const kinds = usedKinds();
  const loop = new OpenLoop({ rate: input.rate, maxRunning: MAX_RUNNING, step: stepper(kinds) });
  const faults = {};
  loop.resume();
  const sampling = new AbortController();
  const sampled = sample(sampling.signal);
  await wait(CALM_MS);
  let problems;
  let samples;
  try {
    problems = await disturb(faults);
    await wait(CALM_MS);
    problems.push(...(await finalProblems()));
  } finally {
    sampling.abort();
    samples = await sampled;
    await loop.pause();
    await Promise.all(world.streams.map((stream) => stream.stop()));
  }
  const growth = growthOf(samples, samples.at(-1).second);
  const { excused, unexcused, examples } = world.failures;
  return {
    ...{ input, load: loop.figures, kinds: kinds.map(figuresOf), faults, samples, growth },
    failures: { excused, unexcused, examples },
    ...{ failovers: world.failovers, failoverBoundMs: FAILOVER_BOUND_MS },
    settled: world.settled,
    streams: {
      opened: world.streams.reduce((sum, { opened }) => sum + opened, 0),
      changes: world.streams.reduce((sum, { changes }) => sum + changes, 0),
    },
    problems: [...problems, ...judged(growth)],
  };
}

/** Runs both series of faults at once. Returns why one of them ended early. */
async function disturb(counts) {
  const until = performance.now() + input.seconds * 1000;
  const series = [
    [SHARED_FAULTS, SHARED_PAUSE_MS],
    [OBJECT_FAULTS, OBJECT_PAUSE_MS],
  ];
  const outcomes = await Promise.allSettled(
    series.map(([faults, pauseMs], at) => {
      const own = { ...world, random: seededRandom(input.seed * 2 + at) };
      return runFaults(own, faults, { until, counts, pauseMs });
    }),
  );
  return outcomes.flatMap(({ reason }) => (reason === undefined ? [] : [reason.message]));
}

/** Calls with the load what a process needs that has seen nothing of the run. */
async function finalProblems() {
  const found = [];
  for (const check of Object.values(CHECKS)) found.push(...(await check(world)));
  const orphans = world.replicas.flatMap((replica) => replica.orphans);
  const crashes = world.replicas.flatMap((replica) => replica.crashes);
  return [
    ...found,
    ...orphans.map((command) => `still runs without its gateway: ${command}`),
    ...crashes.map((words) => `a gateway ended by itself: ${words}`),
  ];
}

function judged(growth) {
  const grown = growth.filter(({ grows }) => grows);
  const late = world.failovers.filter(({ ms }) => ms > FAILOVER_BOUND_MS);
  const { unexcused } = world.failures;
  return [
    ...grown.map(({ replica, title }) => `${title} of ${replica} grows`),
    ...late.map(({ ms }) => `a new leader after ${Math.round(ms)} ms`),
    ...(unexcused === 0 ? [] : [`${unexcused} requests failed that did not have to`]),
  ];
}

function usedKinds() {
  return Object.entries(REQUEST_KINDS)
    .filter(([, { isMeta = false }]) => !isMeta || input.expose === 'meta')
    .map(([kind, { share, draw }]) => ({ kind, share, draw, sent: 0, failed: 0, times: [] }));
}

function stepper(kinds) {
  const pick = weighted(
    kinds.map((kind) => [kind.share, kind]),
    world.random,
  );
  return async () => {
    const kind = pick();
    const { needs, run } = kind.draw(world);
    const from = performance.now();
    kind.sent += 1;
    try {
      await run();
    } catch (error) {
      kind.failed += 1;
      world.failures.count({ kind: kind.kind, from, needs }, error);
    }
    const ms = performance.now() - from;
    kind.times.push(ms);
    if (ms > SLOW_MS) process.stderr.write(slowText({ kind: kind.kind, needs, ms }));
  };
}

function slowText({ kind, needs = [], ms }) {
  const away = world.outages.open.join(', ') || 'nothing';
  return `${new Date().toISOString()} slow: ${kind} (${needs}), ${Math.round(ms)} ms, away: ${away}\n`;
}

function figuresOf({ kind, sent, failed, times }) {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share) => sorted[Math.floor(sorted.length * share)] ?? 0;
  return { kind, sent, failed, p50: at(0.5), p99: at(0.99) };
}

async function sample(signal) {
  const everySeconds = Math.min(SAMPLE_SECONDS, input.seconds / LEAST_SAMPLES);
  const start = performance.now();
  const samples = [];
  while (!signal.aborted) {
    await wait(everySeconds * 1000, undefined, { signal }).catch(() => undefined);
    samples.push(await takeSamples(world, (performance.now() - start) / 1000));
    process.stderr.write(`${progressText(samples.at(-1))}\n`);
  }
  return samples;
}

function progressText({ second, redisKeys, replicas }) {
  const memory = replicas.map(({ replica, heapMb, rssMb, descriptors }) =>
    [replica, `${heapMb.toFixed(1)} MB`, `rss ${rssMb.toFixed(0)} MB`, `${descriptors} fds`].join(
      ' ',
    ),
  );
  const away = world.outages.open.join(', ') || 'nothing';
  return `${second.toFixed(0)} s: ${memory.join('; ')}; ${redisKeys} keys; away: ${away}; unexcused ${world.failures.unexcused}`;
}
