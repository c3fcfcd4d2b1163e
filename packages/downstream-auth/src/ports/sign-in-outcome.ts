/** The result of a request to sign in to a server. Texts for people are made by the caller. */
export type LoginOutcome =
  /** The person has a token for the server, perhaps from the sign-in to another server of the issuer. The caller connects. */
  | { readonly code: 'signed-in' }
  /** The server is used without a person's credential. */
  | { readonly code: 'not-required' }
  /** The server uses the sign-in to the gateway. */
  | { readonly code: 'sso' }
  /** The gateway has no URL for browsers. */
  | { readonly code: 'not-configured' }
  /** The person opens `url`, which is valid for 10 minutes and one sign-in. `reason` is one line. */
  | { readonly code: 'challenge'; readonly url: string; readonly reason: string }
  /** The server names no authorization server. `problem` is what its metadata has instead. */
  | { readonly code: 'metadata-missing'; readonly problem?: string }
  /** Sign-in is not possible. `reason` is one sentence without secrets. */
  | { readonly code: 'failed'; readonly reason: string };

/** The result of a request to sign out of a server. */
export type LogoutOutcome =
  | { readonly code: 'signed-out' }
  /** The person was not signed in to the server. */
  | { readonly code: 'not-signed-in' }
  | { readonly code: 'not-required' }
  | { readonly code: 'sso' }
  | { readonly code: 'failed'; readonly reason: string };

/** The sign-in of a person to a server that signs persons in. */
export interface ServerSignIn {
  readonly server: string;
  /** `oauth`: the person signs in to the server; `sso`: the sign-in to the gateway counts. */
  readonly kind: 'oauth' | 'sso';
  readonly status: 'signed-in' | 'sign-in-required' | 'sign-in-again' | 'unavailable';
  readonly issuer?: string;
  /** Separated by spaces. */
  readonly scope?: string;
  /** One line without secrets. */
  readonly reason?: string;
  readonly tokenForwarding?: boolean;
  readonly tokenExchange?: boolean;
}
