import type { AgentStatus } from '@gateway/agent-manager-client';
import { conditionsOf, holds } from '../read/conditions.ts';
import { at, defined, listOf, mapOf, numberOf, textOf } from '../values/lenient.ts';
import type { KubernetesObject, Workload } from '../store/objects.ts';

type Pod = AgentStatus['pods'][number];
type Container = Pod['containers'][number];

const STATES = ['waiting', 'terminated', 'running'] as const;

/** The default number of replicas of a Deployment. */
const DEFAULT_REPLICAS = 1;

/** Returns the report of a Deployment. */
export const deploymentReport = (
  deployment: Workload['deployment'],
): AgentStatus['deployment'] => ({
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
export const podReports = (pods: Workload['pods']): AgentStatus['pods'] => pods.map(podReport);
