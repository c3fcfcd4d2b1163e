import type { StoredSignIn } from './stored-sign-in.ts';

/** A token is refreshed when less than this time is left. */
const REFRESH_BEFORE_MS = 60_000;

/** Returns whether a token needs no refresh. A token of unknown expiry is used until it is refused. */
export const isFresh = ({ expiresAt = Infinity }: StoredSignIn): boolean =>
  expiresAt - Date.now() > REFRESH_BEFORE_MS;

/** Returns whether a token has not expired. */
export const isValid = ({ expiresAt = Infinity }: StoredSignIn): boolean => expiresAt > Date.now();
