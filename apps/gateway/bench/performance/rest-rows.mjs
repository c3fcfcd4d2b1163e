import { setTimeout as wait } from 'node:timers/promises';
import { cpuMsOf, rssMbOf } from './process-usage.mjs';
import { addRound, attempt, entriesOf, figuresOf } from './rounds.mjs';
import { untilComplete } from './start-rows.mjs';

const startEntry = (world) => async (entry) => {
  const { subject, node } = entry;
  entry.process = await subject.start({ node: node.path, world });
  await untilComplete(entry.process, subject, world);
};

const read = async (entry) => {
  entry.before = { cpuMs: cpuMsOf(entry.process.pid), at: performance.now() };
};

/** Adds the share of a core since the last reading, in percent, and the memory. */
const addReading = (id) => async (entry) => {
  const { cpuMs, at } = entry.before;
  await read(entry);
  const share = (entry.before.cpuMs - cpuMs) / (entry.before.at - at);
  addRound(entry, { [`rest-${id}`]: share * 100, [`rss-${id}`]: rssMbOf(entry.process.pid) });
};

const eachEntry = async (worlds, workOf) => {
  for (const { world, entries } of worlds)
    for (const entry of entries) await attempt(entry, workOf(world));
};

/** Measures all processes in the same minutes: at rest they do not disturb each other. */
export const measureRest = async (run) => {
  const { rounds, settleMs, restMs } = run.times.rest;
  const worlds = Object.values(run.worlds).map((world) => ({
    world,
    entries: entriesOf(run, (subject) => subject.unable?.(world, 'rest')),
  }));
  try {
    await eachEntry(worlds, startEntry);
    run.report(`at rest: ${rounds} stretches of ${restMs / 1000} s`);
    await wait(settleMs);
    await eachEntry(worlds, () => read);
    for (let number = 1; number <= rounds; number += 1) {
      await wait(restMs);
      await eachEntry(worlds, ({ id }) => addReading(id));
      run.report(`at rest: stretch ${number} of ${rounds}`);
    }
  } finally {
    const processes = worlds.flatMap(({ entries }) => entries.map((entry) => entry.process));
    await Promise.all(processes.map((process) => process?.stop()));
  }
  return worlds.flatMap(({ world: { id }, entries }) =>
    figuresOf(entries, [`rest-${id}`, `rss-${id}`]),
  );
};
