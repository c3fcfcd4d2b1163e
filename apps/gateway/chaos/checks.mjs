import { setTimeout as wait } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { catalogOf } from './replica-state.mjs';
import { UNREACHABLE } from './servers.mjs';

const LOOK_MS = 250;
const SETTLE_MS = 45_000;
const ANNOUNCED_MS = 15_000;
/** Two equal events of one server within this time are one occurrence. */
const SAME_MS = 1_000;
/** Events of which an object has at most one. */
const ONCE = ['MCPServerCreated', 'MCPServerDeleted', 'WorkflowCreated', 'WorkflowDeleted'];

/** Repeats a check until it finds no problem. Returns the last problems; that it failed is one. */
const settled = async (check, withinMs = SETTLE_MS) => {
  const end = performance.now() + withinMs;
  for (;;) {
    const problems = await check().catch(({ message }) => [message]);
    if (problems.length === 0 || performance.now() > end) return problems;
    await wait(LOOK_MS);
  }
};

const namesOf = (tools) => tools.map((tool) => tool.name ?? JSON.stringify(tool));

const differenceOf = (found, expected) => {
  const [here, there] = [new Set(namesOf(found)), new Set(namesOf(expected))];
  const more = [...here].filter((name) => !there.has(name)).map((name) => `+${name}`);
  const less = [...there].filter((name) => !here.has(name)).map((name) => `-${name}`);
  return [...more, ...less].slice(0, 10).join(' ') || 'the same names, other contents or order';
};

/** Every replica has the catalog that a process computes that has seen nothing of the run. */
const catalogProblems = async (world) => {
  const fresh = await world.create('fresh');
  await fresh.start();
  try {
    return await settled(async () => {
      const expected = await catalogOf(world, fresh);
      const problems = [];
      for (const replica of world.replicas) {
        const found = await catalogOf(world, replica);
        for (const part of ['all', 'labelled'])
          if (!isDeepStrictEqual(found[part], expected[part]))
            problems.push(
              `the catalog of ${replica.name} (${part}) differs: ${differenceOf(found[part], expected[part])}`,
            );
      }
      return problems;
    });
  } finally {
    await fresh.drain();
  }
};

const conditionProblems = ({ metadata, status }, isReady) => {
  const { name, generation } = metadata;
  const { conditions = [] } = status ?? {};
  const types = conditions.map(({ type }) => type);
  const ready = conditions.find(({ type }) => type === 'Ready' || type === 'Valid');
  const problems = [];
  if (new Set(types).size < types.length) problems.push(`${name} has conditions twice: ${types}`);
  if (ready?.status !== (isReady ? 'True' : 'False'))
    problems.push(`${name} is not as it should be: ${JSON.stringify(status)}`);
  for (const { type, observedGeneration } of conditions)
    if (observedGeneration !== generation)
      problems.push(`${name}: ${type} is about ${observedGeneration}, not ${generation}`);
  return problems;
};

/** The status of each object says what the replicas observe, about its last generation. */
const statusProblems = ({ cluster }) =>
  settled(async () => {
    const servers = await cluster.list('mcpservers');
    const workflows = await cluster.list('workflows');
    return [
      ...servers.flatMap((object) =>
        conditionProblems(object, object.metadata.name !== UNREACHABLE),
      ),
      ...workflows.flatMap((object) => conditionProblems(object, true)),
    ];
  });

/** Returns the events of each object with the same reason and text, oldest first, when there are several. */
const repeatedEvents = async ({ cluster }) => {
  const events = (await cluster.events()).map(({ eventTime, reason, note, regarding }) => ({
    ...{ at: Date.parse(eventTime), reason, uid: regarding.uid },
    what: `${reason} of ${regarding.name} (${regarding.uid}): ${note}`,
  }));
  return Object.values(Object.groupBy(events, ({ what }) => what))
    .filter(({ length }) => length > 1)
    .map((group) => group.toSorted((a, b) => a.at - b.at));
};

/** No event that an object has once was written twice. An event about a deleted object does not say which one it was. */
const eventProblems = async (world) =>
  (await repeatedEvents(world))
    .filter(([{ reason, uid }]) => uid !== undefined && ONCE.includes(reason))
    .map((group) => {
      const times = group.map(({ at }) => new Date(at).toISOString()).join(', ');
      return `written ${group.length} times (${times}): ${group[0].what}`;
    });

/** Counts equal events of servers within a second: occurrences that a former leader has written too. */
export const countTwins = async (world) => {
  const isClose = (group) =>
    group.slice(1).some(({ at }, index) => at - group[index].at < SAME_MS) &&
    group[0].reason.startsWith('MCPServer');
  return (await repeatedEvents(world)).filter(isClose).length;
};

/** One replica leads, and it runs. */
const leaderProblems = (world) =>
  settled(async () => {
    const holder = await world.cluster.leader();
    const leaders = world.replicas.filter(
      ({ name, isUp }) => isUp && holder.startsWith(`${name}_`),
    );
    return leaders.length === 1 ? [] : [`${holder || 'nobody'} holds the Lease`];
  });

/** Each open stream receives the announcement of a change. */
const streamProblems = async ({ streams, servers, expose }) => {
  // The list of the meta-tools never changes.
  if (expose === 'meta') return [];
  const before = streams.map(({ changes }) => changes);
  servers.hosts.stable.grow('stable0');
  return settled(async () => {
    const missing = streams.filter(({ changes }, at) => changes === before[at]);
    return missing.map(() => 'a stream did not receive an announcement');
  }, ANNOUNCED_MS);
};

/** All checks of the end of a run, by what is checked. Each resolves with its problems. */
export const CHECKS = {
  ...{ catalogProblems, statusProblems, eventProblems, leaderProblems, streamProblems },
};
