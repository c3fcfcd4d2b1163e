import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { load } from './load.mjs';

/**
 * Measures the endpoint against bare `node:http` that does the same JSON work and against the SDK's own entries with the
 * same handlers, in turns within one run. Each internal runs in a process of its own; processor time per request is that
 * of this process alone, so it holds on a busy machine too.
 */

const { values: options } = parseArgs({
  options: {
    json: { type: 'boolean' },
    seconds: { type: 'string', default: '0.7' },
    rounds: { type: 'string', default: '3' },
    connections: { type: 'string', default: '1,16,64' },
    /** Part of a title; only these rows and the floor are measured. */
    only: { type: 'string', default: '' },
    /** Writes a processor profile of each internal into this directory. */
    profile: { type: 'string' },
    /** Another build of the endpoint to measure. */
    endpoint: { type: 'string' },
  },
});

const REVISION = '2026-07-28';
const PREFIX = 'io.modelcontextprotocol';
const ENVELOPE = {
  [`${PREFIX}/protocolVersion`]: REVISION,
  [`${PREFIX}/clientInfo`]: { name: 'bench', version: '1' },
  [`${PREFIX}/clientCapabilities`]: {},
};

/** What is asked, by title. */
const WORKS = [
  {
    work: 'call 1 KB',
    method: 'tools/call',
    params: { name: 'kilobyte', arguments: { a: 'x_*' } },
  },
  { work: 'call 100 KB', method: 'tools/call', params: { name: 'hundred', arguments: {} } },
  { work: 'list', method: 'tools/list', params: {} },
];

/** Who is asked, and as which client. */
const WAYS = [
  { way: 'floor', internal: 'floor', client: 'session' },
  { way: 'endpoint, session', internal: 'endpoint', client: 'session' },
  { way: 'endpoint, no session', internal: 'endpoint', client: 'plain' },
  { way: `endpoint, ${REVISION}`, internal: 'endpoint', client: 'modern' },
  { way: 'endpoint, session, answered later', internal: 'later', client: 'session' },
  { way: 'SDK, session', internal: 'sdk-session', client: 'session' },
  { way: `SDK, ${REVISION}`, internal: 'sdk-entry', client: 'modern' },
];

const startInside = async (internal) => {
  const path = join(import.meta.dirname, 'internals.mjs');
  const execArgv =
    options.profile === undefined
      ? []
      : [
          '--cpu-prof',
          '--cpu-prof-dir',
          options.profile,
          '--cpu-prof-name',
          `${internal}.cpuprofile`,
        ];
  const args = internal === 'endpoint' && options.endpoint !== undefined ? [options.endpoint] : [];
  const child = fork(path, [internal, ...args], { execArgv });
  const [{ url }] = await once(child, 'message');
  return { child, url };
};

const usageOf = async ({ child }) => {
  const answer = once(child, 'message');
  child.send('usage');
  const [usage] = await answer;
  return usage;
};

const openSession = async (url) => {
  const params = {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'bench', version: '1' },
  };
  const answer = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params }),
  });
  await answer.text();
  return answer.headers.get('mcp-session-id') ?? 'none';
};

/** The request of one cell, with what its client sends beside it. */
const requestOf = ({ method, params }, client, session) => {
  const isModern = client === 'modern';
  const headers = {
    ...(client === 'session' && {
      'mcp-session-id': session,
      'mcp-protocol-version': '2025-11-25',
    }),
    ...(client === 'plain' && { 'mcp-protocol-version': '2025-11-25' }),
    ...(isModern && { 'mcp-protocol-version': REVISION, 'mcp-method': method }),
    ...(isModern && params.name !== undefined && { 'mcp-name': params.name }),
  };
  const sent = isModern ? { ...params, _meta: ENVELOPE } : params;
  return { headers, body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: sent }) };
};

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

const measureOnce = async (cell, internal, seconds) => {
  const request = requestOf(cell.work, cell.client, internal.session);
  const before = await usageOf(internal);
  const { connections } = cell;
  const figures = await load({ url: internal.url, ...request, connections, seconds });
  const after = await usageOf(internal);
  return {
    ...figures,
    microseconds: (after.microseconds - before.microseconds) / figures.answers,
    residentMiB: after.residentBytes / 1024 / 1024,
  };
};

const cellsOf = () =>
  WORKS.flatMap((work) =>
    options.connections
      .split(',')
      .flatMap((count) =>
        WAYS.map((way) => ({ ...way, work, connections: Number(count) })).filter(
          ({ way }) => way === 'floor' || `${way}; ${work.work}`.includes(options.only),
        ),
      ),
  );

const rowOf = (cell, rounds, floor) => {
  const of = (key) => median(rounds.map((round) => round[key]));
  const round = (value, digits) => Number(value.toFixed(digits));
  return {
    work: cell.work.work,
    connections: cell.connections,
    way: cell.way,
    perSecond: Math.round(of('perSecond')),
    ofFloor: round(median(rounds.map(({ perSecond }, at) => perSecond / floor[at].perSecond)), 2),
    cpuMicroseconds: round(of('microseconds'), 1),
    cpuOfFloor: round(
      median(rounds.map(({ microseconds }, at) => microseconds / floor[at].microseconds)),
      2,
    ),
    p50: round(of('p50'), 2),
    p99: round(of('p99'), 2),
    residentMiB: Math.round(of('residentMiB')),
  };
};

const measure = async () => {
  const cells = cellsOf();
  const internals = new Map();
  for (const { internal } of cells) {
    if (internals.has(internal)) continue;
    const started = await startInside(internal);
    internals.set(internal, { ...started, session: await openSession(started.url) });
  }
  const seconds = Number(options.seconds);
  for (const cell of cells) await measureOnce(cell, internals.get(cell.internal), seconds / 2);
  const rounds = cells.map(() => []);
  for (let round = 0; round < Number(options.rounds); round += 1) {
    for (const [at, cell] of cells.entries()) {
      rounds[at].push(await measureOnce(cell, internals.get(cell.internal), seconds));
    }
  }
  for (const { child } of internals.values()) {
    const ended = once(child, 'exit');
    child.disconnect();
    await ended;
  }
  return cells.map((cell, at) => {
    const floor = cells.findIndex(
      ({ way, work, connections }) =>
        way === 'floor' && work === cell.work && connections === cell.connections,
    );
    return rowOf(cell, rounds[at], rounds[floor]);
  });
};

const rows = await measure();
if (options.json) process.stdout.write(`${JSON.stringify(rows)}\n`);
else console.table(rows);
