import type { Answer } from '@gateway/agent-manager-client';
import { sourceNameOf } from '../read/chart-ref.ts';
import { defined, mapOf } from '../values/lenient.ts';
import { kustomizationOf } from '../read/ownership.ts';
import { releaseFacts } from '../read/release-facts.ts';
import type { AgentStore } from '../store/agent-store.ts';
import { API_VERSIONS } from '../store/api-versions.ts';
import { lookAgain } from '../store/look-again.ts';
import type { HelmRelease, ObjectName, OciRepository } from '../store/objects.ts';
import { ensureSource, type WaitingStore } from './ensure-source.ts';
import type { RetainedSource } from './retained-source.ts';

/** The result of deleting a source: undefined when it was deleted, else the reason why it is retained. */
export type SourceDeletion = RetainedSource | undefined;

/** The releases that use a source, by name. */
interface Users {
  readonly staying: readonly string[];
  /** Flux still removes what they installed. */
  readonly leaving: readonly string[];
}

const usersOf = async (store: AgentStore, source: ObjectName): Promise<Answer<Users>> => {
  const releases = await store.listReleases(source.namespace);
  if (!releases.ok) return releases;
  const sourceKey = `${source.namespace}/${source.name}`;
  const users = releases.value
    .map(({ object }) => releaseFacts(object))
    .filter((facts) => facts.sourceKey === sourceKey);
  const names = (areLeaving: boolean): readonly string[] =>
    users.filter(({ isDeleting }) => isDeleting === areLeaving).map(({ name }) => name);
  return { ok: true, value: { staying: names(false), leaving: names(true) } };
};

const retainedByUsers = (users: Answer<Users>): SourceDeletion => {
  if (!users.ok) return { kind: 'notListed', refusal: users.refusal };
  const { staying } = users.value;
  return staying.length === 0 ? undefined : { kind: 'referenced', releases: staying };
};

/** Waits until no release uses a source, also none whose removal is under way. Returns why it is retained. */
const awaitUnused = async (
  { store, wait }: WaitingStore,
  source: ObjectName,
): Promise<SourceDeletion> => {
  let leaving: readonly string[] = [];
  const decided = await lookAgain(wait, async () => {
    const users = await usersOf(store, source);
    const retained = retainedByUsers(users);
    leaving = users.ok ? users.value.leaving : [];
    return retained !== undefined || leaving.length === 0 ? { retained } : undefined;
  });
  return decided === undefined ? { kind: 'leaving', releases: leaving } : decided.retained;
};

/** Returns the source without the fields that the server sets. */
const rewritten = ({ metadata, ...source }: OciRepository): OciRepository => ({
  apiVersion: source.apiVersion ?? API_VERSIONS.ociRepository,
  kind: 'OCIRepository',
  metadata: defined({
    name: metadata.name,
    namespace: metadata.namespace,
    labels: metadata.labels,
    annotations: metadata.annotations,
  }),
  spec: mapOf(source.spec),
});

/**
 * Deletes an unused source, then lists the releases again: a release that was created in between relies on the source, so that the source
 * is restored. The opposite order is covered by the creation, which ensures the source after its release.
 */
const deleteUnused = async (
  waiting: WaitingStore,
  { name, object }: { readonly name: ObjectName; readonly object: OciRepository },
): Promise<SourceDeletion> => {
  const deleted = await waiting.store.deleteSource(name);
  if (!deleted.ok) return { kind: 'refused', refusal: deleted.refusal };
  if (!deleted.value) return { kind: 'absent' };
  const retained = retainedByUsers(await usersOf(waiting.store, name));
  return retained && (await ensureSource(waiting, rewritten(object))).ok ? retained : undefined;
};

/**
 * Deletes the source of a deleted release, unless another release uses it, it is in another namespace or a Flux Kustomization applies it.
 * A release uses its source until it is gone.
 */
export const deleteSourceOf = async (
  waiting: WaitingStore,
  release: HelmRelease,
): Promise<SourceDeletion> => {
  const name = sourceNameOf(release);
  const { namespace } = release.metadata;
  if (name === undefined) return { kind: 'noReference' };
  if (name.namespace !== namespace) return { kind: 'otherNamespace', namespace: name.namespace };
  const source = await waiting.store.getSource(name);
  if (!source.ok) return { kind: 'refused', refusal: source.refusal };
  if (source.value === undefined) return { kind: 'absent' };
  const kustomization = kustomizationOf(source.value);
  if (kustomization !== undefined) return { kind: 'fromGit', kustomization };
  const retained = await awaitUnused(waiting, name);
  return retained ?? deleteUnused(waiting, { name, object: source.value });
};
