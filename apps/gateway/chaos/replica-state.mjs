import { setTimeout as wait } from 'node:timers/promises';
import { Pool } from 'undici';
import { ask, callOf, listOf, textOf } from './messages.mjs';

const LOOK_MS = 100;
const AGREE_MS = 60_000;
const GRACE_MS = 1_000;
const SESSIONLESS = { framing: 'sessionless' };

const askReplica = async ({ url }, message, headers = {}) => {
  const pool = new Pool(url, { connections: 1 });
  try {
    return await ask(pool, message, { ...SESSIONLESS, headers });
  } finally {
    await pool.close();
  }
};

/** Returns the text with which a replica answers a call, or undefined when it answers with an error. */
const answerOf = async (replica, message) => {
  try {
    return textOf(await askReplica(replica, message));
  } catch {
    return undefined;
  }
};

/**
 * Waits until a condition holds for all replicas; those that are down, too, when they are up again. Returns the milliseconds, and what was away
 * in this time.
 */
const untilAll = async (world, what, holds) => {
  const start = performance.now();
  const away = new Set();
  const isMet = async (replica) => {
    if (!replica.isUp) away.add(replica.name);
    return replica.isUp && (await holds(replica));
  };
  for (;;) {
    const met = await Promise.all(world.replicas.map(isMet));
    const ms = performance.now() - start;
    if (world.outages.during('api', start, performance.now())) away.add('API server');
    if (!met.includes(false)) return { ms, away: [...away] };
    if (ms > AGREE_MS) {
      const names = world.replicas.filter((_, at) => met[at] === false).map(({ name }) => name);
      throw new Error(`${what}: not within ${AGREE_MS} ms at ${names.join(', ')}`);
    }
    await wait(LOOK_MS);
  }
};

/** Waits until all replicas answer a call of a tool with a text; with an error when the text is undefined. Returns what {@link untilAll} returns. */
export const untilAnswered = (world, tool, text) =>
  untilAll(world, `${tool} answers ${text}`, async (replica) => {
    const answer = await answerOf(replica, callOf(world.expose, tool));
    return answer === text;
  });

/** Waits until all replicas answer a call of a tool. */
export const untilServed = (world, tool) =>
  untilAll(world, `${tool} answers`, async (replica) => {
    return (await answerOf(replica, callOf(world.expose, tool))) !== undefined;
  });

/** Runs a fault of something that requests need. The outage ends when all replicas are as before. */
export const during = async ({ outages }, what, fault) => {
  const end = outages.begin(what);
  await fault();
  end(GRACE_MS);
};

const pagesOf = async (world, replica, headers) => {
  const tools = [];
  let cursor;
  do {
    const result = await askReplica(replica, listOf(world.expose, cursor), headers);
    const page = world.expose === 'native' ? result : JSON.parse(textOf(result));
    tools.push(...(page.tools ?? page.items ?? [page]));
    cursor = page.nextCursor;
  } while (cursor !== undefined && cursor !== null);
  return tools;
};

/** Returns the catalog of a replica, as it lists it with and without a toolset. */
export const catalogOf = async (world, replica) => {
  const all = await pagesOf(world, replica, {});
  const labelled = await pagesOf(world, replica, { 'x-gateway-toolset': 'preset:labelled' });
  return { all, labelled };
};
