import { setTimeout as wait } from 'node:timers/promises';
import { framedParts, INITIALIZE, resultOf } from './framings.mjs';
import { TOOLSET } from './gateway-process.mjs';

const JSON_HEADERS = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
};
const STREAM_MS = 20;

const tool = (name, args = {}) => ({ method: 'tools/call', params: { name, arguments: args } });
const calling = (name) => tool('call_tool', { name, arguments: { id: '1' } });

const INSIDE = [
  tool('describe_tool', { name: 'x_s0_read_item_0' }),
  tool('filter_tools', { query: 'read item' }),
  tool('list_tools', { limit: 20 }),
  { method: 'tools/list', params: {} },
];
const PROXIED = [
  'x_s0_read_item_0',
  'x_s1_read_item_0',
  'x_s0_read_large_0',
  'x_local_read_item_0',
];

/** Every fourth request goes without the toolset. */
const headersOf = (turn) => (turn % 4 === 0 ? {} : TOOLSET);
const messageOf = (turn) =>
  turn % 2 === 0
    ? INSIDE[(turn / 2) % INSIDE.length]
    : calling(PROXIED[(turn >> 1) % PROXIED.length]);

const post = async ({ pool }, { headers, body }) => {
  const answer = await pool.request({
    path: '/mcp',
    method: 'POST',
    headers: { ...JSON_HEADERS, ...headers },
    body,
  });
  const text = await answer.body.text();
  if (answer.statusCode !== 200) throw new Error(`status ${answer.statusCode}: ${text}`);
  return { headers: answer.headers, text };
};

const ask = async (world, message, options) => {
  const { text } = await post(world, framedParts(message, options));
  resultOf(`\r\n\r\n${text}`);
  return text;
};

const openSession = async (world) => {
  const { headers } = await post(world, { headers: {}, body: INITIALIZE });
  return headers['mcp-session-id'];
};

const endSession = async ({ pool }, session) => {
  const headers = { 'mcp-session-id': session };
  const { body } = await pool.request({ path: '/mcp', method: 'DELETE', headers });
  await body.dump();
};

/** Sends a request and goes away in the middle of its answer, or of waiting for it. */
const leave = async ({ pool }, request, afterMs) => {
  const gone = new AbortController();
  const asked = pool.request({ path: '/mcp', signal: gone.signal, ...request });
  const read = asked.then(({ body }) => body.dump()).catch(() => undefined);
  await wait(afterMs);
  gone.abort();
  await read;
};

/** One step of each kind of load; `turn` counts the steps of one worker. */
export const MODES = {
  'JSON, session': async (world, turn) => {
    world.session ??= await openSession(world);
    const { session } = world;
    await ask(world, messageOf(turn), { framing: 'session', session, headers: headersOf(turn) });
  },
  'JSON, no session': (world, turn) =>
    ask(world, messageOf(turn), { framing: 'sessionless', headers: headersOf(turn) }),
  '2026-07-28': (world, turn) =>
    ask(world, messageOf(turn), { framing: 'modern', headers: headersOf(turn) }),
  'events with progress': async (world, turn) => {
    world.session ??= await openSession(world);
    const text = await ask(world, calling(PROXIED[turn % PROXIED.length]), {
      framing: turn % 2 === 0 ? 'session' : 'modern',
      session: world.session,
      headers: TOOLSET,
      progressToken: turn,
    });
    if (!text.includes('notifications/progress')) throw new Error('an answer without progress');
  },
  'event streams opened and left': async (world) => {
    world.session ??= await openSession(world);
    const headers = { accept: 'text/event-stream', 'mcp-session-id': world.session };
    await leave(world, { method: 'GET', headers }, STREAM_MS);
  },
  'sessions abandoned and ended': async (world, turn) => {
    const session = await openSession(world);
    await ask(world, INSIDE[0], { framing: 'session', session });
    if (turn % 2 === 0) await endSession(world, session);
  },
  'callers that go away': async (world, turn) => {
    const { headers, body } = framedParts(messageOf(turn), { framing: 'sessionless' });
    const request = { method: 'POST', headers: { ...JSON_HEADERS, ...headers }, body };
    await leave(world, request, turn % 3);
  },
};
