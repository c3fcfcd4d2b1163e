import type { StoredSignIn } from './stored-sign-in.ts';

const REFRESH_BEFORE_MS = 60_000;

/** Returns when a token is refreshed: a minute before it expires, and not in the first half of its lifetime. In milliseconds. */
export const refreshTime = (now: number, lifetimeMs: number): number =>
  now + lifetimeMs - Math.min(REFRESH_BEFORE_MS, lifetimeMs / 2);

/** Returns whether a token needs no refresh. A token of unknown expiry is used until it is refused. */
export const isFresh = ({ refreshAt = Infinity }: StoredSignIn): boolean => refreshAt > Date.now();

/** Returns whether a token has not expired. */
export const isValid = ({ expiresAt = Infinity }: StoredSignIn): boolean => expiresAt > Date.now();
