import { setTimeout as wait } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { catalogOf } from './replica-state.mjs';
import { MAX_RUNS } from './replicas.mjs';
import { UNREACHABLE } from './servers.mjs';

const LOOK_MS = 250;
const SETTLE_MS = 45_000;
const ANNOUNCED_MS = 15_000;
/** A run that takes longer was abandoned, and the leader ends it within this time. */
const RUN_MS = 10_000;
const ABANDONED_MS = 120_000;
const RUN_STATUS = 'gateway.internal/status';
/** Runs that end while the leader deletes older ones. */
const NEW_RUNS = 20;
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

const eventOf = ({ metadata, eventTime, reason, note, regarding, series }) => ({
  ...{ at: Date.parse(eventTime), reason, uid: regarding.uid },
  what: `${reason} of ${regarding.name} (${regarding.uid}): ${note}`,
  written: `${metadata.name} at ${eventTime}, ${series?.count ?? 1} times, by ${metadata.creationTimestamp}`,
});

/** Returns the events of each object with the same reason and text, oldest first, when there are several. */
const repeatedEvents = async ({ cluster }) => {
  const groups = new Map();
  for (const event of (await cluster.events()).map(eventOf))
    groups.set(event.what, [...(groups.get(event.what) ?? []), event]);
  return [...groups.values()]
    .filter(({ length }) => length > 1)
    .map((group) => group.toSorted((a, b) => a.at - b.at));
};

/** An event about a deleted object does not say which one it was. */
const isOnce = ([{ reason, uid }]) => uid !== undefined && ONCE.includes(reason);

/** Events of runs and sign-ins are as many as there are runs and sign-ins. */
const isClose = (group) =>
  group[0].reason.startsWith('MCPServer') &&
  group.slice(1).some(({ at }, index) => at - group[index].at < SAME_MS);

/** No occurrence was written twice, as by two replicas that led. */
const eventProblems = async (world) =>
  (await repeatedEvents(world))
    .filter((group) => isOnce(group) || isClose(group))
    .map((group) => {
      const objects = group.map(({ written }) => written).join('; ');
      return `written ${group.length} times: ${group[0].what}: ${objects}`;
    });

/**
 * Runs are recorded once they have ended, and no more of them are retained than configured. A run of a replica that was killed has ended too:
 * the leader ends its record.
 */
const runProblems = ({ cluster }) =>
  settled(async () => {
    const runs = (await cluster.list('workflowexecutions')).map(({ metadata }) => ({
      name: metadata.name,
      status: metadata.labels[RUN_STATUS],
      ms: Date.now() - Date.parse(metadata.creationTimestamp),
    }));
    const open = runs.filter(({ status, ms }) => status === 'inprogress' && ms > RUN_MS);
    return [
      ...open.map(({ name, ms }) => `the run ${name} has not ended after ${ms} ms`),
      ...(runs.some(({ status }) => status === 'completed') ? [] : ['no run is recorded']),
      ...(runs.length > MAX_RUNS + NEW_RUNS ? [`${runs.length} runs are retained`] : []),
    ];
  }, ABANDONED_MS);

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
  runProblems,
};
