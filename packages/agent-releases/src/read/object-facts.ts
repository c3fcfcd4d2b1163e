import type { Agent } from '@gateway/agent-manager-client';
import type { AgentChart } from '../chart/agent-chart.ts';
import type {
  HelmRelease,
  KubernetesObject,
  ObjectName,
  OciRepository,
} from '../store/agent-store.ts';
import { readNestedValue, pickDefined, toList, toNonBlankText } from '../values/lenient.ts';

/** A condition in the status of a Kubernetes object. */
export type AgentCondition = NonNullable<Agent['conditions']>[number];

const readConditions = (value: unknown): readonly AgentCondition[] => {
  const type = toNonBlankText(readNestedValue(value, 'type'));
  const status = toNonBlankText(readNestedValue(value, 'status'));
  if (type === undefined || status === undefined) return [];
  return [
    pickDefined({
      type,
      status,
      reason: toNonBlankText(readNestedValue(value, 'reason')),
      message: toNonBlankText(readNestedValue(value, 'message')),
      lastTransitionTime: toNonBlankText(readNestedValue(value, 'lastTransitionTime')),
    }),
  ];
};

/** Returns the conditions in the status of an object that have a type and a status, in their order. */
export const listConditions = (object: KubernetesObject | undefined): readonly AgentCondition[] =>
  toList(readNestedValue(object, 'status', 'conditions')).flatMap(readConditions);

/** Returns whether a condition is true; null when it is unknown. */
export const readConditionTruth = (
  conditions: readonly AgentCondition[],
  type: string,
): boolean | null => {
  const status = conditions.find((condition) => condition.type === type)?.status;
  return status === 'True' ? true : status === 'False' ? false : null;
};

const HELM_NAME = 'helm.toolkit.fluxcd.io/name';
const HELM_NAMESPACE = 'helm.toolkit.fluxcd.io/namespace';
const KUSTOMIZATION_NAME = 'kustomize.toolkit.fluxcd.io/name';

const readFluxLabel = (object: KubernetesObject, key: string): string | undefined =>
  toNonBlankText(readNestedValue(object, 'metadata', 'labels', key));

/** Returns the release that an Agent was rendered from, by the labels of Flux. */
export const findLabelOwner = (agent: KubernetesObject): ObjectName | undefined => {
  const name = readFluxLabel(agent, HELM_NAME);
  const namespace = readFluxLabel(agent, HELM_NAMESPACE);
  return name === undefined || namespace === undefined ? undefined : { namespace, name };
};

/** Returns the Flux Kustomization that applies a release from a Git repository; undefined when there is none. */
export const findKustomization = (release: KubernetesObject): string | undefined =>
  readFluxLabel(release, KUSTOMIZATION_NAME);

/** Returns whether an object is being deleted and waits for its finalizers. */
export const isDeleting = (object: KubernetesObject): boolean =>
  toNonBlankText(readNestedValue(object, 'metadata', 'deletionTimestamp')) !== undefined;

/** Returns whether a release is suspended. */
export const isSuspended = (release: KubernetesObject): boolean =>
  readNestedValue(release, 'spec', 'suspend') === true;

/** The reference of a release to the source of its chart. */
interface ChartRef extends ObjectName {
  readonly kind: string;
}

/** Returns the `chartRef` of a release. Its namespace defaults to the namespace of the release. */
export const findChartRef = (release: HelmRelease): ChartRef | undefined => {
  const kind = toNonBlankText(readNestedValue(release, 'spec', 'chartRef', 'kind'));
  const name = toNonBlankText(readNestedValue(release, 'spec', 'chartRef', 'name'));
  if (kind === undefined || name === undefined) return undefined;
  const namespace =
    toNonBlankText(readNestedValue(release, 'spec', 'chartRef', 'namespace')) ??
    toNonBlankText(readNestedValue(release, 'metadata', 'namespace')) ??
    '';
  return { kind, name, namespace };
};

/** Returns the name of the `OCIRepository` with the chart of a release; undefined when the release has none. */
export const findSourceName = (release: HelmRelease): ObjectName | undefined => {
  const ref = findChartRef(release);
  return ref?.kind === 'OCIRepository' ? { namespace: ref.namespace, name: ref.name } : undefined;
};

/** Returns whether a source has the name of the agent chart. */
export const hasChartName = (source: ObjectName, chart: AgentChart): boolean =>
  source.name === chart.name;

/** Returns whether a source has the URL of the agent chart. */
export const hasChartUrl = (source: OciRepository | undefined, chart: AgentChart): boolean =>
  readNestedValue(source, 'spec', 'url') === chart.ociUrl;

/** The facts of a release that a list needs. */
interface ReleaseFacts {
  /** Empty when the release has no name. */
  readonly name: string;
  /** Equal for releases with the same chart source. */
  readonly sourceKey: string;
  /** The release is being deleted and waits for its finalizers. */
  readonly isDeleting: boolean;
}

const factsCache = new WeakMap<HelmRelease, ReleaseFacts>();

/** Returns the facts of a release. Computed once per object. */
export const readReleaseFacts = (release: HelmRelease): ReleaseFacts => {
  const known = factsCache.get(release);
  if (known !== undefined) return known;
  const source = findSourceName(release);
  const facts = {
    name: toNonBlankText(readNestedValue(release, 'metadata', 'name')) ?? '',
    sourceKey: source === undefined ? '' : `${source.namespace}/${source.name}`,
    isDeleting: isDeleting(release),
  };
  factsCache.set(release, facts);
  return facts;
};
