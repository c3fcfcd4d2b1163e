import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { holdingsOf } from '../bench/faults/leaks.mjs';

const MB = 1024 * 1024;
const POLL_MS = 250;
const SETTLE_MS = 500;

const entriesOf = (directory) => {
  try {
    return readdirSync(directory, { recursive: true, withFileTypes: true });
  } catch {
    return [];
  }
};

const sizeOf = (file) => {
  try {
    return statSync(file).size;
  } catch {
    // Replaced in the meantime.
    return 0;
  }
};

const filesOf = (directory) =>
  entriesOf(directory)
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => ({ name, size: sizeOf(join(parentPath, name)) }));

const megabytes = (files) => files.reduce((sum, { size }) => sum + size, 0) / MB;

/** Follows the resident memory of a process and returns its floor since the last question. */
export const rssFloor = (gateway) => {
  let floor = Infinity;
  const poll = async () => {
    floor = Math.min(floor, await gateway.ask('rss'));
  };
  const timer = setInterval(() => void poll().catch(() => undefined), POLL_MS);
  return {
    take: async () => {
      await poll();
      const taken = floor;
      floor = Infinity;
      return taken;
    },
    close: () => clearInterval(timer),
  };
};

/**
 * Measures a gateway that serves no request.
 *
 * @param known ports whose connections come and go
 */
export const takeSample = async ({ gateway, directory, known }, floor) => {
  const rss = await floor.take();
  await wait(SETTLE_MS);
  const { heapUsed, external } = await gateway.ask('memory');
  const { processes, files, pipes, sockets, others } = holdingsOf(gateway.pid, known);
  const all = filesOf(directory);
  const logs = all.filter(({ name }) => name.endsWith('.jsonl'));
  const stored = all.filter(({ name }) => !name.endsWith('.jsonl'));
  return {
    heapMb: (heapUsed + external) / MB,
    rssMb: rss / MB,
    descriptors: files + pipes + sockets + others,
    timers: await gateway.ask('timers'),
    processes,
    stateFiles: stored.length,
    stateMb: megabytes(stored),
    logMb: megabytes(logs),
  };
};
