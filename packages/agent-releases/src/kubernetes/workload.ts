import type { KubernetesObject, ObjectName, Workload } from '../store/objects.ts';
import { fieldsOf, isObjectName } from '@gateway/kube-client';
import { API_KINDS } from './api-kinds.ts';
import { MAX_PODS_WITH_EVENTS } from './limits.ts';
import type { ObjectReads } from './object-reads.ts';
import type { Answer } from '@gateway/agent-manager-client';

const MAX_LABEL_VALUE_CHARS = 63;
const EVENT_KINDS: ReadonlySet<unknown> = new Set(['Agent', 'HelmRelease', 'Deployment', 'Pod']);

const isRelevant = (event: KubernetesObject): boolean =>
  EVENT_KINDS.has(fieldsOf((event as { involvedObject?: unknown }).involvedObject)['kind']);

const listEvents = (reads: ObjectReads, { namespace, name }: ObjectName) =>
  reads.list({
    kind: API_KINDS.Event,
    namespace,
    selector: { fieldSelector: `involvedObject.name=${name}` },
  });

/** Returns all values, or the first refusal. */
const allOf = <T>(answers: readonly Answer<readonly T[]>[]): Answer<readonly T[]> => {
  const refusal = answers.find((answer) => !answer.ok);
  if (refusal !== undefined) return refusal;
  return { ok: true, value: answers.flatMap((answer) => (answer.ok ? answer.value : [])) };
};

/** Reads the workload of an agent: its Deployment, its pods, and the events of both, of the release and of the agent. */
export const readWorkload = async (
  reads: ObjectReads,
  object: ObjectName,
): Promise<Answer<Workload>> => {
  const { namespace, name } = object;
  if (!isObjectName(name) || name.length > MAX_LABEL_VALUE_CHARS)
    return { ok: true, value: { deployment: undefined, pods: [], events: [] } };
  const [deployment, pods, named] = await Promise.all([
    reads.get(API_KINDS.Deployment, object),
    reads.list({ kind: API_KINDS.Pod, namespace, selector: { labelSelector: `kagent=${name}` } }),
    listEvents(reads, object),
  ]);
  if (!deployment.ok) return deployment;
  if (!pods.ok) return pods;
  const ofPods = await Promise.all(
    pods.value
      .slice(0, MAX_PODS_WITH_EVENTS)
      .map((pod) => listEvents(reads, { namespace, name: pod.object.metadata.name })),
  );
  const events = allOf([named, ...ofPods]);
  if (!events.ok) return events;
  return {
    ok: true,
    value: {
      deployment: deployment.value?.object,
      pods: pods.value.map((pod) => pod.object),
      events: events.value.map((event) => event.object).filter(isRelevant),
    },
  };
};
