import { readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { descendantsOf } from './leaks.mjs';
import { eventually } from './operator.mjs';

const KILLS = 50;
const STORM_MS = 1_500;

const reportedState = ({ state, error, restartCount }) => ({ state, error, restartCount });

const frailPids = ({ gateway }) =>
  descendantsOf(gateway.pid).flatMap(({ pid, command }) =>
    command.includes('frail.sh') ? [pid] : [],
  );

/** Waits until it is another process than the last one, and ready. */
const nextPid = (world, last) =>
  eventually(async () => {
    const [pid, ...more] = frailPids(world);
    const { state } = await world.operator.info('frail');
    if (pid === undefined || pid === last || more.length > 0 || state !== 'Running')
      throw new Error(`frail is ${state}, process ${[pid, ...more].join()} after ${last}`);
    return pid;
  });

/** Asks for it until its end was noticed: it is started then, or came back by itself before. */
const startedAfter = (world, last) =>
  eventually(async () => {
    const text = await world.operator.textOf('core_service_start', { name: 'frail' });
    if (text.includes('already') && frailPids(world)[0] === last) throw new Error(text);
  });

/** Kills it again and again. The first `alone` times it comes back by itself, later somebody asks for it, unless it was faster. */
const killed = (alone) => ({
  name: 'frail',
  run: async (world) => {
    const { operator } = world;
    await operator.textOf('core_service_start', { name: 'frail' });
    let pid;
    for (let kill = 0; kill < KILLS; kill += 1) {
      pid = await nextPid(world, pid);
      process.kill(pid, 'SIGKILL');
      if (kill >= alone) await startedAfter(world, pid);
    }
    await nextPid(world, pid);
    return { after: reportedState(await operator.info('frail')) };
  },
});

const relisting = {
  name: 'restless',
  run: async ({ operator }) => {
    await operator.textOf('core_service_start', { name: 'restless' });
    await operator.call('x_restless_storm');
    await wait(STORM_MS);
    const { generation, lists } = JSON.parse(await operator.textOf('x_restless_calm'));
    // The last of the changes is the one that is listed.
    await eventually(async () => {
      const text = (await operator.call(`x_restless_generation_${generation}`)).content[0].text;
      if (text.startsWith('Tool not found')) throw new Error(text);
    });
    return { after: reportedState(await operator.info('restless')), announced: generation, lists };
  },
};

/** Answers of a stdio server that are too large, or no UTF-8. */
const badLines = {
  name: 'restless',
  run: async ({ operator }) => {
    await operator.textOf('core_service_start', { name: 'restless' });
    const odd = await operator.textOf('x_restless_odd');
    const large = await operator.textOf('x_restless_large');
    return {
      after: reportedState(await operator.until('restless', { state: 'Running' })),
      odd,
      large,
    };
  },
};

/** While a server fails and is tried again, the clock is moved by an hour. */
const clockMoves = (way) => ({
  name: `clocked-${way}`,
  run: async ({ operator, inSession, gateway, faulty }) => {
    const name = `clocked-${way}`;
    await operator.textOf('core_service_start', { name });
    await faulty.ask(`behave ${name} refuse`);
    await operator.until(name, { state: 'Failed' });
    await gateway.ask(`clock ${way}`);
    const session = await inSession.textOf('core_mcpserver_get', { name });
    await wait(100);
    await faulty.ask(`behave ${name} serve`);
    const after = await operator.until(name, { state: 'Connected' });
    const [last] = (await operator.events(name)).slice(-1);
    await gateway.ask('clock right');
    const offset = Date.parse(`${last.timestamp.replace(' ', 'T')}Z`) - Date.now();
    return {
      after: reportedState(after),
      hours: Math.round(offset / 3_600_000),
      session: JSON.parse(session).state,
    };
  },
});

/** A write that found no room left half a line, which is skipped over. */
const eventOf = (line) => {
  try {
    return JSON.parse(line);
  } catch {
    return {};
  }
};

/** Returns whether every event of a server is also stored on disk. */
const isKept = async ({ disk, operator }, name) => {
  const text = await readFile(disk.path('state/mcpserver-00000001.jsonl'), 'utf8');
  const kept = text.split('\n').map(eventOf);
  const remembered = await operator.events(name);
  return remembered.every(({ reason }) =>
    kept.some((event) => event.name === name && event.reason === reason),
  );
};

const NEW = { type: 'stdio', command: 'sh', args: ['-c', 'exit 1'] };

/** The disk takes nothing any more: what is written, and what happens meanwhile. */
const disk = (name, shut, open) => ({
  name,
  run: async (world) => {
    const { operator } = world;
    const definition = () => readFile(world.disk.path('mcpservers', `${name}.yaml`), 'utf8');
    const before = await definition();
    await world.disk[shut]();
    const started = await operator.textOf('core_service_start', { name });
    const create = await operator.textOf('core_mcpserver_create', { name: `new-${name}`, ...NEW });
    const update = await operator.textOf('core_mcpserver_update', { name, description: 'now' });
    const meanwhile = (await operator.events(name)).map(({ reason }) => reason);
    const isUntouched = (await definition()) === before;
    await wait(100);
    await world.disk[open]();
    await operator.textOf('core_service_stop', { name });
    const later = await operator.textOf('core_mcpserver_update', { name, description: 'later' });
    await eventually(async () => {
      if (!(await isKept(world, name))) throw new Error('not all events are on disk');
    });
    return { started, create, update, meanwhile, isUntouched, later };
  },
});

/** Faults of stdio servers, of the disk and of the clock. */
export const localFaults = (killsAlone) => ({
  'killed 50 times': killed(killsAlone),
  'lists anew 100 times a second': relisting,
  'lines too long or no UTF-8': badLines,
  'clock an hour ahead': clockMoves('forward'),
  'clock an hour behind': clockMoves('back'),
  'disk full': disk('filled', 'fill', 'empty'),
  'disk read-only': disk('locked', 'lock', 'unlock'),
});
