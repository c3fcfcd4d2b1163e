import type { Answer } from '@gateway/agent-manager-client';
import { sourceNameOf } from '../read/chart-ref.ts';
import { defined, mapOf } from '../values/lenient.ts';
import { isDeleting, kustomizationOf } from '../read/ownership.ts';
import { releaseFacts } from '../read/release-facts.ts';
import type { AgentStore } from '../store/agent-store.ts';
import { API_VERSIONS } from '../store/api-versions.ts';
import type { HelmRelease, ObjectName, OciRepository } from '../store/objects.ts';
import type { RetainedSource } from './retained-source.ts';

/** The result of deleting a source: undefined when it was deleted, else the reason why it is retained. */
export type SourceDeletion = RetainedSource | undefined;

/** Returns the names of the other releases that use a source. A release that is being deleted does not count. */
const usersOf = async (
  store: AgentStore,
  source: ObjectName,
  deletedRelease: ObjectName,
): Promise<Answer<readonly string[]>> => {
  const releases = await store.listReleases(source.namespace);
  if (!releases.ok) return releases;
  const sourceKey = `${source.namespace}/${source.name}`;
  const users = releases.value
    .map(({ object }) => releaseFacts(object))
    .filter((facts) => facts.sourceKey === sourceKey && !facts.isDeleting)
    .map(({ name }) => name)
    .filter((name) => name !== deletedRelease.name);
  return { ok: true, value: users };
};

const retainedByUsers = (users: Answer<readonly string[]>): SourceDeletion => {
  if (!users.ok) return { kind: 'notListed', refusal: users.refusal };
  return users.value.length === 0 ? undefined : { kind: 'referenced', releases: users.value };
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

/** Creates a deleted source again. Returns false when that fails, such as during an unfinished deletion. */
const restore = async (store: AgentStore, source: OciRepository): Promise<boolean> => {
  const created = await store.createSource(source);
  if (!created.ok || created.value) return created.ok;
  const existing = await store.getSource(source.metadata);
  return existing.ok && existing.value !== undefined && !isDeleting(existing.value);
};

/**
 * Deletes an unused source, then lists the releases again: a release that was created in between relies on the source, so that the source
 * is restored. The opposite order is covered by the creation, which ensures the source after its release.
 */
const deleteUnused = async (
  store: AgentStore,
  { name, object }: { readonly name: ObjectName; readonly object: OciRepository },
  deletedRelease: ObjectName,
): Promise<SourceDeletion> => {
  const deleted = await store.deleteSource(name);
  if (!deleted.ok) return { kind: 'refused', refusal: deleted.refusal };
  if (!deleted.value) return { kind: 'absent' };
  const retained = retainedByUsers(await usersOf(store, name, deletedRelease));
  return retained && (await restore(store, rewritten(object))) ? retained : undefined;
};

/** Deletes the source of a deleted release, unless another release uses it, it is in another namespace or a Flux Kustomization applies it. */
export const deleteSourceOf = async (
  store: AgentStore,
  release: HelmRelease,
): Promise<SourceDeletion> => {
  const name = sourceNameOf(release);
  const { namespace } = release.metadata;
  if (name === undefined) return { kind: 'noReference' };
  if (name.namespace !== namespace) return { kind: 'otherNamespace', namespace: name.namespace };
  const retained = retainedByUsers(await usersOf(store, name, release.metadata));
  if (retained !== undefined) return retained;
  const source = await store.getSource(name);
  if (!source.ok) return { kind: 'refused', refusal: source.refusal };
  if (source.value === undefined) return { kind: 'absent' };
  const kustomization = kustomizationOf(source.value);
  return kustomization === undefined
    ? deleteUnused(store, { name, object: source.value }, release.metadata)
    : { kind: 'fromGit', kustomization };
};
