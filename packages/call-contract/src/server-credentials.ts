import type { McpServer } from '@gateway/crd-schemas';
import type { Principal } from './call-context.ts';

/** The proof of identity in the requests of one user to one server. */
export interface Credential {
  /** Value of the `Authorization` header. Secret. */
  readonly authorization: string;
  /** Changes with the credential. Not secret. */
  readonly id: string;
}

/** The reason why a user has no credential. */
export interface NoCredential {
  readonly ok: false;
  /**
   * - `sign-in-required`: the user has not signed in to the server.
   * - `sign-in-again`: the token has ended, or it lacks an audience or a scope.
   * - `unavailable`: the store or the provider does not answer; a later request may succeed.
   */
  readonly code: 'sign-in-required' | 'sign-in-again' | 'unavailable';
  /** One line for users, without secrets. */
  readonly reason: string;
}

export type CredentialOutcome =
  { readonly ok: true; readonly credential: Credential } | NoCredential;

/** The refusal of a request before the server processed it. */
export interface Rejection {
  readonly status: 401 | 403;
  /** The `WWW-Authenticate` header of the answer. */
  readonly challenge: string | undefined;
  /** The credential of the refused request. */
  readonly credential: Credential;
}

/** A change of the sign-in of one user to one server. */
export interface CredentialChange {
  readonly server: string;
  readonly principalKey: string;
}

/**
 * How a server gets its credentials.
 *
 * - `shared`: one connection for everybody, without a user's credential.
 * - `oauth`: one connection for each user who signed in to the server.
 * - `sso`: one connection for each user, opened at the user's first request (`forwardToken`, `tokenExchange`).
 */
export type CredentialKind = 'shared' | 'oauth' | 'sso';

/** The credentials of users for servers. No method rejects. @spec §2.6 auth */
export interface ServerCredentials {
  findKind(server: McpServer): CredentialKind;
  /** Returns why no token may be sent to a server, in one line with the remedy; `undefined` when tokens may be, or none are. */
  readonly tokenProblem: (server: McpServer) => string | undefined;
  /** Returns the credential of a user for a server; synchronously when it is in memory. */
  current(server: McpServer, principal: Principal): CredentialOutcome | Promise<CredentialOutcome>;
  /**
   * Renews the credential after the server refused a request with 401 or 403 `insufficient_scope`, before it processed the request. With
   * `ok`, the request is sent once more with the new credential.
   */
  renewRejected(
    server: McpServer,
    principal: Principal,
    rejection: Rejection,
  ): Promise<CredentialOutcome>;
  /** Calls back after the sign-in of a user to a server changed, in any process. Returns the function that removes the listener. */
  onChange(listener: (change: CredentialChange) => void): () => void;
}
