import type { KubernetesObject } from '../../src/store/agent-store.ts';
import type { Workload } from '../../src/store/agent-store.ts';
import type { StatusObjects } from '../../src/status/agent-status.ts';

const NAMED = { name: 'sre', namespace: 'default' };

/** A condition as Kubernetes writes it. */
export const condition = (
  type: string,
  status: string,
  details: { readonly reason?: string; readonly message?: string } = {},
): object => ({ type, status, ...details });

/** A release with these conditions; without any, Flux has not seen it. */
export const release = (...conditions: readonly object[]): KubernetesObject => ({
  kind: 'HelmRelease',
  metadata: NAMED,
  spec: {},
  ...(conditions.length > 0 && { status: { conditions } }),
});

/** An Agent with these conditions. */
export const agent = (...conditions: readonly object[]): KubernetesObject => ({
  kind: 'Agent',
  metadata: NAMED,
  spec: {},
  status: { conditions },
});

/** A Deployment that asks for so many pods and has so many. */
export const deployment = (replicas: number, availableReplicas: number): KubernetesObject => ({
  kind: 'Deployment',
  metadata: NAMED,
  spec: { replicas },
  status: { availableReplicas, readyReplicas: availableReplicas },
});

/** A pod with one container in this state. */
export const pod = (state: object): KubernetesObject => ({
  kind: 'Pod',
  metadata: { name: 'sre-0', namespace: 'default' },
  status: { phase: 'Pending', containerStatuses: [{ name: 'agent', restartCount: 2, state }] },
});

/** An event about the pod. */
export const event = (type: string, reason: string, message: string): KubernetesObject =>
  ({
    kind: 'Event',
    metadata: { name: reason, namespace: 'default' },
    type,
    reason,
    message,
    involvedObject: { kind: 'Pod', name: 'sre-0' },
    lastTimestamp: '2026-11-21T10:00:00Z',
  }) as KubernetesObject;

/** The objects of the agent; none by default. */
export const objects = (
  given: Partial<Omit<StatusObjects, 'workload'>> & Partial<Workload>,
): StatusObjects => ({
  release: given.release,
  agent: given.agent,
  workload: {
    deployment: given.deployment,
    pods: given.pods ?? [],
    events: given.events ?? [],
  },
});

export const READY = condition('Ready', 'True');
