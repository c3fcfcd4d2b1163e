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
  lookAgain,
  type ObjectName,
  type OciRepository,
  type Wait,
} from '../store/agent-store.ts';
import { pickDefined, toMap } from '../values/lenient.ts';

/** The most releases that one sentence names. */
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

type RetainedOf<K extends RetainedSource['kind']> = Extract<RetainedSource, { kind: K }>;

const namesOf = (releases: readonly string[]): string => {
  const more = releases.length - MAX_NAMED_RELEASES;
  const named = releases.slice(0, MAX_NAMED_RELEASES).join(', ');
  return more > 0 ? `${named}, … (${more} more)` : named;
};

const SENTENCES: { readonly [K in RetainedSource['kind']]: (source: RetainedOf<K>) => string } = {
  referenced: ({ releases }) =>
    `still referenced by ${releases.length} other HelmRelease(s): ${namesOf(releases)}`,
  leaving: ({ releases }) =>
    `Flux still removes ${releases.length} HelmRelease(s) that reference it: ${namesOf(releases)}`,
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
  source: RetainedOf<K>,
): string => SENTENCES[source.kind](source);

/** The store, and how to wait for objects that other programs still delete. */
export interface WaitingStore {
  readonly store: AgentStore;
  readonly wait?: Wait;
}

/** Returns whether a source was created; undefined while the former one is still being deleted. */
const tryToEnsure = async (
  store: AgentStore,
  source: OciRepository,
): Promise<ClientOutcome<boolean> | undefined> => {
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
): Promise<ClientOutcome<boolean>> =>
  (await lookAgain(wait, () => tryToEnsure(store, source))) ?? {
    ok: false,
    error: REFUSALS.sourceIsBeingDeleted(source.metadata),
  };

/** The result of deleting a source: undefined when it was deleted, else the reason why it is retained. */
type SourceDeletion = RetainedSource | undefined;

/** The releases that use a source, by name. */
interface Users {
  readonly staying: readonly string[];
  /** Flux still removes what they installed. */
  readonly leaving: readonly string[];
}

const usersOf = async (store: AgentStore, source: ObjectName): Promise<ClientOutcome<Users>> => {
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

const retainedByUsers = (users: ClientOutcome<Users>): SourceDeletion => {
  if (!users.ok) return { kind: 'notListed', refusal: users.error };
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
  metadata: pickDefined({
    name: metadata.name,
    namespace: metadata.namespace,
    labels: metadata.labels,
    annotations: metadata.annotations,
  }),
  spec: toMap(source.spec),
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
  if (!deleted.ok) return { kind: 'refused', refusal: deleted.error };
  if (!deleted.value) return { kind: 'absent' };
  const retained = retainedByUsers(await usersOf(waiting.store, name));
  return retained && (await ensureSource(waiting, rewritten(object))).ok ? retained : undefined;
};

/**
 * Deletes the source of a deleted release, unless another release uses it, it is in another namespace or a Flux Kustomization applies it.
 * A release uses its source until it is gone.
 */
export const deleteReleaseSource = async (
  waiting: WaitingStore,
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
  const retained = await awaitUnused(waiting, name);
  return retained ?? deleteUnused(waiting, { name, object: source.value });
};
