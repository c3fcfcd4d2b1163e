import { setTimeout as wait } from 'node:timers/promises';
import { ask, openSession } from './mcp-client.mjs';
import { cpuMsOf } from './process-usage.mjs';
import { addRound, entriesOf, figuresOf, round } from './rounds.mjs';

const ASK_EVERY_MS = 20;
const COMPLETE_MS = 60_000;

/** Waits until a server lists every tool of its world. @throws {Error} when it does not do so in a minute */
export const untilComplete = async ({ url }, subject, world) => {
  const deadline = performance.now() + COMPLETE_MS;
  const headers = await openSession(url);
  const wanted = subject.toolsOf(world);
  for (;;) {
    const text = await ask(url, headers, subject.list);
    const listed = text.match(subject.listed)?.length ?? 0;
    if (listed >= wanted) return;
    if (performance.now() > deadline) throw new Error(`lists ${listed} of ${wanted} tools`);
    await wait(ASK_EVERY_MS);
  }
};

const startOnce = async ({ subject, node }, world) => {
  const started = await subject.start({ node: node.path, world });
  try {
    await untilComplete(started, subject, world);
    const wallMs = performance.now() - started.startedAt;
    return { wallMs, cpuMs: cpuMsOf(started.pid) };
  } finally {
    await started.stop();
  }
};

const measureWorld = async (run, world) => {
  const entries = entriesOf(run, (subject) => subject.unable?.(world, 'start'));
  // Files are read for the first time, and caches on disk are written.
  await round(entries, 0, (entry) => startOnce(entry, world));
  for (let number = 1; number <= run.times.rounds; number += 1) {
    await round(entries, number, async (entry) => {
      const { cpuMs, wallMs } = await startOnce(entry, world);
      addRound(entry, { [`start-${world.id}-cpu`]: cpuMs, [`start-${world.id}-wall`]: wallMs });
    });
    run.report(`start, ${world.servers} servers: round ${number} of ${run.times.rounds}`);
  }
  return figuresOf(entries, [`start-${world.id}-cpu`, `start-${world.id}-wall`]);
};

/** Measures the first answer after a start. */
export const measureStart = async (run) => [
  ...(await measureWorld(run, run.worlds.one)),
  ...(await measureWorld(run, run.worlds.many)),
];
