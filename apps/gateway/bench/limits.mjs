// Measures calls to a fast server while 16 callers call a slow one, whose limits change without a restart.
//
//   node bench/limits.mjs [--ms 10000]
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { framed, framedParts, openSessions, resultOf } from './framings.mjs';
import { startGateway } from './gateway-process.mjs';
import { startServer } from './server-process.mjs';
import { textTable } from './table.mjs';

const { values: options } = parseArgs({ options: { ms: { type: 'string', default: '10000' } } });
const ms = Number(options.ms);

const CALLERS = 16;
/** Pause of a caller of the slow server after an answer, in milliseconds. */
const PAUSE_MS = 50;
const SLOW_MS = '2000';
/** Connections to the fast server, each with so many milliseconds between an answer and the next call. */
const FAST = { connections: 4, everyMs: 4 };

const STEPS = [
  { name: 'fast server alone', callers: 0 },
  { name: '16 callers on the slow server', callers: CALLERS },
  { name: 'concurrency 2, queue 4', callers: CALLERS, limits: { concurrency: 2, queue: 4 } },
  { name: 'rate 30 in 10 s', callers: CALLERS, limits: { rate: { total: 30, seconds: 10 } } },
  {
    name: 'callTimeout 1, breaker 3 / 5 s',
    callers: CALLERS,
    limits: { callTimeout: 1, breaker: { failures: 3, openSeconds: 5 } },
  },
];

const instant = (...args) =>
  startServer(join(import.meta.dirname, 'servers/instant-http.mjs'), args);
const fast = await instant('1', '4');
const slow = await instant('1', '4', '0', SLOW_MS);
const gateway = await startGateway({ origin: fast.url, servers: 1 });
const generator = fork(join(import.meta.dirname, 'load-generator.mjs'));

const call = (name, args) => ({ method: 'tools/call', params: { name, arguments: args } });
const callTool = (name) => call('call_tool', { name, arguments: { id: '1' } });

/** Sends a message and returns its result. */
const ask = async (session, message) => {
  const { headers, body } = framedParts(message, { framing: 'session', session });
  const answer = await fetch(gateway.url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body,
  });
  const [json] = (await answer.text()).match(/\{.*\}/u);
  return JSON.parse(json).result;
};

/** Returns the slow server as `core_mcpserver_get` shows it; `undefined` before it is defined. */
const readSlow = async (session) => {
  const get = { name: 'core_mcpserver_get', arguments: { name: 'slow' } };
  const { content, isError } = await ask(session, call('call_tool', get));
  return isError ? undefined : JSON.parse(content[0].text);
};

/** Calls the slow server for some time. Returns the number of answers, and the time of each failed call in milliseconds. */
const callSlowly = async (session, until) => {
  const seen = { answered: 0, failed: [] };
  while (performance.now() < until) {
    const start = performance.now();
    const { isError } = await ask(session, callTool('x_slow_read_item_0'));
    if (isError === true) seen.failed.push(performance.now() - start);
    else seen.answered += 1;
    await wait(PAUSE_MS);
  }
  return seen;
};

const callFast = async (sessions) => {
  const request = (session) =>
    framed(gateway.url, callTool('x_s0_read_item_0'), { framing: 'session', session });
  const requests = sessions.map((session) => [request(session)]);
  generator.send({ task: { url: gateway.url, requests, ms, everyMs: FAST.everyMs } });
  const [{ figures, problem }] = await once(generator, 'message');
  if (problem !== undefined) throw new Error(problem);
  resultOf(figures.sample);
  return figures;
};

const define = async (session, limits) => {
  gateway.define('slow', {
    type: 'streamable-http',
    url: `${slow.url}/s0/mcp`,
    ...(limits && { limits }),
  });
  for (;;) {
    const shown = await readSlow(session);
    const isApplied = JSON.stringify(shown?.limits) === JSON.stringify(limits);
    if (shown?.state === 'Connected' && isApplied) return;
    await wait(50);
  }
};

try {
  const sessions = await openSessions(gateway.url, CALLERS + FAST.connections);
  const rows = [];
  await callFast(sessions.slice(CALLERS));
  for (const { name, callers, limits } of STEPS) {
    await define(sessions[0], limits);
    const until = performance.now() + ms;
    const [figures, ...seen] = await Promise.all([
      callFast(sessions.slice(CALLERS)),
      ...sessions.slice(0, callers).map((session) => callSlowly(session, until)),
    ]);
    const failed = seen.flatMap((one) => one.failed).sort((one, other) => one - other);
    rows.push({
      ...{ name, p50: figures.p50, p99: figures.p99, answered: figures.answered / figures.seconds },
      slow: seen.reduce((total, one) => total + one.answered, 0),
      failed: failed.length,
      failedP50: failed[failed.length >> 1] ?? 0,
    });
  }
  const column = (title, of, left = false) => ({ title, of, left });
  process.stdout.write(
    `${textTable(
      [
        column('slow server', ({ name }) => name, true),
        column('fast req/s', ({ answered }) => Math.round(answered)),
        column('fast p50 ms', ({ p50 }) => p50.toFixed(2)),
        column('fast p99 ms', ({ p99 }) => p99.toFixed(2)),
        column('slow answered', ({ slow }) => slow),
        column('slow failed', ({ failed }) => failed),
        column('failed p50 ms', ({ failedP50 }) => failedP50.toFixed(1)),
      ],
      rows,
    )}\n`,
  );
} finally {
  generator.disconnect();
  await gateway.stop();
  await Promise.all([fast.stop(), slow.stop()]);
}
