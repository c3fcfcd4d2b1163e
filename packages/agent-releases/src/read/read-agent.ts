import type { Agent } from '@gateway/agent-manager-client';
import type { AgentResource, HelmRelease } from '../store/objects.ts';
import { isWithinDepth } from '../values/depth.ts';
import { valuesOf } from '../values/values-of.ts';
import { conditionsOf, holds } from './conditions.ts';
import { toolsetOfResource, toolsetOfValues } from './declared-toolset.ts';
import { identityOfResource, identityOfValues } from './identity.ts';
import { at, defined, textOf } from '../values/lenient.ts';
import { kustomizationOf } from './ownership.ts';
import { releaseBlock } from './release-block.ts';

/** The objects of an agent, at least one of the two. */
export type AgentObjects =
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
    ...(release ? ofRelease(release) : { ...toolsetOfResource(agent), managed: 'none' as const }),
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
