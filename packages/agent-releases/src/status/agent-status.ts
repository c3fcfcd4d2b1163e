import type { AgentStatus } from '@gateway/agent-manager-client';
import { listConditions, readConditionTruth } from '../read/object-facts.ts';
import { toReleaseBlock } from '../read/read-agent.ts';
import type {
  AgentResource,
  HelmRelease,
  KubernetesObject,
  ObjectName,
  Workload,
} from '../store/agent-store.ts';
import {
  readNestedValue,
  pickDefined,
  toList,
  toMap,
  toNumericValue,
  toNonBlankText,
} from '../values/lenient.ts';
import { computeVerdict } from './verdict.ts';

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

const findEventTime = (event: KubernetesObject): string | undefined => {
  for (const path of TIMES) {
    const time = toNonBlankText(readNestedValue(event, ...path));
    if (time !== undefined) return time;
  }
  return undefined;
};

const formatSubject = (event: KubernetesObject): string => {
  const about = readNestedValue(event, 'involvedObject') ?? readNestedValue(event, 'regarding');
  return `${toNonBlankText(readNestedValue(about, 'kind')) ?? ''}/${toNonBlankText(readNestedValue(about, 'name')) ?? ''}`;
};

const createEventReport = (event: KubernetesObject): Event =>
  pickDefined({
    type: toNonBlankText(readNestedValue(event, 'type')) ?? '',
    reason: toNonBlankText(readNestedValue(event, 'reason')) ?? '',
    message:
      toNonBlankText(readNestedValue(event, 'message')) ??
      toNonBlankText(readNestedValue(event, 'note')) ??
      '',
    object: formatSubject(event),
    count:
      toNumericValue(readNestedValue(event, 'series', 'count')) ??
      toNumericValue(readNestedValue(event, 'count')) ??
      1,
    lastTimestamp: findEventTime(event),
  });

const NEVER = Number.NEGATIVE_INFINITY;

const computeInstant = ({ lastTimestamp }: Event): number => {
  const instant = lastTimestamp === undefined ? NEVER : Date.parse(lastTimestamp);
  return Number.isNaN(instant) ? NEVER : instant;
};

const compareEvents = (a: Event, b: Event): number => {
  const [left, right] = [computeInstant(a), computeInstant(b)];
  return left === right ? 0 : right - left;
};

/** Returns the latest events about an agent, newest first; events without a time are last. */
const listEventReports = (events: Workload['events']): AgentStatus['events'] =>
  events.map(createEventReport).sort(compareEvents).slice(0, MAX_EVENTS);

/** The maximum number of past installations in a status. */
const MAX_HISTORY = 5;

type Report = AgentStatus['helmRelease'];

const createHistoryEntry = (entry: unknown): Report['history'][number] =>
  pickDefined({
    version: toNumericValue(readNestedValue(entry, 'version')),
    chartVersion: toNonBlankText(readNestedValue(entry, 'chartVersion')),
    status: toNonBlankText(readNestedValue(entry, 'status')),
    lastDeployed: toNonBlankText(readNestedValue(entry, 'lastDeployed')),
  });

/** Returns the report of a release. The history of Flux starts with the newest entry. */
const createReleaseReport = (release: HelmRelease | undefined): Report => {
  const { ready, suspended, gitOpsOwned, deleting, lastAttemptedRevision } =
    release === undefined
      ? { ready: null, suspended: false, gitOpsOwned: false, deleting: false }
      : toReleaseBlock(release);
  return pickDefined({
    exists: release !== undefined,
    ready,
    suspended,
    gitOpsOwned,
    deleting,
    conditions: [...listConditions(release)],
    history: toList(readNestedValue(release, 'status', 'history'))
      .slice(0, MAX_HISTORY)
      .map(createHistoryEntry),
    lastAttemptedRevision,
  });
};

type Pod = AgentStatus['pods'][number];
type Container = Pod['containers'][number];

const STATES = ['waiting', 'terminated', 'running'] as const;

/** The default number of replicas of a Deployment. */
const DEFAULT_REPLICAS = 1;

/** Returns the report of a Deployment. */
const createDeploymentReport = (deployment: Workload['deployment']): AgentStatus['deployment'] => ({
  exists: deployment !== undefined,
  replicas: deployment
    ? (toNumericValue(readNestedValue(deployment, 'spec', 'replicas')) ?? DEFAULT_REPLICAS)
    : 0,
  readyReplicas: toNumericValue(readNestedValue(deployment, 'status', 'readyReplicas')) ?? 0,
  availableReplicas:
    toNumericValue(readNestedValue(deployment, 'status', 'availableReplicas')) ?? 0,
  conditions: [...listConditions(deployment)],
});

const createContainerReport = (container: unknown, isInit: boolean): Container => {
  const states = toMap(readNestedValue(container, 'state'));
  const state: Container['state'] = STATES.find((kind) => Object.hasOwn(states, kind)) ?? 'unknown';
  const details = readNestedValue(states, state);
  return pickDefined({
    name: toNonBlankText(readNestedValue(container, 'name')) ?? '',
    state,
    reason: toNonBlankText(readNestedValue(details, 'reason')),
    message: toNonBlankText(readNestedValue(details, 'message')),
    init: isInit || undefined,
  });
};

const createPodReport = (pod: KubernetesObject): Pod => {
  const init = toList(readNestedValue(pod, 'status', 'initContainerStatuses'));
  const main = toList(readNestedValue(pod, 'status', 'containerStatuses'));
  const restarts = [...init, ...main].map(
    (one) => toNumericValue(readNestedValue(one, 'restartCount')) ?? 0,
  );
  return {
    name: toNonBlankText(readNestedValue(pod, 'metadata', 'name')) ?? '',
    phase: toNonBlankText(readNestedValue(pod, 'status', 'phase')) ?? 'Unknown',
    ready: readConditionTruth(listConditions(pod), 'Ready') === true,
    restarts: restarts.reduce((sum, count) => sum + count, 0),
    containers: [
      ...init.map((container) => createContainerReport(container, true)),
      ...main.map((container) => createContainerReport(container, false)),
    ],
  };
};

/** Returns the reports of pods, with init containers first. */
const listPodReports = (pods: Workload['pods']): AgentStatus['pods'] => pods.map(createPodReport);

/** The objects in the store or cluster that belong to one agent; `undefined` where an object does not exist. */
export interface StatusObjects {
  readonly release: HelmRelease | undefined;
  readonly agent: AgentResource | undefined;
  readonly workload: Workload;
}

const createAgentReport = (agent: AgentResource | undefined): AgentStatus['agent'] => {
  const conditions = listConditions(agent);
  return {
    exists: agent !== undefined,
    ready: readConditionTruth(conditions, 'Ready'),
    accepted: readConditionTruth(conditions, 'Accepted'),
    conditions: [...conditions],
  };
};

/**
 * Returns the answer of `get_agent_status` for these objects. Does not throw, even for objects of an unexpected shape, because
 * other programs also write them.
 *
 * @spec §4.4
 */
export const computeAgentStatus = (
  { namespace, name }: ObjectName,
  { release, agent, workload }: StatusObjects,
): AgentStatus => {
  const blocks = {
    agent: createAgentReport(agent),
    helmRelease: createReleaseReport(release),
    deployment: createDeploymentReport(workload.deployment),
    pods: listPodReports(workload.pods),
    events: listEventReports(workload.events),
  };
  return { name, namespace, ...computeVerdict(blocks), ...blocks };
};
