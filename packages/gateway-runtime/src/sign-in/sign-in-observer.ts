import type { LoginOutcome } from '@gateway/core-tools';

/** The result of a request to sign in to a server, or the end of a sign-in in a browser. */
export type SignInResult = LoginOutcome['kind'] | 'completed';

/** Receives the results of sign-ins to servers, for metrics. */
export type SignInObserver = (result: SignInResult) => void;
