import type { IncomingMessage, ServerResponse } from 'node:http';

/** The sign-in that a browser opens a link of. */
export interface OpenedSignIn {
  /** Key of the principal that asked for the link. */
  readonly principalKey: string;
  /** Value of `state`, which a browser brings back to the start path after it signed in to the gateway. */
  readonly state: string;
}

/**
 * The person that a browser is signed in to the gateway as: the one who asked for the link, another one, or none. A browser without a person
 * signs in at `signInUrl`, which leads back to the start path with `code` or `error`.
 */
export type BrowserPerson =
  | { readonly kind: 'same' }
  | { readonly kind: 'other' }
  | { readonly kind: 'signed-out'; readonly signInUrl: string };

/**
 * Returns the person that the browser of a request is signed in to the gateway as; `undefined` where browsers do not sign in to it. Rejects with
 * failures of the store.
 */
export type BrowserCheck = (
  request: IncomingMessage,
  response: ServerResponse,
  signIn: OpenedSignIn,
) => Promise<BrowserPerson | undefined>;
