import { seededName } from './filled-store.mjs';

const AGENTS = '/api/v1/agents';
const one = (name) => `${AGENTS}/default/${name}`;
/** A number that walks over all of `count` before it comes back to one. */
const strided = (at, count) => (at * 2_677) % count;

/**
 * Requests of a hundred, by kind: what a portal and a few pipelines ask. Updates and deletions never meet another write of
 * the same agent, so that nothing is refused for being late.
 */
const SHARES = {
  get_agent: 67,
  validate_agent: 8,
  get_agent_status: 4,
  list_agents: 1,
  update_agent: 10,
  create_agent: 6,
  delete_agent: 4,
};

/** The kinds of a hundred requests, the rare ones spread evenly over the others. */
const kinds = Object.entries(SHARES)
  .flatMap(([kind, share]) =>
    Array.from({ length: share }, (_, at) => ({ kind, place: (at + 0.5) / share })),
  )
  .toSorted((a, b) => a.place - b.place)
  .map(({ kind }) => kind);

/**
 * The requests of a run, one after the other, and what the store must hold after those that were answered.
 *
 * @param agents how many agents there are from the start
 */
export const mixedRequests = (agents) => {
  const seen = { sent: 0, read: 0, updated: 0, created: 0 };
  /** Created, answered, and not yet chosen for deletion. */
  const deletable = [];
  /** By name: the description that was acknowledged last, or `undefined` for an agent that is gone. */
  const expected = new Map();

  const describe = (name, description) => () => expected.set(name, description);
  const makers = {
    get_agent: () => ({ method: 'GET', path: one(seededName(strided((seen.read += 1), agents))) }),
    get_agent_status: () => ({
      method: 'GET',
      path: `${one(seededName(strided((seen.read += 1), agents)))}/status`,
    }),
    list_agents: () => ({ method: 'GET', path: AGENTS }),
    validate_agent: () => ({
      method: 'POST',
      path: `${AGENTS}/validate`,
      body: { name: 'not-there-yet', modelConfig: 'small', toolset: ['preset:read-only'] },
    }),
    update_agent: () => {
      const number = (seen.updated += 1);
      const name = seededName(strided(number, agents));
      const description = `changed by update ${number}`;
      return {
        method: 'PATCH',
        path: one(name),
        body: { description },
        acknowledged: describe(name, description),
      };
    },
    create_agent: () => {
      const number = (seen.created += 1);
      const name = `made-${number}`;
      const description = `made by create ${number}`;
      return {
        method: 'POST',
        path: AGENTS,
        body: { name, description, modelConfig: 'small', toolset: ['preset:none'] },
        acknowledged: () => {
          expected.set(name, description);
          deletable.push(name);
        },
      };
    },
    delete_agent: () => {
      const name = deletable.shift();
      if (name === undefined) return undefined;
      return { method: 'DELETE', path: one(name), acknowledged: describe(name, undefined) };
    },
  };

  const next = () => {
    const wanted = kinds[seen.sent % kinds.length];
    seen.sent += 1;
    const made = makers[wanted]();
    // Nothing to delete yet.
    return made === undefined
      ? { kind: 'create_agent', ...makers.create_agent() }
      : { kind: wanted, ...made };
  };
  return { next, expected };
};
