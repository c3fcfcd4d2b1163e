import { INITIALIZE } from '../bench/framings.mjs';
import { ask, callOf, Failed, listOf, send, textOf } from './messages.mjs';
import { WORKFLOW } from './world.mjs';

const SLOW_MS = 500;
const TOOLSET = { 'x-gateway-toolset': 'preset:stable,server:local,server:second' };

const oneOf = ({ random }, values) => values[Math.floor(random() * values.length)];

/** Opens a session and returns its id. */
export const openSession = async ({ pool }) => {
  const { statusCode, headers, text, target } = await send(pool, { headers: {}, body: INITIALIZE });
  const id = headers['mcp-session-id'];
  if (id === undefined) throw new Failed(`no session: ${statusCode} ${text}`, target);
  return id;
};

const endSession = async ({ pool }, session) => {
  const headers = { 'mcp-session-id': session };
  const { statusCode, text, target } = await send(pool, { headers, method: 'DELETE' });
  if (statusCode !== 204) throw new Failed(`not ended: ${statusCode} ${text}`, target);
};

const withoutToolset = (world) => {
  const framing = oneOf(world, ['session', 'sessionless', 'modern']);
  return { framing, session: oneOf(world, world.sessions) };
};

const framingOf = (world) => ({
  ...withoutToolset(world),
  ...(world.random() < 0.5 && { headers: TOOLSET }),
});

const echo = async (world, tool, options = framingOf(world)) => {
  const text = `text ${world.random()}`;
  const result = await ask(world.pool, callOf(world.expose, tool, { text }), options);
  if (textOf(result) !== text) throw new Failed(`another answer: ${textOf(result)}`);
};

const nameOf = (world, host) => oneOf(world, world.servers.names[host]);

/** The kinds of requests: the share of the load, and a request with what it needs. */
export const REQUEST_KINDS = {
  'calls over HTTP': {
    share: 34,
    draw: (world) => ({ run: () => echo(world, `x_${nameOf(world, 'stable')}_echo`) }),
  },
  'calls over stdio': {
    share: 12,
    draw: (world) => ({ run: () => echo(world, 'x_local_echo') }),
  },
  'calls that take half a second': {
    share: 4,
    draw: (world) => ({
      run: () => {
        const tool = oneOf(world, ['x_stable2_slow', 'x_local_slow']);
        return ask(world.pool, callOf(world.expose, tool, { ms: SLOW_MS }), framingOf(world));
      },
    }),
  },
  'calls of killed servers over HTTP': {
    share: 10,
    draw: (world) => ({
      needs: ['server shaken'],
      run: () => echo(world, `x_${nameOf(world, 'shaken')}_echo`, { framing: 'modern' }),
    }),
  },
  'calls of killed servers over stdio': {
    share: 6,
    draw: (world) => ({ needs: ['server second'], run: () => echo(world, 'x_second_echo') }),
  },
  'calls of objects that come and go': {
    share: 10,
    draw: (world) => {
      const name = oneOf(world, [...world.fleeting.keys()]);
      if (name === undefined) return { run: () => echo(world, 'x_stable0_echo') };
      const run = () => echo(world, `x_${name}_echo`, { framing: 'sessionless' });
      return { needs: [`object ${name}`], run };
    },
  },
  lists: {
    share: 12,
    draw: (world) => ({
      run: async () => {
        const result = await ask(world.pool, listOf(world.expose), framingOf(world));
        if (!JSON.stringify(result).includes('x_stable0_echo'))
          throw new Failed(`a list without a stable tool: ${JSON.stringify(result).slice(0, 300)}`);
      },
    }),
  },
  'sessions opened and ended': {
    share: 3,
    draw: (world) => ({ run: async () => endSession(world, await openSession(world)) }),
  },
  'sessions opened and abandoned': {
    share: 1,
    draw: (world) => ({ run: () => openSession(world) }),
  },
  workflows: {
    share: 4,
    draw: (world) => ({
      run: () =>
        ask(world.pool, callOf(world.expose, `workflow_${WORKFLOW}`), withoutToolset(world)),
    }),
  },
  'events read': {
    share: 1,
    isMeta: true,
    draw: (world) => ({
      needs: ['api'],
      run: () =>
        ask(world.pool, callOf('meta', 'core_events', { limit: 10 }), { framing: 'sessionless' }),
    }),
  },
};
