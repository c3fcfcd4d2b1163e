import type { Answer } from '@gateway/agent-manager-client';
import { sourceNameOf } from '../read/chart-ref.ts';
import { defined, mapOf } from '../values/lenient.ts';
import { isDeleting, kustomizationOf } from '../read/ownership.ts';
import { releaseFacts } from '../read/release-facts.ts';
import type { AgentStore } from '../store/agent-store.ts';
import { API_VERSIONS } from '../store/api-versions.ts';
import type { HelmRelease, ObjectName, OciRepository } from '../store/objects.ts';
import type { RetainedSource } from './retained-source.ts';

/** Undefined when the source was deleted, else the reason why it is retained. */
export type SourceEnd = RetainedSource | undefined;

/** Names of the releases that need a source; one that is on its way out needs it no more. */
const usersOf = async (
  store: AgentStore,
  source: ObjectName,
  left: ObjectName,
): Promise<Answer<readonly string[]>> => {
  const releases = await store.listReleases(source.namespace);
  if (!releases.ok) return releases;
  const sourceKey = `${source.namespace}/${source.name}`;
  const users = releases.value
    .map(({ object }) => releaseFacts(object))
    .filter((facts) => facts.sourceKey === sourceKey && !facts.isDeleting)
    .map(({ name }) => name)
    .filter((name) => name !== left.name);
  return { ok: true, value: users };
};

const neededBy = (users: Answer<readonly string[]>): SourceEnd => {
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

/** Creates a source again. Returns false when that fails, such as during an unfinished deletion. */
const restore = async (store: AgentStore, source: OciRepository): Promise<boolean> => {
  const created = await store.createSource(source);
  if (!created.ok || created.value) return created.ok;
  const there = await store.getSource(source.metadata);
  return there.ok && there.value !== undefined && !isDeleting(there.value);
};

/**
 * Deletes a source that nobody uses, and looks again: a release that came meanwhile found the source there and relies on it, so that it
 * is written anew. A creation ensures its source after its release, for the other order of the same two.
 */
const deleteUnused = async (
  store: AgentStore,
  { name, object }: { readonly name: ObjectName; readonly object: OciRepository },
  left: ObjectName,
): Promise<SourceEnd> => {
  const deleted = await store.deleteSource(name);
  if (!deleted.ok) return { kind: 'refused', refusal: deleted.refusal };
  if (!deleted.value) return { kind: 'absent' };
  const needed = neededBy(await usersOf(store, name, left));
  return needed && (await restore(store, rewritten(object))) ? needed : undefined;
};

/**
 * Deletes the source of a release that is deleted already, unless somebody else needs or owns it. Only what lies in the namespace of the
 * release is deleted.
 */
export const deleteSourceOf = async (
  store: AgentStore,
  release: HelmRelease,
): Promise<SourceEnd> => {
  const name = sourceNameOf(release);
  const { namespace } = release.metadata;
  if (name === undefined) return { kind: 'noReference' };
  if (name.namespace !== namespace) return { kind: 'otherNamespace', namespace: name.namespace };
  const needed = neededBy(await usersOf(store, name, release.metadata));
  if (needed !== undefined) return needed;
  const source = await store.getSource(name);
  if (!source.ok) return { kind: 'refused', refusal: source.refusal };
  if (source.value === undefined) return { kind: 'absent' };
  const kustomization = kustomizationOf(source.value);
  return kustomization === undefined
    ? deleteUnused(store, { name, object: source.value }, release.metadata)
    : { kind: 'fromGit', kustomization };
};
