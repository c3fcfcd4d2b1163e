import type { AgentStatus } from '@gateway/agent-manager-client';
import { conditionsOf, holds } from '../read/object-facts.ts';
import { releaseBlock } from '../read/read-agent.ts';
import type {
  AgentResource,
  HelmRelease,
  KubernetesObject,
  ObjectName,
  Workload,
} from '../store/agent-store.ts';
import { at, defined, listOf, mapOf, numberOf, textOf } from '../values/lenient.ts';
import { verdictOf } from './verdict.ts';

/** The maximum number of events in a status. */
const MAX_EVENTS = 10;

type Event = AgentStatus['events'][number];

/** The paths of the time of an event, latest first: there are two kinds of events, each with series. */
const TIMES = [
  ['series', 'lastObservedTime'],
  ['lastTimestamp'],
  ['eventTime'],
  ['firstTimestamp'],
  ['metadata', 'creationTimestamp'],
] as const;

const timeOf = (event: KubernetesObject): string | undefined => {
  for (const path of TIMES) {
    const time = textOf(at(event, ...path));
    if (time !== undefined) return time;
  }
  return undefined;
};

const aboutOf = (event: KubernetesObject): string => {
  const about = at(event, 'involvedObject') ?? at(event, 'regarding');
  return `${textOf(at(about, 'kind')) ?? ''}/${textOf(at(about, 'name')) ?? ''}`;
};

const eventReport = (event: KubernetesObject): Event =>
  defined({
    type: textOf(at(event, 'type')) ?? '',
    reason: textOf(at(event, 'reason')) ?? '',
    message: textOf(at(event, 'message')) ?? textOf(at(event, 'note')) ?? '',
    object: aboutOf(event),
    count: numberOf(at(event, 'series', 'count')) ?? numberOf(at(event, 'count')) ?? 1,
    lastTimestamp: timeOf(event),
  });

const NEVER = Number.NEGATIVE_INFINITY;

const instantOf = ({ lastTimestamp }: Event): number => {
  const instant = lastTimestamp === undefined ? NEVER : Date.parse(lastTimestamp);
  return Number.isNaN(instant) ? NEVER : instant;
};

const newestFirst = (a: Event, b: Event): number => {
  const [left, right] = [instantOf(a), instantOf(b)];
  return left === right ? 0 : right - left;
};

/** Returns the latest events about an agent, newest first; events without a time are last. */
const eventReports = (events: Workload['events']): AgentStatus['events'] =>
  events.map(eventReport).sort(newestFirst).slice(0, MAX_EVENTS);

/** The maximum number of past installations in a status. */
const MAX_HISTORY = 5;

type Report = AgentStatus['helmRelease'];

const historyEntry = (entry: unknown): Report['history'][number] =>
  defined({
    version: numberOf(at(entry, 'version')),
    chartVersion: textOf(at(entry, 'chartVersion')),
    status: textOf(at(entry, 'status')),
    lastDeployed: textOf(at(entry, 'lastDeployed')),
  });

/** Returns the report of a release. The history of Flux starts with the newest entry. */
const releaseReport = (release: HelmRelease | undefined): Report => {
  const { ready, suspended, gitOpsOwned, deleting, lastAttemptedRevision } =
    release === undefined
      ? { ready: null, suspended: false, gitOpsOwned: false, deleting: false }
      : releaseBlock(release);
  return defined({
    exists: release !== undefined,
    ready,
    suspended,
    gitOpsOwned,
    deleting,
    conditions: [...conditionsOf(release)],
    history: listOf(at(release, 'status', 'history'))
      .slice(0, MAX_HISTORY)
      .map(historyEntry),
    lastAttemptedRevision,
  });
};

type Pod = AgentStatus['pods'][number];
type Container = Pod['containers'][number];

const STATES = ['waiting', 'terminated', 'running'] as const;

/** The default number of replicas of a Deployment. */
const DEFAULT_REPLICAS = 1;

/** Returns the report of a Deployment. */
const deploymentReport = (deployment: Workload['deployment']): AgentStatus['deployment'] => ({
  exists: deployment !== undefined,
  replicas: deployment ? (numberOf(at(deployment, 'spec', 'replicas')) ?? DEFAULT_REPLICAS) : 0,
  readyReplicas: numberOf(at(deployment, 'status', 'readyReplicas')) ?? 0,
  availableReplicas: numberOf(at(deployment, 'status', 'availableReplicas')) ?? 0,
  conditions: [...conditionsOf(deployment)],
});

const containerReport = (container: unknown, isInit: boolean): Container => {
  const states = mapOf(at(container, 'state'));
  const state: Container['state'] = STATES.find((kind) => Object.hasOwn(states, kind)) ?? 'unknown';
  const details = at(states, state);
  return defined({
    name: textOf(at(container, 'name')) ?? '',
    state,
    reason: textOf(at(details, 'reason')),
    message: textOf(at(details, 'message')),
    init: isInit || undefined,
  });
};

const podReport = (pod: KubernetesObject): Pod => {
  const init = listOf(at(pod, 'status', 'initContainerStatuses'));
  const main = listOf(at(pod, 'status', 'containerStatuses'));
  const restarts = [...init, ...main].map((one) => numberOf(at(one, 'restartCount')) ?? 0);
  return {
    name: textOf(at(pod, 'metadata', 'name')) ?? '',
    phase: textOf(at(pod, 'status', 'phase')) ?? 'Unknown',
    ready: holds(conditionsOf(pod), 'Ready') === true,
    restarts: restarts.reduce((sum, count) => sum + count, 0),
    containers: [
      ...init.map((container) => containerReport(container, true)),
      ...main.map((container) => containerReport(container, false)),
    ],
  };
};

/** Returns the reports of pods, with init containers first. */
const podReports = (pods: Workload['pods']): AgentStatus['pods'] => pods.map(podReport);

/** The objects in the store or cluster that belong to one agent; `undefined` where an object does not exist. */
export interface StatusObjects {
  readonly release: HelmRelease | undefined;
  readonly agent: AgentResource | undefined;
  readonly workload: Workload;
}

const agentReport = (agent: AgentResource | undefined): AgentStatus['agent'] => {
  const conditions = conditionsOf(agent);
  return {
    exists: agent !== undefined,
    ready: holds(conditions, 'Ready'),
    accepted: holds(conditions, 'Accepted'),
    conditions: [...conditions],
  };
};

/**
 * Returns the answer of `get_agent_status` for these objects. Does not throw, even for objects of an unexpected shape, because
 * other programs also write them.
 *
 * @spec §4.4
 */
export const agentStatus = (
  { namespace, name }: ObjectName,
  { release, agent, workload }: StatusObjects,
): AgentStatus => {
  const blocks = {
    agent: agentReport(agent),
    helmRelease: releaseReport(release),
    deployment: deploymentReport(workload.deployment),
    pods: podReports(workload.pods),
    events: eventReports(workload.events),
  };
  return { name, namespace, ...verdictOf(blocks), ...blocks };
};
