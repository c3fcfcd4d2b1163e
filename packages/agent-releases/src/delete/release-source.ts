import {
  type ClientOutcome,
  formatReason,
  type AgentRefusal,
  REFUSALS,
} from '@gateway/agent-manager-client';
import {
  isDeleting,
  findKustomization,
  readReleaseFacts,
  findSourceName,
} from '../read/object-facts.ts';
import {
  type AgentStore,
  API_VERSIONS,
  type HelmRelease,
  retryUntilDecided,
  type ObjectName,
  type OciRepository,
  type Wait,
} from '../store/agent-store.ts';
import { pickDefined, toMap } from '../values/lenient.ts';

/** Maximum number of releases that a message names. */
const MAX_NAMED_RELEASES = 50;

/** The reason why a source is retained when an agent that used it is deleted. */
type RetainedSource =
  | { readonly kind: 'referenced'; readonly releases: readonly string[] }
  | { readonly kind: 'leaving'; readonly releases: readonly string[] }
  | { readonly kind: 'noReference' }
  | { readonly kind: 'absent' }
  | { readonly kind: 'otherNamespace'; readonly namespace: string }
  | { readonly kind: 'fromGit'; readonly kustomization: string }
  | { readonly kind: 'refused'; readonly refusal: AgentRefusal }
  | { readonly kind: 'notListed'; readonly refusal: AgentRefusal };

type RetainedSourceByKind<K extends RetainedSource['kind']> = Extract<RetainedSource, { kind: K }>;

const formatReleaseNames = (releases: readonly string[]): string => {
  const more = releases.length - MAX_NAMED_RELEASES;
  const named = releases.slice(0, MAX_NAMED_RELEASES).join(', ');
  return more > 0 ? `${named}, … (${more} more)` : named;
};

const SENTENCES: {
  readonly [K in RetainedSource['kind']]: (source: RetainedSourceByKind<K>) => string;
} = {
  referenced: ({ releases }) =>
    `still referenced by ${releases.length} other HelmRelease(s): ${formatReleaseNames(releases)}`,
  leaving: ({ releases }) =>
    `Flux still removes ${releases.length} HelmRelease(s) that reference it: ${formatReleaseNames(releases)}`,
  noReference: () => 'the HelmRelease does not render from an OCIRepository',
  absent: () => 'no OCIRepository to delete',
  otherNamespace: ({ namespace }) =>
    `the OCIRepository is in another namespace, for others to delete: ${namespace}`,
  fromGit: ({ kustomization }) =>
    `the OCIRepository is applied by Flux Kustomization "${kustomization}"`,
  refused: ({ refusal }) => `delete refused: ${formatReason(refusal)}`,
  notListed: ({ refusal }) =>
    `could not list the other HelmReleases of the namespace: ${formatReason(refusal)}`,
};

/** Returns the reason why a source is retained, as text. @spec §4.4 */
export const formatRetainedSource = <K extends RetainedSource['kind']>(
  source: RetainedSourceByKind<K>,
): string => SENTENCES[source.kind](source);

/** The store, and the wait for objects that other programs are deleting. */
export interface SourceStore {
  readonly store: AgentStore;
  readonly wait?: Wait;
}

/** Returns whether a source was created; undefined while the previous source is still being deleted. */
const tryToEnsure = async (
  store: AgentStore,
  source: OciRepository,
): Promise<ClientOutcome<boolean> | undefined> => {
  const created = await store.createSource(source);
  if (!created.ok || created.value) return created;
  const existing = await store.getSource(source.metadata);
  // A caller without read permission cannot check the source and relies on it.
  if (!existing.ok) return { ok: true, value: false };
  // The source was deleted after the attempt to create it.
  if (existing.value === undefined) return store.createSource(source);
  return isDeleting(existing.value) ? undefined : { ok: true, value: false };
};

/**
 * Creates a source unless it exists. Waits while the previous source is being deleted, because a new release would lose a source
 * whose finalizers still run.
 * @returns whether the source was created; refused with `conflict` when the previous source is still being deleted
 */
export const ensureSource = async (
  { store, wait }: SourceStore,
  source: OciRepository,
): Promise<ClientOutcome<boolean>> =>
  (await retryUntilDecided(wait, () => tryToEnsure(store, source))) ?? {
    ok: false,
    error: REFUSALS.sourceIsBeingDeleted(source.metadata),
  };

/** The reason why a source is retained; undefined when the source was deleted. */
type SourceDeletion = RetainedSource | undefined;

/** The releases that use a source, by name. */
interface SourceUsers {
  readonly staying: readonly string[];
  /** Releases that Flux is still uninstalling. */
  readonly leaving: readonly string[];
}

const listSourceUsers = async (
  store: AgentStore,
  source: ObjectName,
): Promise<ClientOutcome<SourceUsers>> => {
  const releases = await store.listReleases(source.namespace);
  if (!releases.ok) return releases;
  const sourceKey = `${source.namespace}/${source.name}`;
  const users = releases.value
    .map(({ object }) => readReleaseFacts(object))
    .filter((facts) => facts.sourceKey === sourceKey);
  const names = (areLeaving: boolean): readonly string[] =>
    users.filter(({ isDeleting }) => isDeleting === areLeaving).map(({ name }) => name);
  return { ok: true, value: { staying: names(false), leaving: names(true) } };
};

const findRetainingUsers = (users: ClientOutcome<SourceUsers>): SourceDeletion => {
  if (!users.ok) return { kind: 'notListed', refusal: users.error };
  const { staying } = users.value;
  return staying.length === 0 ? undefined : { kind: 'referenced', releases: staying };
};

/** Waits until no release uses a source, including releases that Flux is uninstalling. Returns the reason to retain it. */
const waitUntilUnused = async (
  { store, wait }: SourceStore,
  source: ObjectName,
): Promise<SourceDeletion> => {
  let leaving: readonly string[] = [];
  const decided = await retryUntilDecided(wait, async () => {
    const users = await listSourceUsers(store, source);
    const retained = findRetainingUsers(users);
    leaving = users.ok ? users.value.leaving : [];
    return retained !== undefined || leaving.length === 0 ? { retained } : undefined;
  });
  return decided === undefined ? { kind: 'leaving', releases: leaving } : decided.retained;
};

/** Returns the source without the fields that the server sets. */
const toCreatableSource = ({ metadata, ...source }: OciRepository): OciRepository => ({
  apiVersion: source.apiVersion ?? API_VERSIONS.ociRepository,
  kind: 'OCIRepository',
  metadata: pickDefined({
    name: metadata.name,
    namespace: metadata.namespace,
    labels: metadata.labels,
    annotations: metadata.annotations,
  }),
  spec: toMap(source.spec),
});

/**
 * Deletes an unused source, then lists the releases again. If a release was created in the meantime, the source is restored.
 * A creation covers the opposite order: it ensures the source after it creates the release.
 */
const deleteUnused = async (
  waiting: SourceStore,
  { name, object }: { readonly name: ObjectName; readonly object: OciRepository },
): Promise<SourceDeletion> => {
  const deleted = await waiting.store.deleteSource(name);
  if (!deleted.ok) return { kind: 'refused', refusal: deleted.error };
  if (!deleted.value) return { kind: 'absent' };
  const retained = findRetainingUsers(await listSourceUsers(waiting.store, name));
  return retained && (await ensureSource(waiting, toCreatableSource(object))).ok
    ? retained
    : undefined;
};

/**
 * Deletes the source of a deleted release, unless another release uses it, it is in another namespace or a Flux Kustomization applies it.
 * A release uses its source until the release no longer exists.
 */
export const deleteReleaseSource = async (
  waiting: SourceStore,
  release: HelmRelease,
): Promise<SourceDeletion> => {
  const name = findSourceName(release);
  const { namespace } = release.metadata;
  if (name === undefined) return { kind: 'noReference' };
  if (name.namespace !== namespace) return { kind: 'otherNamespace', namespace: name.namespace };
  const source = await waiting.store.getSource(name);
  if (!source.ok) return { kind: 'refused', refusal: source.error };
  if (source.value === undefined) return { kind: 'absent' };
  const kustomization = findKustomization(source.value);
  if (kustomization !== undefined) return { kind: 'fromGit', kustomization };
  const retained = await waitUntilUnused(waiting, name);
  return retained ?? deleteUnused(waiting, { name, object: source.value });
};
