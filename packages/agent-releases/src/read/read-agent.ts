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

const parseGitRef = (value: unknown): readonly GitRef[] => {
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
const parseSkills = (block: unknown): Skills | undefined => {
  const skills: Skills = pickDefined({
    refs: toNonEmptyList(toTextList(readNestedValue(block, 'refs'))),
    gitRefs: toNonEmptyList(toList(readNestedValue(block, 'gitRefs')).flatMap(parseGitRef)),
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
const readReleaseIdentity = (values: Json): Identity =>
  pickDefined({
    displayName: toNonBlankText(readNestedValue(values, 'agent', 'displayName')),
    description: toNonBlankText(readNestedValue(values, 'agent', 'description')),
    modelConfig: toNonBlankText(readNestedValue(values, 'modelConfig', 'name')),
    runtime: toNonBlankText(readNestedValue(values, 'agent', 'runtime')),
    iconUrl: toNonBlankText(readNestedValue(values, 'agent', 'iconUrl')),
    systemMessage: toNonBlankText(readNestedValue(values, 'agent', 'systemMessage')),
    skills: parseSkills(readNestedValue(values, 'skills')),
  });

const DISPLAY_NAME_SUFFIX = '/display-name';

/** Returns the display name from the annotation `<label domain>/display-name`; the label domain is a value of the chart. */
const readDisplayName = (agent: AgentResource): string | undefined => {
  const annotations = toMap(readNestedValue(agent, 'metadata', 'annotations'));
  const key = Object.keys(annotations)
    .filter((name) => name.endsWith(DISPLAY_NAME_SUFFIX))
    .sort()[0];
  return key === undefined ? undefined : toNonBlankText(annotations[key]);
};

/** Returns the identity in an Agent resource. */
const readResourceIdentity = (agent: AgentResource): Identity =>
  pickDefined({
    displayName: readDisplayName(agent),
    description: toNonBlankText(readNestedValue(agent, 'spec', 'description')),
    modelConfig: toNonBlankText(readNestedValue(agent, 'spec', 'declarative', 'modelConfig')),
    runtime: toNonBlankText(readNestedValue(agent, 'spec', 'declarative', 'runtime')),
    iconUrl: toNonBlankText(readNestedValue(agent, 'spec', 'iconUrl')),
    systemMessage: toNonBlankText(readNestedValue(agent, 'spec', 'declarative', 'systemMessage')),
    skills: parseSkills(readNestedValue(agent, 'spec', 'skills')),
  });

/** Returns the toolset in the values of a release. A value that is not a list gives no access. @spec §2.8 */
const readReleaseToolset = (values: Json): DeclaredToolset => {
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

/** A list entry of a model configuration. */
type ListedModelConfig = ModelConfigList['modelConfigs'][number];

/** Returns the list entry of a model configuration, which may have any shape. */
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

/** The release and the Agent resource of an agent; at least one exists. */
type AgentObjects =
  | { readonly release: HelmRelease; readonly agent?: AgentResource | undefined }
  | { readonly release?: undefined; readonly agent: AgentResource };

const readResourceFields = (agent: AgentResource | undefined) => {
  const conditions = listConditions(agent);
  return {
    exists: agent !== undefined,
    ready: readConditionTruth(conditions, 'Ready'),
    accepted: readConditionTruth(conditions, 'Accepted'),
    ...(conditions.length > 0 && { conditions: [...conditions] }),
  };
};

const readReleaseFields = (release: HelmRelease) => {
  const values = readReleaseValues(release);
  return {
    ...readReleaseToolset(values),
    managed: findKustomization(release) === undefined ? 'helmrelease' : 'gitops',
    helmRelease: toReleaseBlock(release),
    ...(readNestedValue(release, 'spec', 'values') === values &&
      isWithinDepth(values) && { values }),
  } as const;
};

const composeAgent = ({ release, agent }: AgentObjects): Agent => {
  const named = agent ?? release;
  return pickDefined({
    name: toNonBlankText(readNestedValue(named, 'metadata', 'name')) ?? '',
    namespace: toNonBlankText(readNestedValue(named, 'metadata', 'namespace')) ?? '',
    ...(agent && readResourceIdentity(agent)),
    ...(release && readReleaseIdentity(readReleaseValues(release))),
    ...readResourceFields(agent),
    ...(release
      ? readReleaseFields(release)
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
 * has applied the release; fields that the release leaves to the chart are read from the Agent. The toolset always comes from the release.
 * Objects may have any shape. The same objects give the identical result.
 *
 * @spec §4.4
 */
export const readAgent = (objects: AgentObjects): Agent => {
  const key = objects.release ?? objects.agent;
  const known = cache.get(key);
  if (known !== undefined && known.agent === objects.agent) return known.read;
  const read = composeAgent(objects);
  cache.set(key, { agent: objects.agent, read });
  return read;
};
