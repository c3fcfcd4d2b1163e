import { REFUSALS, type Answer } from '@gateway/agent-manager-client';
import { isDeleting } from '../read/ownership.ts';
import type { AgentStore } from '../store/agent-store.ts';
import { lookAgain, type Wait } from '../store/look-again.ts';
import type { OciRepository } from '../store/objects.ts';

/** The store, and how to wait for objects that other programs still delete. */
export interface WaitingStore {
  readonly store: AgentStore;
  readonly wait?: Wait;
}

/** Returns whether a source was created; undefined while the former one is still being deleted. */
const tryToEnsure = async (
  store: AgentStore,
  source: OciRepository,
): Promise<Answer<boolean> | undefined> => {
  const created = await store.createSource(source);
  if (!created.ok || created.value) return created;
  const existing = await store.getSource(source.metadata);
  // Who may not read the source relies on it.
  if (!existing.ok) return { ok: true, value: false };
  // Deleted in between.
  if (existing.value === undefined) return store.createSource(source);
  return isDeleting(existing.value) ? undefined : { ok: true, value: false };
};

/**
 * Creates a source unless there is one that stays. A source that is being deleted exists until its finalizers are done: a release that
 * relied on it would lose it.
 * @returns whether it was created; refused with `conflict` when the former one is still being deleted
 */
export const ensureSource = async (
  { store, wait }: WaitingStore,
  source: OciRepository,
): Promise<Answer<boolean>> =>
  (await lookAgain(wait, () => tryToEnsure(store, source))) ?? {
    ok: false,
    refusal: REFUSALS.sourceIsBeingDeleted(source.metadata),
  };
