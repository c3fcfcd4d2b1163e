import type { Answer } from '@gateway/agent-manager-client';
import { labelledOwner } from '../read/ownership.ts';
import type { AgentStore } from '../store/agent-store.ts';
import type { AgentResource, HelmRelease, ObjectName, Stored } from '../store/objects.ts';

/** What is there of an agent: either may be missing, or both. */
export interface FoundAgent {
  readonly release: Stored<HelmRelease> | undefined;
  readonly agent: AgentResource | undefined;
}

/** What Kubernetes takes for a name: a DNS-1123 subdomain. Nothing has another name. */
const OBJECT_NAME = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*$/u;
const MAX_OBJECT_NAME_CHARS = 253;

const NOTHING: FoundAgent = { release: undefined, agent: undefined };

/** Whether something can have this name at all; what cannot is looked up nowhere. */
const canExist = ({ name }: ObjectName): boolean =>
  name.length <= MAX_OBJECT_NAME_CHARS && OBJECT_NAME.test(name);

interface Parts {
  readonly store: AgentStore;
  readonly namespaces: readonly string[];
}

/** The release that Flux notes on an Agent, where it has another name than the Agent. One in a namespace that is not managed is none. */
const ownerOfOtherName = (
  agent: AgentResource | undefined,
  name: ObjectName,
  namespaces: readonly string[],
): ObjectName | undefined => {
  const owner = agent && labelledOwner(agent);
  if (owner === undefined || !namespaces.includes(owner.namespace)) return undefined;
  return owner.name === name.name && owner.namespace === name.namespace ? undefined : owner;
};

/** An Agent and the release behind it: the one that Flux notes on the Agent, else the one of the same name. */
export const findAgent = async (
  { store, namespaces }: Parts,
  name: ObjectName,
): Promise<Answer<FoundAgent>> => {
  if (!canExist(name)) return { ok: true, value: NOTHING };
  const [agent, named] = await Promise.all([store.getAgent(name), store.getRelease(name)]);
  if (!agent.ok) return agent;
  if (!named.ok) return named;
  const owner = ownerOfOtherName(agent.value, name, namespaces);
  const owning = owner === undefined ? named : await store.getRelease(owner);
  if (!owning.ok) return owning;
  return { ok: true, value: { agent: agent.value, release: owning.value ?? named.value } };
};
