import { setTimeout as wait } from 'node:timers/promises';
import { descendantsOf } from '../bench/faults/leaks.mjs';
import { during, untilAnswered, untilServed } from './replica-state.mjs';
import { SECOND, UNREACHABLE } from './servers.mjs';
import { STEPS } from './world.mjs';
import { newerSpec } from './cluster.mjs';

const FAILOVER_LOOK_MS = 50;
/** More than the 20 seconds that are permitted, so that a late one is measured. */
const FAILOVER_MS = 40_000;

/** A change of an object that reaches the replicas later is reported on standard error. */
const SLOW_MS = 3_000;

const secondsOf = ({ random }, least, most) => 1_000 * (least + random() * (most - least));
const oneOf = ({ random }, values) => values[Math.floor(random() * values.length)];

const leaderOf = async ({ cluster, replicas }) => {
  const holder = await cluster.leader();
  return { holder, replica: replicas.find(({ name }) => holder.startsWith(`${name}_`)) };
};

const untilOtherLeader = async (world, former) => {
  const start = performance.now();
  while (performance.now() - start < FAILOVER_MS) {
    const { holder, replica } = await leaderOf(world);
    if (holder !== former && replica !== undefined) return performance.now() - start;
    await wait(FAILOVER_LOOK_MS);
  }
  return Infinity;
};

const killLeader = async (world) => {
  const { holder, replica } = await leaderOf(world);
  if (replica === undefined) throw new Error(`no replica leads: ${holder}`);
  await replica.kill();
  const ms = await untilOtherLeader(world, holder);
  world.failovers.push({ how: 'killed', ms });
  await replica.start();
};

const drainLeader = async (world) => {
  const { holder, replica } = await leaderOf(world);
  if (replica === undefined) throw new Error(`no replica leads: ${holder}`);
  const drained = replica.drain();
  const [code, ms] = await Promise.all([drained, untilOtherLeader(world, holder)]);
  if (code !== 0) throw new Error(`a drained replica ended with ${code}`);
  // The leader is one while it drains.
  world.failovers.push({ how: 'drained', ms });
  await replica.start();
};

/** Faults of what the replicas share and of the replicas, one after the other. */
export const SHARED_FAULTS = {
  'the leader is killed': killLeader,
  'the API server is killed': (world) =>
    during(world, 'api', async () => {
      await world.cluster.own.kill();
      await wait(secondsOf(world, 0.5, 4));
      await world.cluster.own.restart();
    }),
  'etcd is compacted': ({ cluster }) => cluster.own.compact(),
  'the leader drains': drainLeader,
  'Redis is killed': async (world) => {
    await world.redis.stop();
    await wait(secondsOf(world, 0.5, 3));
    await world.redis.start();
  },
  'Redis hangs': async (world) => {
    world.redis.pause();
    await wait(secondsOf(world, 0.5, 3));
    world.redis.resume();
  },
  'the token expires': (world) =>
    during(world, 'api', async () => {
      await world.cluster.renewToken(1);
      await wait(secondsOf(world, 2, 5));
      await world.cluster.renewToken();
    }),
  'a replica is killed': async (world) => {
    const replica = oneOf(world, world.replicas);
    await replica.kill();
    await replica.start();
  },
};

const killSecond = (world) =>
  during(world, 'server second', async () => {
    const replica = oneOf(
      world,
      world.replicas.filter(({ isUp }) => isUp),
    );
    if (replica === undefined) return;
    const isSecond = ({ command }) => command.endsWith(` ${SECOND}`);
    const found = descendantsOf(replica.pid).find(isSecond);
    if (found !== undefined) process.kill(found.pid, 'SIGKILL');
    await untilServed(world, 'x_second_echo');
  });

const specOf = ({ servers }, path) => ({ ...servers.remote('fleeting', path), autoStart: true });

const slowText = (name, { ms, away }) =>
  `${new Date().toISOString()} the change of ${name} took ${Math.round(ms)} ms, away: ${away.join(', ') || 'nothing'}\n`;

/** Changes one of the objects that come and go, and waits until all replicas answer accordingly. */
const change = (world, name, edit) =>
  during(world, `object ${name}`, async () => {
    const answer = await edit();
    if (answer === undefined) world.fleeting.delete(name);
    const settled = await untilAnswered(world, `x_${name}_echo`, answer);
    world.settled.push({ name, ...settled });
    if (settled.ms > SLOW_MS) process.stderr.write(slowText(name, settled));
    if (answer !== undefined) world.fleeting.set(name, answer);
  });

const fleetingOf = (world, isPresent) =>
  oneOf(
    world,
    world.servers.names.fleeting.filter((name) => world.fleeting.has(name) === isPresent),
  );

const create = async (world) => {
  const name = fleetingOf(world, false);
  if (name === undefined) return;
  await change(world, name, async () => {
    await world.cluster.apply('MCPServer', name, specOf(world, name), { wave: 'odd' });
    return name;
  });
};

const remove = async (world) => {
  const name = fleetingOf(world, true);
  if (name === undefined) return;
  await change(world, name, async () => {
    await world.cluster.remove('mcpservers', name);
  });
};

/** Returns a path with another answer than the object has now, so that a change can be seen. */
const otherPath = (world, name) =>
  oneOf(
    world,
    world.servers.names.fleeting.filter((path) => path !== world.fleeting.get(name)),
  );

const replace = async (world) => {
  const name = fleetingOf(world, true);
  if (name === undefined) return create(world);
  const path = otherPath(world, name);
  await change(world, name, async () => {
    await world.cluster.remove('mcpservers', name);
    await world.cluster.apply('MCPServer', name, specOf(world, path));
    return path;
  });
};

const redirect = async (world) => {
  const name = fleetingOf(world, true);
  if (name === undefined) return create(world);
  const path = otherPath(world, name);
  await change(world, name, async () => {
    const spec = specOf(world, path);
    const isNewer = world.definition.isNewer;
    await world.cluster.apply('MCPServer', name, isNewer ? newerSpec(spec) : spec, {
      wave: 'even',
    });
    return path;
  });
};

/** Faults of servers and changes of objects, at the same time as the others. */
export const OBJECT_FAULTS = {
  'an object is created': create,
  'an object is changed': redirect,
  'an object is deleted and created again': replace,
  'another object is created': create,
  'an object is deleted': remove,
  'servers over HTTP are killed': (world) =>
    during(world, 'server shaken', async () => {
      const { shaken } = world.servers.hosts;
      await shaken.kill();
      await wait(secondsOf(world, 0.2, 2));
      await shaken.start();
      for (const name of world.servers.names.shaken) await untilServed(world, `x_${name}_echo`);
    }),
  'a server over stdio is killed': killSecond,
  'servers announce changed tools': async ({ servers }) => {
    for (const name of ['stable3', 'stable4']) servers.hosts.stable.grow(name);
  },
  'labels are changed': async ({ cluster, servers, random }) => {
    const wave = random() < 0.5 ? 'odd' : 'even';
    const spec = { ...servers.specs['stable5'], autoStart: true };
    await cluster.apply('MCPServer', 'stable5', spec, { wave });
  },
  'a workflow is created and deleted': async ({ cluster, random }) => {
    const name = `fleeting-${Math.floor(random() * 3)}`;
    await cluster.apply('Workflow', name, { description: 'Comes and goes.', steps: STEPS });
    await wait(500);
    await cluster.remove('workflows', name);
  },
  'a server that cannot be reached is changed': async ({ cluster, servers, random }) => {
    const description = `No. ${Math.floor(random() * 1000)}`;
    const spec = { ...servers.specs[UNREACHABLE], autoStart: true, description };
    await cluster.apply('MCPServer', UNREACHABLE, spec);
  },
  'the definition has another version': async ({ cluster, definition }) => {
    definition.isNewer = !definition.isNewer;
    await cluster.define(definition.isNewer);
  },
};

/** Runs faults one after the other until the time is over, in a random order in which each comes once before any comes twice. */
export const runFaults = async (world, faults, { until, counts, pauseMs }) => {
  let order = [];
  while (performance.now() < until) {
    if (order.length === 0) {
      const drawn = Object.keys(faults).map((name) => [world.random(), name]);
      order = drawn.toSorted(([a], [b]) => a - b).map(([, name]) => name);
    }
    const name = order.pop();
    process.stderr.write(`${new Date().toISOString()} ${name}\n`);
    try {
      await faults[name](world);
    } catch (error) {
      throw new Error(`${name}: ${error.message}`, { cause: error });
    }
    counts[name] = (counts[name] ?? 0) + 1;
    await wait(pauseMs * (0.5 + world.random()));
  }
};
