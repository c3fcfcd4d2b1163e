// Measures round trips over a link against round trips over `process.send`, side by side.
//
//   node bench/link.mjs [--rounds 9] [--json]
//
// Round trips per second depend on what else the machine does. The processor time of both processes for each round trip does not.
import { fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { connectLink, createChannel, NEVER_ABORTED, portToChild } from '../dist/index.js';

const { values: options } = parseArgs({
  options: { rounds: { type: 'string', default: '9' }, json: { type: 'boolean', default: false } },
});
const TEXT = JSON.stringify({ call: { server: 's', tool: 't', arguments: { a: 1 } }, facts: {} });
const CALLER = { takesInputRequired: false, identity: 'session:abc' };

const modes = {
  raw: (child) => {
    const waiting = new Map();
    let lastId = 0;
    child.on('message', ({ id, text }) => {
      waiting.get(id)(text);
      waiting.delete(id);
    });
    return (size) =>
      new Promise((resolve) => {
        waiting.set(++lastId, resolve);
        const id = lastId;
        const request = { kind: 'request', id, method: 'run', text: TEXT, progress: false };
        child.send({ ...request, caller: CALLER, size });
      });
  },
  link: (child) => {
    const remote = connectLink(createChannel(portToChild(child)).port('bench'), {});
    return (size) => remote.run('run', TEXT, { caller: CALLER, size, signal: NEVER_ABORTED });
  },
};

/** Processor time of a process's main thread in microseconds. */
const cpuOf = (pid) => Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1000;

const stretch = async ({ run, child }, { size, concurrency, count }) => {
  const cpu = () => cpuOf(process.pid) + cpuOf(child.pid);
  const [cpuBefore, start] = [cpu(), performance.now()];
  let started = 0;
  const loop = async () => {
    while (started < count) {
      started += 1;
      await run(size);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, loop));
  return {
    cpuUs: (cpu() - cpuBefore) / count,
    perSecond: (count / (performance.now() - start)) * 1000,
  };
};

const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

const measure = async (ends, load) => {
  const seen = ends.map(() => []);
  for (const end of ends) await stretch(end, { ...load, count: load.count * 2 });
  for (let round = 0; round < Number(options.rounds); round += 1)
    for (const [index, end] of ends.entries()) seen[index].push(await stretch(end, load));
  const [raw, link] = seen;
  return {
    'raw cpu us': Number(median(raw.map(({ cpuUs }) => cpuUs)).toFixed(1)),
    'link cpu us': Number(median(link.map(({ cpuUs }) => cpuUs)).toFixed(1)),
    'cpu ratio': Number(median(link.map(({ cpuUs }, at) => cpuUs / raw[at].cpuUs)).toFixed(2)),
    'raw /s': Math.round(median(raw.map(({ perSecond }) => perSecond))),
    'link /s': Math.round(median(link.map(({ perSecond }) => perSecond))),
    'speed ratio': Number(
      median(link.map(({ perSecond }, at) => perSecond / raw[at].perSecond)).toFixed(2),
    ),
  };
};

const rows = {};
for (const serialization of ['advanced', 'json']) {
  const ends = Object.entries(modes).map(([mode, open]) => {
    const child = fork(join(import.meta.dirname, 'echo-child.mjs'), [mode], { serialization });
    return { child, run: open(child) };
  });
  for (const [size, count] of [
    [0, 8_000],
    [65_536, 1_500],
  ])
    for (const concurrency of [1, 32]) {
      const name = `${serialization}, ${size === 0 ? 'small' : '64 KiB'}, ${concurrency} at a time`;
      rows[name] = await measure(ends, { size, concurrency, count });
    }
  for (const { child } of ends) child.disconnect();
}
if (options.json) console.log(JSON.stringify(rows));
else console.table(rows);
