import {
  type Agent,
  type DeclaredToolset,
  type ModelConfigList,
  readDeclaredToolset,
} from '@gateway/agent-manager-client';
import { EMBEDDED_CHART } from '../chart/embedded-chart.ts';
import type { AgentResource, HelmRelease, Json, KubernetesObject } from '../store/agent-store.ts';
import {
  readNestedValue,
  pickDefined,
  isWithinDepth,
  toList,
  toMap,
  readOwnKey,
  toNonBlankText,
  toTextList,
  toNonEmptyList,
  readReleaseValues,
} from '../values/lenient.ts';
import {
  findChartRef,
  listConditions,
  readConditionTruth,
  isDeleting,
  isSuspended,
  findKustomization,
} from './object-facts.ts';

type Skills = NonNullable<Agent['skills']>;
type GitRef = NonNullable<Skills['gitRefs']>[number];

const gitRefOf = (value: unknown): readonly GitRef[] => {
  const url = toNonBlankText(readNestedValue(value, 'url'));
  if (url === undefined) return [];
  return [
    pickDefined({
      url,
      path: toNonBlankText(readNestedValue(value, 'path')),
      ref: toNonBlankText(readNestedValue(value, 'ref')),
      name: toNonBlankText(readNestedValue(value, 'name')),
    }),
  ];
};

/** Returns the skills in the values of the chart or in an Agent, which have the same form; undefined when there are none. */
const skillsOf = (block: unknown): Skills | undefined => {
  const skills: Skills = pickDefined({
    refs: toNonEmptyList(toTextList(readNestedValue(block, 'refs'))),
    gitRefs: toNonEmptyList(toList(readNestedValue(block, 'gitRefs')).flatMap(gitRefOf)),
    gitAuthSecretName: toNonBlankText(readNestedValue(block, 'gitAuthSecretRef', 'name')),
  });
  return Object.keys(skills).length === 0 ? undefined : skills;
};

/** The identity of an agent, read from the values of its release or from its Agent resource. */
type Identity = Pick<
  Agent,
  'displayName' | 'description' | 'modelConfig' | 'runtime' | 'iconUrl' | 'systemMessage' | 'skills'
>;

/** Returns the identity in the values of a release. */
const identityOfValues = (values: Json): Identity =>
  pickDefined({
    displayName: toNonBlankText(readNestedValue(values, 'agent', 'displayName')),
    description: toNonBlankText(readNestedValue(values, 'agent', 'description')),
    modelConfig: toNonBlankText(readNestedValue(values, 'modelConfig', 'name')),
    runtime: toNonBlankText(readNestedValue(values, 'agent', 'runtime')),
    iconUrl: toNonBlankText(readNestedValue(values, 'agent', 'iconUrl')),
    systemMessage: toNonBlankText(readNestedValue(values, 'agent', 'systemMessage')),
    skills: skillsOf(readNestedValue(values, 'skills')),
  });

const DISPLAY_NAME_SUFFIX = '/display-name';

/** Returns the display name from the annotation `<label domain>/display-name`; the label domain is a value of the chart. */
const displayNameOf = (agent: AgentResource): string | undefined => {
  const annotations = toMap(readNestedValue(agent, 'metadata', 'annotations'));
  const key = Object.keys(annotations)
    .filter((name) => name.endsWith(DISPLAY_NAME_SUFFIX))
    .sort()[0];
  return key === undefined ? undefined : toNonBlankText(annotations[key]);
};

/** Returns the identity in an Agent resource. */
const identityOfResource = (agent: AgentResource): Identity =>
  pickDefined({
    displayName: displayNameOf(agent),
    description: toNonBlankText(readNestedValue(agent, 'spec', 'description')),
    modelConfig: toNonBlankText(readNestedValue(agent, 'spec', 'declarative', 'modelConfig')),
    runtime: toNonBlankText(readNestedValue(agent, 'spec', 'declarative', 'runtime')),
    iconUrl: toNonBlankText(readNestedValue(agent, 'spec', 'iconUrl')),
    systemMessage: toNonBlankText(readNestedValue(agent, 'spec', 'declarative', 'systemMessage')),
    skills: skillsOf(readNestedValue(agent, 'spec', 'skills')),
  });

/** Returns the toolset in the values of a release. A value that is not a list gives no access. @spec §2.8 */
const toolsetOfValues = (values: Json): DeclaredToolset => {
  const toolset = readOwnKey(values, 'toolset');
  if (toolset === undefined || toolset === null) return { implicitFullAccess: true };
  return Array.isArray(toolset) ? { toolset: [...toTextList(toolset)] } : {};
};

/** The release of an agent, in a response. */
type ReleaseBlock = NonNullable<Agent['helmRelease']>;

/** Returns the state of a release in an agent. */
export const toReleaseBlock = (release: HelmRelease): ReleaseBlock => {
  const conditions = listConditions(release);
  const ready = conditions.find(({ type }) => type === 'Ready');
  const [latest] = toList(readNestedValue(release, 'status', 'history'));
  return pickDefined({
    name: toNonBlankText(readNestedValue(release, 'metadata', 'name')) ?? '',
    namespace: toNonBlankText(readNestedValue(release, 'metadata', 'namespace')) ?? '',
    ready: readConditionTruth(conditions, 'Ready'),
    reason: ready?.reason,
    message: ready?.message,
    chartVersion: toNonBlankText(readNestedValue(latest, 'chartVersion')),
    lastAttemptedRevision: toNonBlankText(
      readNestedValue(release, 'status', 'lastAttemptedRevision'),
    ),
    suspended: isSuspended(release),
    gitOpsOwned: findKustomization(release) !== undefined,
    deleting: isDeleting(release),
    chartRef: findChartRef(release),
  });
};

/** Returns the list entry of a model configuration, which may have any shape. */
type ListedModelConfig = ModelConfigList['modelConfigs'][number];

/** A model configuration of any shape, as it is listed. */
export const readModelConfig = (object: KubernetesObject): ListedModelConfig => {
  const conditions = listConditions(object);
  return pickDefined({
    name: toNonBlankText(readNestedValue(object, 'metadata', 'name')) ?? '',
    namespace: toNonBlankText(readNestedValue(object, 'metadata', 'namespace')) ?? '',
    provider: toNonBlankText(readNestedValue(object, 'spec', 'provider')),
    model: toNonBlankText(readNestedValue(object, 'spec', 'model')),
    accepted: readConditionTruth(conditions, 'Accepted'),
    message: conditions.find(({ type }) => type === 'Accepted')?.message,
    managedBy: toNonBlankText(
      readNestedValue(object, 'metadata', 'labels', 'app.kubernetes.io/managed-by'),
    ),
  });
};

/** The objects of an agent, at least one of the two. */
type AgentObjects =
  | { readonly release: HelmRelease; readonly agent?: AgentResource | undefined }
  | { readonly release?: undefined; readonly agent: AgentResource };

const ofResource = (agent: AgentResource | undefined) => {
  const conditions = listConditions(agent);
  return {
    exists: agent !== undefined,
    ready: readConditionTruth(conditions, 'Ready'),
    accepted: readConditionTruth(conditions, 'Accepted'),
    ...(conditions.length > 0 && { conditions: [...conditions] }),
  };
};

const ofRelease = (release: HelmRelease) => {
  const values = readReleaseValues(release);
  return {
    ...toolsetOfValues(values),
    managed: findKustomization(release) === undefined ? 'helmrelease' : 'gitops',
    helmRelease: toReleaseBlock(release),
    ...(readNestedValue(release, 'spec', 'values') === values &&
      isWithinDepth(values) && { values }),
  } as const;
};

const compose = ({ release, agent }: AgentObjects): Agent => {
  const named = agent ?? release;
  return pickDefined({
    name: toNonBlankText(readNestedValue(named, 'metadata', 'name')) ?? '',
    namespace: toNonBlankText(readNestedValue(named, 'metadata', 'namespace')) ?? '',
    ...(agent && identityOfResource(agent)),
    ...(release && identityOfValues(readReleaseValues(release))),
    ...ofResource(agent),
    ...(release
      ? ofRelease(release)
      : {
          ...readDeclaredToolset(agent, EMBEDDED_CHART.defaults.muster.serverRef.name),
          managed: 'none' as const,
        }),
  });
};

interface CachedAgent {
  readonly agent: AgentResource | undefined;
  readonly read: Agent;
}

/** Caches agents by object, because the objects of a store are immutable and keep their identity. */
const cache = new WeakMap<object, CachedAgent>();

/**
 * Returns an agent, read from its release and its Agent. Fields of the release have precedence, because the Agent follows only when Flux
 * has applied the release; fields that the release leaves to the chart are read from the Agent. The toolset is always that of the release.
 * Objects may have any shape. The same objects give the identical result.
 *
 * @spec §4.4
 */
export const readAgent = (objects: AgentObjects): Agent => {
  const key = objects.release ?? objects.agent;
  const known = cache.get(key);
  if (known !== undefined && known.agent === objects.agent) return known.read;
  const read = compose(objects);
  cache.set(key, { agent: objects.agent, read });
  return read;
};
