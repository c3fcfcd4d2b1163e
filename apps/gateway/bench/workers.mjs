// Measures how serving scales from one worker to two: answers a second as seen, and what the processor time of each process allows.
//
//   node bench/workers.mjs [--ms 1500] [--rounds 3] [--json] [--gateway <cli.js>]
//
// Answers a second only scale where cores are free for the load generator and the servers behind the gateway too. The capacity does not
// depend on that: it is the number of answers for each second that the busiest process of the gateway worked.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { framed } from './framings.mjs';
import { CLI, startGateway } from './gateway-process.mjs';
import { startServer } from './server-process.mjs';

const { values: options } = parseArgs({
  options: {
    ms: { type: 'string', default: '1500' },
    rounds: { type: 'string', default: '3' },
    json: { type: 'boolean', default: false },
    gateway: { type: 'string', default: CLI },
  },
});
const CONNECTIONS = 16;
const COUNTS = [1, 2];
const WARM_REQUESTS = 4_000;
const MAX_WARM_MS = 15_000;
/** Clock ticks of `/proc/<pid>/stat`, a second. */
const TICKS = 100;

const calls = {
  list_tools: { name: 'list_tools', arguments: {} },
  'call_tool, HTTP, 1 KB': {
    name: 'call_tool',
    arguments: { name: 'x_s0_read_item_0', arguments: {} },
  },
};

const statOf = (pid) => {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
};

/** The process and those that it started. */
const family = (pid) => [
  pid,
  ...readdirSync('/proc').flatMap((name) => {
    try {
      return /^\d+$/u.test(name) && Number(statOf(name)[1]) === pid ? [Number(name)] : [];
    } catch {
      return [];
    }
  }),
];

const secondsOf = (pid) => {
  const stat = statOf(pid);
  return (Number(stat[11]) + Number(stat[12])) / TICKS;
};

const generator = fork(join(import.meta.dirname, 'load-generator.mjs'));
const load = async (task) => {
  generator.send({ task });
  const [{ figures, problem }] = await once(generator, 'message');
  if (problem !== undefined) throw new Error(problem);
  if (figures.failed > 0) throw new Error(`${figures.failed} requests failed: ${figures.sample}`);
  return figures;
};

const taskOf = (url, params, ms) => {
  const text = framed(url, { method: 'tools/call', params }, { framing: 'sessionless' });
  return { url, requests: Array.from({ length: CONNECTIONS }, () => [text]), ms };
};

const stretch = async ({ url, pid }, params) => {
  const pids = family(pid);
  const before = pids.map(secondsOf);
  const { answered, seconds, p99 } = await load(taskOf(url, params, Number(options.ms)));
  const worked = pids.map((one, index) => secondsOf(one) - before[index]);
  const busiest = Math.max(...worked);
  const cpuUs = (worked.reduce((sum, one) => sum + one, 0) / answered) * 1e6;
  return { perSecond: answered / seconds, capacity: answered / busiest, cpuUs, p99 };
};

/** Each process compiles for itself what it runs often, so each gets its share of requests before anything counts. */
const warm = async (url, params, workers) => {
  const end = performance.now() + MAX_WARM_MS;
  let answered = 0;
  while (answered < workers * WARM_REQUESTS && performance.now() < end)
    answered += (await load(taskOf(url, params, 500))).answered;
};

const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];
const medianOf = (stretches) =>
  Object.fromEntries(
    Object.keys(stretches[0]).map((key) => [key, median(stretches.map((one) => one[key]))]),
  );

const measure = async (gateways) => {
  const rows = [];
  for (const [name, params] of Object.entries(calls)) {
    const seen = gateways.map(() => []);
    for (const [index, { url }] of gateways.entries()) await warm(url, params, COUNTS[index]);
    for (let round = 0; round < Number(options.rounds); round += 1)
      for (const [index, gateway] of gateways.entries())
        seen[index].push(await stretch(gateway, params));
    const [one, two] = seen.map(medianOf);
    rows.push({
      name,
      'req/s, 1': Math.round(one.perSecond),
      'req/s, 2': Math.round(two.perSecond),
      'ratio seen': Number((two.perSecond / one.perSecond).toFixed(2)),
      'capacity, 1': Math.round(one.capacity),
      'capacity, 2': Math.round(two.capacity),
      'ratio of capacity': Number((two.capacity / one.capacity).toFixed(2)),
      'cpu us, 1': Math.round(one.cpuUs),
      'cpu us, 2': Math.round(two.cpuUs),
      'p99 ms, 1': Number(one.p99.toFixed(1)),
      'p99 ms, 2': Number(two.p99.toFixed(1)),
    });
  }
  return rows;
};

const stops = [];
try {
  const servers = await startServer(join(import.meta.dirname, 'servers/instant-http.mjs'), [
    '15',
    '34',
  ]);
  stops.push(() => servers.stop());
  const gateways = [];
  for (const count of COUNTS) {
    const args = ['--workers', String(count)];
    const world = { cli: options.gateway, origin: servers.url, servers: 15, args };
    const gateway = await startGateway(world);
    stops.unshift(() => gateway.stop());
    gateways.push(gateway);
  }
  const rows = await measure(gateways);
  const cores = availableParallelism();
  const machine = { cores, load: loadavg()[0] };
  if (options.json) console.log(JSON.stringify({ machine, rows }));
  else {
    console.log(`${cores} cores, load ${machine.load.toFixed(1)}, ${CONNECTIONS} connections`);
    console.table(Object.fromEntries(rows.map(({ name, ...row }) => [name, row])));
  }
} finally {
  generator.disconnect();
  for (const stop of stops) await stop();
}
