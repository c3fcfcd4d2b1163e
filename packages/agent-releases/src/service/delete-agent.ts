import { REFUSALS, type ClientOutcome, type DeleteResult } from '@gateway/agent-manager-client';
import {
  deleteReleaseSource,
  formatRetainedSource,
  type SourceStore,
} from '../delete/release-source.ts';
import { isSuspended } from '../read/object-facts.ts';
import type { AgentStore, HelmRelease, ObjectName } from '../store/agent-store.ts';
import {
  type AgentService,
  type AgentServiceParts,
  findAgent,
  resolveAgentName,
} from './find-agent.ts';
import { findReleaseProtection } from './validate-write.ts';

/** Deletes an Agent without a release, which no controller deletes. */
const deleteAgentWithoutRelease = async (
  store: AgentStore,
  name: ObjectName,
): Promise<ClientOutcome<DeleteResult>> => {
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
      ociRepositoryKept: formatRetainedSource({ kind: 'absent' }),
    },
  };
};

/**
 * Deletes the release of an agent; Flux then deletes the Agent. Flux retains the objects of a suspended release. In this case, the Agent
 * is deleted first, so that a refused deletion changes nothing.
 */
const deleteReleasedAgent = async (
  waiting: SourceStore,
  name: ObjectName,
  release: HelmRelease,
): Promise<ClientOutcome<DeleteResult>> => {
  const { store } = waiting;
  const agent = isSuspended(release) ? await store.deleteAgent(name) : undefined;
  if (agent?.ok === false) return agent;
  const deleted = await store.deleteRelease(release.metadata);
  if (!deleted.ok) return deleted;
  const retained = await deleteReleaseSource(waiting, release);
  return {
    ok: true,
    value: {
      name: name.name,
      namespace: name.namespace,
      helmReleaseDeleted: deleted.value,
      agentDeleted: agent?.value ?? false,
      ociRepositoryDeleted: retained === undefined,
      ...(retained && { ociRepositoryKept: formatRetainedSource(retained) }),
    },
  };
};

/** Deletes an agent: its release, or with `force` an Agent without a release. @spec §4.4 */
export const deleteAgent =
  (parts: AgentServiceParts): AgentService['delete_agent'] =>
  async (draft) => {
    const name = resolveAgentName(parts, draft);
    if (!name.ok) return name;
    const found = await findAgent(parts, name.value);
    if (!found.ok) return found;
    const { release, agent } = found.value;
    if (release !== undefined) {
      const protection = draft.force === true ? undefined : findReleaseProtection(release.object);
      return protection === undefined
        ? deleteReleasedAgent(parts, name.value, release.object)
        : { ok: false, error: protection };
    }
    if (agent === undefined) return { ok: false, error: REFUSALS.noAgentToWrite(name.value) };
    return draft.force === true
      ? deleteAgentWithoutRelease(parts.store, name.value)
      : { ok: false, error: REFUSALS.bareAgent(name.value) };
  };
