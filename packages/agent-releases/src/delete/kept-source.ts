import { reasonOf, type Refusal } from '@gateway/agent-manager-client';

/** The most releases that one sentence names. */
const MAX_NAMED_RELEASES = 50;

/** Why a source stays when an agent that used it is deleted. */
export type KeptSource =
  | { readonly kind: 'referenced'; readonly releases: readonly string[] }
  | { readonly kind: 'noReference' }
  | { readonly kind: 'absent' }
  | { readonly kind: 'otherNamespace'; readonly namespace: string }
  | { readonly kind: 'fromGit'; readonly kustomization: string }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  | { readonly kind: 'notListed'; readonly refusal: Refusal };

type KeptOf<K extends KeptSource['kind']> = Extract<KeptSource, { kind: K }>;

const namesOf = (releases: readonly string[]): string => {
  const more = releases.length - MAX_NAMED_RELEASES;
  const named = releases.slice(0, MAX_NAMED_RELEASES).join(', ');
  return more > 0 ? `${named}, … (${more} more)` : named;
};

const SENTENCES: { readonly [K in KeptSource['kind']]: (kept: KeptOf<K>) => string } = {
  referenced: ({ releases }) =>
    `still referenced by ${releases.length} other HelmRelease(s): ${namesOf(releases)}`,
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

/** Says why a source stays. @spec §4.4 */
export const keptSourceText = <K extends KeptSource['kind']>(kept: KeptOf<K>): string =>
  SENTENCES[kept.kind](kept);
