import { eventually } from './operator.mjs';

/** Returns the reported state of a server. */
const reportedState = ({ state, error, health, statusMessage }) => ({
  state,
  error,
  health,
  statusMessage,
});

const start = ({ operator }, name) => operator.textOf('core_service_start', { name });

/** Of a call of the one tool of a remote server. */
const called = async ({ operator }, name) =>
  (await operator.call(`x_${name}_hello`)).content[0].text;

/** A server that is well, then fails like this, then is well again. */
const breaks = (name, how, { during, after = { state: 'Connected' } }) => ({
  name,
  run: async (world) => {
    await start(world, name);
    await world.faulty.ask(`behave ${name} ${how}`);
    const failing = called(world, name).catch(String);
    const seen = await world.operator.until(name, during);
    await world.faulty.ask(`behave ${name} serve`);
    const recovered = await world.operator.until(name, after);
    // A call that was never answered ends with its connection.
    await world.operator.textOf('core_service_stop', { name });
    return { during: reportedState(seen), after: reportedState(recovered), call: await failing };
  },
});

/** A server that fails like this from the start, then is well. */
const startsSo = (name, how, { during }) => ({
  name,
  run: async (world) => {
    await world.faulty.ask(`behave ${name} ${how}`);
    const answer = start(world, name);
    const seen = await world.operator.until(name, during);
    await world.faulty.ask(`behave ${name} serve`);
    const recovered = await world.operator.until(name, { state: 'Connected' });
    return { during: reportedState(seen), start: await answer, after: reportedState(recovered) };
  },
});

/** A server whose list takes its time: until somebody has seen that it is waited for. */
const slow = {
  name: 'slow',
  run: async (world) => {
    await world.faulty.ask('behave slow hold-list');
    const answer = start(world, 'slow');
    await eventually(async () => {
      if ((await world.faulty.ask('held slow')) === 0)
        throw new Error('its list was not asked for');
    });
    const during = reportedState(await world.operator.info('slow'));
    await world.faulty.ask('behave slow serve');
    return { during, start: await answer, after: reportedState(await world.operator.info('slow')) };
  },
};

/** A server that fails in its answers to calls alone. */
const answersSo = (name, how) => ({
  name,
  run: async (world) => {
    await start(world, name);
    await world.faulty.ask(`behave ${name} ${how}`);
    const call = await called(world, name);
    await world.faulty.ask(`behave ${name} serve`);
    const next = await called(world, name);
    const after = reportedState(await world.operator.info(name));
    const sent = await world.faulty.ask(`sent ${name}`);
    return { after, call, next, sent };
  },
});

/** A sign-in does not restart the server, so the operator restarts it. */
const unauthorized = {
  name: 'unauthorized',
  run: async (world) => {
    await start(world, 'unauthorized');
    await world.faulty.ask('behave unauthorized 401');
    const call = await called(world, 'unauthorized');
    const seen = await world.operator.until('unauthorized', { state: 'Auth Required' });
    await world.faulty.ask('behave unauthorized serve');
    await start(world, 'unauthorized');
    const after = reportedState(await world.operator.info('unauthorized'));
    return { during: reportedState(seen), after, call };
  },
};

/** Faults of remote servers, by what they do. */
export const REMOTE_FAULTS = {
  'connections refused': breaks('refusing', 'refuse', { during: { state: 'Failed' } }),
  'accepts and hangs, from the start': startsSo('mute', 'hang', { during: { state: 'Failed' } }),
  'accepts and hangs, in between': breaks('hanging', 'hang', {
    during: { health: 'unhealthy' },
    after: { health: 'healthy' },
  }),
  'half-open TCP': breaks('half-open', 'half-open', { during: { state: 'Failed' } }),
  'slow list': slow,
  'answers 401': unauthorized,
  'answers 500': startsSo('broken', '500', { during: { state: 'Failed' } }),
  'redirects in a loop': startsSo('circling', 'redirect', { during: { state: 'Failed' } }),
  'answers too much': answersSo('large', 'large'),
  'answers no UTF-8': answersSo('odd', 'odd'),
};
