import type { Binding } from '../tokens/token-records.ts';
import type { Person } from './person.ts';

const trimmed = (issuer: string): string => issuer.replace(/\/+$/, '');

/** The stored sign-in of a person, compared with the definition of the server. */
export type UsableBinding =
  | { readonly kind: 'usable'; readonly binding: Binding }
  /** No sign-in, or one to another URL: its tokens are not sent to the server. */
  | { readonly kind: 'none' }
  /** The operator pinned another issuer. */
  | { readonly kind: 'moved'; readonly binding: Binding; readonly to: string };

/** Compares a stored sign-in with the definition of the server. */
export const usableBinding = (
  binding: Binding | undefined,
  { url, pinned }: Pick<Person, 'url' | 'pinned'>,
): UsableBinding => {
  if (binding?.serverUrl !== url) return { kind: 'none' };
  if (pinned !== undefined && trimmed(pinned.issuer) !== trimmed(binding.issuer))
    return { kind: 'moved', binding, to: pinned.issuer };
  return { kind: 'usable', binding };
};
