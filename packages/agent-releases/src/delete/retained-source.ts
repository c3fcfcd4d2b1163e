import { reasonOf, type Refusal } from '@gateway/agent-manager-client';

/** The most releases that one sentence names. */
const MAX_NAMED_RELEASES = 50;

/** The reason why a source is retained when an agent that used it is deleted. */
export type RetainedSource =
  | { readonly kind: 'referenced'; readonly releases: readonly string[] }
  | { readonly kind: 'leaving'; readonly releases: readonly string[] }
  | { readonly kind: 'noReference' }
  | { readonly kind: 'absent' }
  | { readonly kind: 'otherNamespace'; readonly namespace: string }
  | { readonly kind: 'fromGit'; readonly kustomization: string }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  | { readonly kind: 'notListed'; readonly refusal: Refusal };

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
  refused: ({ refusal }) => `delete refused: ${reasonOf(refusal)}`,
  notListed: ({ refusal }) =>
    `could not list the other HelmReleases of the namespace: ${reasonOf(refusal)}`,
};

/** Returns the reason why a source is retained, as text. @spec §4.4 */
export const retainedSourceText = <K extends RetainedSource['kind']>(
  source: RetainedOf<K>,
): string => SENTENCES[source.kind](source);
