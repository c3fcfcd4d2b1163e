#!/usr/bin/env node
/**
 * agent-manager under load, from its built program: 5,000 agents in a directory, 500 requests a second of reads and writes for 20 s.
 * Usage: run.mjs [--quick] [--agents 5000] [--rate 500] [--seconds 20] [--cli dist/cli.js] [--json file]
 */
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { startService } from './child-service.mjs';
import { filledStore } from './filled-store.mjs';
import { figuresByKind, figuresTable } from './latency-figures.mjs';
import { listBesideFloor } from './list-floor.mjs';
import { lostWrites } from './lost-writes.mjs';
import { mixedRequests } from './mixed-requests.mjs';
import { steadyLoad } from './steady-load.mjs';
import { listThroughGateway } from './through-gateway.mjs';

const LIST_MS = 50;
const ROUNDS = 40;
/** Before anything is measured: a fifth of the load, while the code of the new process is still being compiled. */
const WARM_UP = { share: 0.2, seconds: 5 };

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    agents: { type: 'string', default: '5000' },
    rate: { type: 'string', default: '500' },
    seconds: { type: 'string', default: '20' },
    cli: { type: 'string', default: resolve(import.meta.dirname, '../dist/cli.js') },
    json: { type: 'string' },
  },
});
const agents = Number(options.agents);
const perSecond = Number(options.rate);
const seconds = options.quick ? 4 : Number(options.seconds);

const measure = async (store, service) => {
  const { next, expected } = mixedRequests(agents);
  const { share, seconds: warmUpSeconds } = WARM_UP;
  const warmUp = { url: service.url, perSecond: perSecond * share, seconds: warmUpSeconds, next };
  const first = figuresByKind(await steadyLoad(warmUp));
  const idle = await listBesideFloor(`${service.url}/api/v1/agents`, ROUNDS);
  const before = service.cpuMs();
  const answers = await steadyLoad({ url: service.url, perSecond, seconds, next });
  const cpuMs = (service.cpuMs() ?? 0) - (before ?? 0);
  const load = figuresByKind(answers);
  const throughGateway = await listThroughGateway(service.url, ROUNDS);
  return {
    agents,
    perSecond,
    seconds,
    readyMs: service.readyMs,
    cpuMsPerRequest: cpuMs / answers.length,
    first,
    load,
    idle,
    throughGateway,
    acknowledgedWrites: expected.size,
    ...lostWrites(store, expected),
  };
};

const ms = ({ p50Ms, p99Ms }) => `p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms`;

const report = (
  found,
) => `${found.agents} agents; ${found.perSecond} requests a second for ${found.seconds} s; ready after ${(found.readyMs / 1_000).toFixed(1)} s; ${found.cpuMsPerRequest.toFixed(2)} ms of processor time a request

${figuresTable(found.load)}

list_agents alone     ${ms(found.idle.list)}; ${found.idle.timesFloor.toFixed(2)} times a bare server with the same bytes (${ms(found.idle.floor)})
list_agents over MCP  ${ms(found.throughGateway.mcp)}
through the gateway   ${ms(found.throughGateway.gateway)}
`;

const verdicts = (found) => {
  const list = found.load.find(({ kind }) => kind === 'list_agents');
  const sum = (key) =>
    [...found.first, ...found.load].reduce((total, figures) => total + figures[key], 0);
  return [
    ['no answer of 5xx, none missing', sum('failed') === 0, `${sum('failed')}`],
    ['nothing refused', sum('refused') === 0, `${sum('refused')}`],
    [
      'no acknowledged write lost',
      found.lost.length === 0,
      `${found.lost.length} of ${found.acknowledgedWrites}`,
    ],
    ['no half file', found.strange.length === 0, `${found.strange.length}`],
    [`list_agents: p50 below ${LIST_MS} ms`, list.p50Ms < LIST_MS, list.p50Ms.toFixed(1)],
    [`list_agents: p99 below ${LIST_MS} ms`, list.p99Ms < LIST_MS, list.p99Ms.toFixed(1)],
  ].map(([goal, reached, figure]) => ({ goal, reached, figure }));
};

const store = filledStore(agents);
const service = await startService(resolve(options.cli), ['--store', store.directory]);
try {
  const found = await measure(store, service);
  const goals = verdicts(found);
  process.stdout.write(`${report(found)}\n`);
  for (const { goal, reached, figure } of goals)
    process.stdout.write(`${reached ? 'yes' : 'NO '}  ${goal} (${figure})\n`);
  if (options.json !== undefined)
    writeFileSync(options.json, `${JSON.stringify({ ...found, goals }, undefined, 2)}\n`);
  process.exitCode = goals.every(({ reached }) => reached) ? 0 : 1;
} finally {
  await service.stop();
  store.remove();
}
