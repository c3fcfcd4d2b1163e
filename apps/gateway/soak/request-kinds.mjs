import { framedParts, INITIALIZE, resultOf } from '../bench/framings.mjs';
import { TOOLSET } from '../bench/gateway-process.mjs';

const JSON_HEADERS = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
};
const STREAM_MS = 20;
/** Time for which a caller waits for a server that may hang. */
const PATIENCE_MS = 500;
/** Sessions that the callers share. */
const SESSIONS = 20;
const CAPABILITIES_KEY = 'io.modelcontextprotocol/clientCapabilities';

const tool = (name, args = {}) => ({ method: 'tools/call', params: { name, arguments: args } });
const calling = (name, args = { id: '1' }) => tool('call_tool', { name, arguments: args });

const INSIDE = [
  tool('describe_tool', { name: 'x_s0_read_item_0' }),
  tool('filter_tools', { query: 'read item' }),
  tool('list_tools', { limit: 20 }),
  tool('describe_tool', { name: 'x_s1_read_item_0' }),
  calling('core_events', { limit: 10 }),
];
const PROXIED = [
  'x_s0_read_item_0',
  'x_s1_read_item_0',
  'x_s0_read_large_0',
  'x_local_read_item_0',
];
/** Those with small results: lost streams are retained for a while, and must not weigh more when the load comes in bursts. */
const SMALL = PROXIED.filter((name) => !name.includes('large'));
/** Tools of servers that fail at times: an error result is an answer. */
const FAILING = ['x_frail_one', 'x_flaky_hello', 'x_restless_odd'];

const post = async ({ pool }, { headers, body }, attempts = 3) => {
  const answer = await pool.request({
    path: '/mcp',
    method: 'POST',
    headers: { ...JSON_HEADERS, ...headers },
    body,
  });
  const text = await answer.body.text();
  // The connection was idle for too long, and closed while the request was on its way.
  if (answer.statusCode === 408 && attempts > 1)
    return post({ pool }, { headers, body }, attempts - 1);
  if (answer.statusCode !== 200) throw new Error(`status ${answer.statusCode}: ${text}`);
  return { headers: answer.headers, text };
};

/** Sends a request that must have a result. */
const succeed = async (world, message, options) => {
  const { text } = await post(world, framedParts(message, options));
  return { text, result: resultOf(`\r\n\r\n${text}`) };
};

/** Opens a session and returns its id. */
export const openSession = async (world) => {
  const { headers } = await post(world, { headers: {}, body: INITIALIZE });
  return headers['mcp-session-id'];
};

/** Ends a session. */
export const endSession = async ({ pool }, session) => {
  const headers = { 'mcp-session-id': session };
  const { body } = await pool.request({ path: '/mcp', method: 'DELETE', headers });
  await body.dump();
};

/** Returns one of the shared sessions. */
const sharedSession = (world) => {
  const at = Math.floor(world.random() * SESSIONS);
  return (world.sessions[at] ??= openSession(world));
};

/** Sends a request and goes away after a time, in the middle of its answer or of waiting for it. */
const leave = async ({ pool }, request, afterMs) => {
  const gone = new AbortController();
  const timer = setTimeout(() => gone.abort(), afterMs);
  try {
    const { body } = await pool.request({ path: '/mcp', signal: gone.signal, ...request });
    await body.dump();
  } catch (error) {
    if (!gone.signal.aborted) throw error;
  } finally {
    clearTimeout(timer);
  }
};

/** Sends a message as a caller that waits for a limited time. */
const send = (world, message, withinMs) => {
  const { headers, body } = framedParts(message, { framing: 'sessionless' });
  return leave(world, { method: 'POST', headers: { ...JSON_HEADERS, ...headers }, body }, withinMs);
};

const oneOf = ({ random }, values) => values[Math.floor(random() * values.length)];
const anyMessage = (world) =>
  world.random() < 0.5 ? oneOf(world, INSIDE) : calling(oneOf(world, PROXIED));

/** A third of the requests goes without the toolset. Core tools are outside of it. */
const headersFor = ({ random }, message) =>
  random() < 0.33 || JSON.stringify(message).includes('core_') ? {} : TOOLSET;

const answered = async (world, framing) => {
  const message = anyMessage(world);
  const session = framing === 'session' ? await sharedSession(world) : undefined;
  await succeed(world, message, { framing, session, headers: headersFor(world, message) });
};

/** A call of 2026-07-28 that is suspended until its caller answers a question. */
const suspended = async (world, isAnswered) => {
  const call = calling('x_asking_ask', {});
  const _meta = { [CAPABILITIES_KEY]: { elicitation: { form: {} } } };
  const sendCall = (more) => {
    const { headers, body } = framedParts(call, { framing: 'modern' });
    const request = JSON.parse(body);
    Object.assign(request.params._meta, _meta);
    Object.assign(request.params, more);
    return post(world, { headers, body: JSON.stringify(request) });
  };
  const { result } = JSON.parse((await sendCall({})).text);
  if (result?.resultType !== 'input_required')
    throw new Error(`no question: ${JSON.stringify(result)}`);
  if (!isAnswered) return;
  const answer = { action: 'accept', content: { name: 'Ada' } };
  const keys = Object.keys(result.inputRequests);
  const inputResponses = Object.fromEntries(keys.map((key) => [key, answer]));
  const { text } = await sendCall({ inputResponses, requestState: result.requestState });
  if (!text.includes('Ada')) throw new Error(`an answer without the name: ${text.slice(0, 300)}`);
};

/** One request of each kind, with the share of the load that it has. */
export const REQUEST_KINDS = {
  'JSON, session': { share: 26, run: (world) => answered(world, 'session') },
  'JSON, no session': { share: 20, run: (world) => answered(world, 'sessionless') },
  '2026-07-28': { share: 24, run: (world) => answered(world, 'modern') },
  'events with progress': {
    share: 6,
    run: async (world) => {
      const session = await sharedSession(world);
      const { text } = await succeed(world, calling(oneOf(world, SMALL)), {
        framing: oneOf(world, ['session', 'modern']),
        session,
        headers: TOOLSET,
        progressToken: Math.floor(world.random() * 1e9),
      });
      if (!text.includes('notifications/progress')) throw new Error('an answer without progress');
    },
  },
  'event streams opened and left': {
    share: 4,
    run: async (world) => {
      const headers = { accept: 'text/event-stream', 'mcp-session-id': await sharedSession(world) };
      await leave(world, { method: 'GET', headers }, STREAM_MS);
    },
  },
  'sessions abandoned and ended': {
    share: 4,
    run: async (world) => {
      const session = await openSession(world);
      await succeed(world, INSIDE[0], { framing: 'session', session });
      if (world.random() < 0.5) await endSession(world, session);
    },
  },
  'callers that go away': {
    share: 6,
    run: (world) => send(world, anyMessage(world), Math.floor(world.random() * 3)),
  },
  'suspended calls, answered': { share: 1.5, run: (world) => suspended(world, true) },
  'suspended calls, abandoned': { share: 0.5, run: (world) => suspended(world, false) },
  workflows: {
    share: 4,
    run: (world) => succeed(world, calling('workflow_two-reads', {}), { framing: 'sessionless' }),
  },
  'calls of failing servers': {
    share: 4,
    run: (world) => send(world, calling(oneOf(world, FAILING)), PATIENCE_MS),
  },
};
