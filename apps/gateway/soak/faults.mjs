import { setTimeout as wait } from 'node:timers/promises';
import { descendantsOf } from '../bench/faults/leaks.mjs';
import { FRAIL } from './world.mjs';

const HOLD_MS = 300;
const HEAL_MS = 20_000;

/** Every server of the world, with its state when all is well. */
const HEALTHY = {
  s0: 'Connected',
  s1: 'Connected',
  s2: 'Connected',
  asking: 'Connected',
  flaky: 'Connected',
  local: 'Running',
  restless: 'Running',
  frail: 'Running',
};

/** Resolves when every server is connected again. */
export const untilHealed = async ({ operator }) => {
  for (const [name, state] of Object.entries(HEALTHY))
    await operator.until(name, { state }, HEAL_MS);
};

const behaves =
  (how) =>
  async ({ faulty }) => {
    await faulty.ask(`behave flaky ${how}`);
    await wait(HOLD_MS);
    await faulty.ask('behave flaky serve');
  };

const created = async ({ operator }, tool, args) => {
  const result = await operator.call(tool, args);
  if (result.isError === true) throw new Error(`${tool}: ${result.content[0].text}`);
};

const signals =
  (signal) =>
  ({ gateway }) => {
    const frail = descendantsOf(gateway.pid).find(({ command }) => command.endsWith('/frail.sh'));
    if (frail !== undefined) process.kill(frail.pid, signal);
  };

/** The faults and the changes of an operator, each of which undoes itself. */
const FAULTS = {
  'a stdio server is killed': signals('SIGKILL'),
  'a stdio server ends': signals('SIGTERM'),
  'a server hangs': behaves('hang'),
  'a server refuses connections': behaves('refuse'),
  'a server closes its half of connections': behaves('half-open'),
  'a server answers 500': behaves('500'),
  'a server announces changed tools': async ({ operator }) => {
    await operator.call('x_restless_storm');
    await wait(HOLD_MS);
    await operator.call('x_restless_calm');
  },
  'presets are edited': async ({ directory }) => {
    directory.presets(1);
    await wait(HOLD_MS);
    directory.presets(0);
  },
  'labels are edited': async ({ directory, remote, wellUrl }) => {
    const spec = remote(`${wellUrl}/s1/mcp`);
    directory.server('s1', spec, { team: 'a' });
    await wait(HOLD_MS);
    directory.server('s1', spec);
  },
  'a server is added and removed': async ({ directory }) => {
    directory.server('added', FRAIL);
    await wait(2 * HOLD_MS);
    directory.removeServer('added');
  },
  'core tools create and delete a server': async (world) => {
    await created(world, 'core_mcpserver_create', { name: 'created', ...FRAIL, autoStart: true });
    await wait(HOLD_MS);
    await created(world, 'core_mcpserver_delete', { name: 'created' });
  },
  'core tools create and delete a workflow': async (world) => {
    const steps = [{ id: 'a', tool: 'x_s0_read_item_0', args: { id: '1' } }];
    await created(world, 'core_workflow_create', { name: 'created', steps });
    await world.operator.call('workflow_created');
    await created(world, 'core_workflow_delete', { name: 'created' });
  },
  'an operator restarts a server': ({ operator }) =>
    operator.call('core_service_restart', { name: 'restless' }),
  'the clock jumps': async ({ gateway }) => {
    for (const jump of ['forward', 'back', 'right']) {
      await gateway.ask(`clock ${jump}`);
      await wait(HOLD_MS / 3);
    }
  },
};

/** Runs faults one after the other until the time is over, in a random order in which each comes once before any comes twice. */
export const createFaultRunner = (world, counts) => {
  let order = [];
  const next = () => {
    if (order.length === 0) {
      const drawn = Object.keys(FAULTS).map((name) => [world.random(), name]);
      order = drawn.toSorted(([a], [b]) => a - b).map(([, name]) => name);
    }
    return order.pop();
  };
  return async (until) => {
    while (performance.now() < until) {
      const name = next();
      try {
        await FAULTS[name](world);
        counts[name] = (counts[name] ?? 0) + 1;
      } catch (error) {
        throw new Error(`${name}: ${error.message}`, { cause: error });
      }
      await wait(HOLD_MS);
    }
    await untilHealed(world);
  };
};
