import { REFUSALS, type Answer, type DeleteResult } from '@gateway/agent-manager-client';
import { retainedSourceText } from '../delete/retained-source.ts';
import { deleteSourceOf } from '../delete/release-source.ts';
import { isSuspended } from '../read/ownership.ts';
import type { AgentStore } from '../store/agent-store.ts';
import type { HelmRelease, ObjectName } from '../store/objects.ts';
import type { AgentService, AgentServiceParts } from './agent-service.ts';
import { findAgent } from './find-agent.ts';
import { managedAgent } from './managed-agent.ts';
import { releaseProtection } from './release-protection.ts';

/** Deletes an Agent without a release, which no controller deletes. */
const deleteBare = async (store: AgentStore, name: ObjectName): Promise<Answer<DeleteResult>> => {
  const deleted = await store.deleteAgent(name);
  if (!deleted.ok) return deleted;
  return {
    ok: true,
    value: {
      name: name.name,
      namespace: name.namespace,
      helmReleaseDeleted: false,
      agentDeleted: deleted.value,
      ociRepositoryDeleted: false,
      ociRepositoryKept: retainedSourceText({ kind: 'absent' }),
    },
  };
};

/**
 * An agent with a release, which takes the Agent along, unless it is suspended: Flux leaves behind what a suspended release has
 * installed. The Agent goes first, so that nothing is deleted where it cannot be.
 */
const deleteReleased = async (
  store: AgentStore,
  name: ObjectName,
  release: HelmRelease,
): Promise<Answer<DeleteResult>> => {
  const agent = isSuspended(release) ? await store.deleteAgent(name) : undefined;
  if (agent?.ok === false) return agent;
  const deleted = await store.deleteRelease(release.metadata);
  if (!deleted.ok) return deleted;
  const kept = await deleteSourceOf(store, release);
  return {
    ok: true,
    value: {
      name: name.name,
      namespace: name.namespace,
      helmReleaseDeleted: deleted.value,
      agentDeleted: agent?.value ?? false,
      ociRepositoryDeleted: kept === undefined,
      ...(kept && { ociRepositoryKept: retainedSourceText(kept) }),
    },
  };
};

/** Deletes an agent: its release, or with `force` the Agent that has none. @spec §4.4 */
export const deleteAgent =
  (parts: AgentServiceParts): AgentService['delete_agent'] =>
  async (draft) => {
    const name = managedAgent(parts, draft);
    if (!name.ok) return name;
    const found = await findAgent(parts, name.value);
    if (!found.ok) return found;
    const { release, agent } = found.value;
    if (release !== undefined) {
      const held = draft.force === true ? undefined : releaseProtection(release.object);
      return held === undefined
        ? deleteReleased(parts.store, name.value, release.object)
        : { ok: false, refusal: held };
    }
    if (agent === undefined) return { ok: false, refusal: REFUSALS.noAgentToWrite(name.value) };
    return draft.force === true
      ? deleteBare(parts.store, name.value)
      : { ok: false, refusal: REFUSALS.bareAgent(name.value) };
  };
