import {
  type Agent,
  type DeclaredToolset,
  type ModelConfigList,
  readDeclaredToolset,
} from '@gateway/agent-manager-client';
import { EMBEDDED_CHART } from '../chart/embedded-chart.ts';
import type { AgentResource, HelmRelease, Json, KubernetesObject } from '../store/agent-store.ts';
import {
  at,
  defined,
  isWithinDepth,
  listOf,
  mapOf,
  own,
  textOf,
  textsOf,
  unlessEmpty,
  valuesOf,
} from '../values/lenient.ts';
import {
  chartRefOf,
  conditionsOf,
  holds,
  isDeleting,
  isSuspended,
  kustomizationOf,
} from './object-facts.ts';

type Skills = NonNullable<Agent['skills']>;
type GitRef = NonNullable<Skills['gitRefs']>[number];

const gitRefOf = (value: unknown): readonly GitRef[] => {
  const url = textOf(at(value, 'url'));
  if (url === undefined) return [];
  return [
    defined({
      url,
      path: textOf(at(value, 'path')),
      ref: textOf(at(value, 'ref')),
      name: textOf(at(value, 'name')),
    }),
  ];
};

/** Returns the skills in the values of the chart or in an Agent, which have the same form; undefined when there are none. */
const skillsOf = (block: unknown): Skills | undefined => {
  const skills: Skills = defined({
    refs: unlessEmpty(textsOf(at(block, 'refs'))),
    gitRefs: unlessEmpty(listOf(at(block, 'gitRefs')).flatMap(gitRefOf)),
    gitAuthSecretName: textOf(at(block, 'gitAuthSecretRef', 'name')),
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
  defined({
    displayName: textOf(at(values, 'agent', 'displayName')),
    description: textOf(at(values, 'agent', 'description')),
    modelConfig: textOf(at(values, 'modelConfig', 'name')),
    runtime: textOf(at(values, 'agent', 'runtime')),
    iconUrl: textOf(at(values, 'agent', 'iconUrl')),
    systemMessage: textOf(at(values, 'agent', 'systemMessage')),
    skills: skillsOf(at(values, 'skills')),
  });

const DISPLAY_NAME_SUFFIX = '/display-name';

/** Returns the display name from the annotation `<label domain>/display-name`; the label domain is a value of the chart. */
const displayNameOf = (agent: AgentResource): string | undefined => {
  const annotations = mapOf(at(agent, 'metadata', 'annotations'));
  const key = Object.keys(annotations)
    .filter((name) => name.endsWith(DISPLAY_NAME_SUFFIX))
    .sort()[0];
  return key === undefined ? undefined : textOf(annotations[key]);
};

/** Returns the identity in an Agent resource. */
const identityOfResource = (agent: AgentResource): Identity =>
  defined({
    displayName: displayNameOf(agent),
    description: textOf(at(agent, 'spec', 'description')),
    modelConfig: textOf(at(agent, 'spec', 'declarative', 'modelConfig')),
    runtime: textOf(at(agent, 'spec', 'declarative', 'runtime')),
    iconUrl: textOf(at(agent, 'spec', 'iconUrl')),
    systemMessage: textOf(at(agent, 'spec', 'declarative', 'systemMessage')),
    skills: skillsOf(at(agent, 'spec', 'skills')),
  });

/** Returns the toolset in the values of a release. A value that is not a list gives no access. @spec §2.8 */
const toolsetOfValues = (values: Json): DeclaredToolset => {
  const toolset = own(values, 'toolset');
  if (toolset === undefined || toolset === null) return { implicitFullAccess: true };
  return Array.isArray(toolset) ? { toolset: [...textsOf(toolset)] } : {};
};

/** The release of an agent, in a response. */
type ReleaseBlock = NonNullable<Agent['helmRelease']>;

/** Returns the state of a release in an agent. */
export const releaseBlock = (release: HelmRelease): ReleaseBlock => {
  const conditions = conditionsOf(release);
  const ready = conditions.find(({ type }) => type === 'Ready');
  const [latest] = listOf(at(release, 'status', 'history'));
  return defined({
    name: textOf(at(release, 'metadata', 'name')) ?? '',
    namespace: textOf(at(release, 'metadata', 'namespace')) ?? '',
    ready: holds(conditions, 'Ready'),
    reason: ready?.reason,
    message: ready?.message,
    chartVersion: textOf(at(latest, 'chartVersion')),
    lastAttemptedRevision: textOf(at(release, 'status', 'lastAttemptedRevision')),
    suspended: isSuspended(release),
    gitOpsOwned: kustomizationOf(release) !== undefined,
    deleting: isDeleting(release),
    chartRef: chartRefOf(release),
  });
};

/** Returns the list entry of a model configuration, which may have any shape. */
type ListedModelConfig = ModelConfigList['modelConfigs'][number];

/** A model configuration of any shape, as it is listed. */
export const readModelConfig = (object: KubernetesObject): ListedModelConfig => {
  const conditions = conditionsOf(object);
  return defined({
    name: textOf(at(object, 'metadata', 'name')) ?? '',
    namespace: textOf(at(object, 'metadata', 'namespace')) ?? '',
    provider: textOf(at(object, 'spec', 'provider')),
    model: textOf(at(object, 'spec', 'model')),
    accepted: holds(conditions, 'Accepted'),
    message: conditions.find(({ type }) => type === 'Accepted')?.message,
    managedBy: textOf(at(object, 'metadata', 'labels', 'app.kubernetes.io/managed-by')),
  });
};

/** The objects of an agent, at least one of the two. */
type AgentObjects =
  | { readonly release: HelmRelease; readonly agent?: AgentResource | undefined }
  | { readonly release?: undefined; readonly agent: AgentResource };

const ofResource = (agent: AgentResource | undefined) => {
  const conditions = conditionsOf(agent);
  return {
    exists: agent !== undefined,
    ready: holds(conditions, 'Ready'),
    accepted: holds(conditions, 'Accepted'),
    ...(conditions.length > 0 && { conditions: [...conditions] }),
  };
};

const ofRelease = (release: HelmRelease) => {
  const values = valuesOf(release);
  return {
    ...toolsetOfValues(values),
    managed: kustomizationOf(release) === undefined ? 'helmrelease' : 'gitops',
    helmRelease: releaseBlock(release),
    ...(at(release, 'spec', 'values') === values && isWithinDepth(values) && { values }),
  } as const;
};

const compose = ({ release, agent }: AgentObjects): Agent => {
  const named = agent ?? release;
  return defined({
    name: textOf(at(named, 'metadata', 'name')) ?? '',
    namespace: textOf(at(named, 'metadata', 'namespace')) ?? '',
    ...(agent && identityOfResource(agent)),
    ...(release && identityOfValues(valuesOf(release))),
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
