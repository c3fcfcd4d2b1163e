import { LockTimeoutError } from '../storage/keyed-lock.ts';
import { StateStoreError } from '@gateway/state-store';
import type { NoCredential } from '../ports/credentials.ts';

/** The person has not signed in. */
export const signInRequired = (server: string): NoCredential => ({
  ok: false,
  code: 'sign-in-required',
  reason: `Sign-in to server "${server}" is required.`,
});

/** The sign-in of the person has ended. */
export const signInAgain = (reason: string): NoCredential => ({
  ok: false,
  code: 'sign-in-again',
  reason,
});

/** A later request may succeed. */
export const unavailable = (reason: string): NoCredential => ({
  ok: false,
  code: 'unavailable',
  reason,
});

/** Returns one sentence for a failure of the store. Other errors are bugs and are thrown again. */
export const storeFailure = (error: unknown): string => {
  if (error instanceof StateStoreError) return error.message;
  if (error instanceof LockTimeoutError) return 'The state store is busy; try again.';
  throw error;
};

/** The sentences of sign-ins that ended. */
export const ENDED = {
  expired: (server: string) => `The sign-in to server "${server}" has expired. Sign in again.`,
  refused: (server: string) =>
    `Server "${server}" does not accept the token of this sign-in. Sign in again.`,
  issuer: (server: string, error: string) =>
    `The sign-in to server "${server}" has ended: its authorization server answered ${error}. Sign in again.`,
  client: (server: string) =>
    `The client of the gateway for server "${server}" is not configured any more. Sign in again.`,
  moved: (server: string, urls: { readonly from: string; readonly to: string }) =>
    `Server "${server}" now uses the authorization server "${urls.to}"; the credentials of "${urls.from}" are not used there. Sign in again.`,
  scopes: (server: string, scopes: string) =>
    `Server "${server}" requires the scopes "${scopes}". Sign in again to grant them.`,
  scopesRefused: (server: string, scopes: string) =>
    `Server "${server}" still requires the scopes "${scopes}" after they were requested; the sign-in does not grant them.`,
} as const;
