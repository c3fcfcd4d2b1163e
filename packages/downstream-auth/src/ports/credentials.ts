import type { Principal } from '@gateway/call-contract';
import type { McpServer } from '@gateway/crd-schemas';

/** The authentication of the requests of one user to one server. */
export interface Credential {
  /** Value of the `Authorization` header. Secret. */
  readonly authorization: string;
  /** Changes with the credential. Not secret. */
  readonly id: string;
}

/** The reason why a user has no credential. `reason` is one line for people, without secrets. */
export interface NoCredential {
  readonly ok: false;
  /**
   * - `sign-in-required`: the user has not signed in to the server.
   * - `sign-in-again`: the token has ended, or it lacks an audience or a scope.
   * - `unavailable`: the store or the provider does not answer; a later request may succeed.
   */
  readonly code: 'sign-in-required' | 'sign-in-again' | 'unavailable';
  readonly reason: string;
}

/** A credential, or the reason why there is none. */
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
 * The kind of the credentials of a server.
 *
 * - `shared`: no user's credential.
 * - `oauth`: each user signs in to the server.
 * - `sso`: from the sign-in of the user to the gateway (`forwardToken`, `tokenExchange`).
 */
export type CredentialKind = 'shared' | 'oauth' | 'sso';

/** The credentials of users for servers, as `downstream` requires them. No method rejects. @spec §2.6 auth */
export interface ServerCredentials {
  kindOf(server: McpServer): CredentialKind;
  /** Returns why no token may be sent to a server, in one line with the remedy; `undefined` when tokens may be, or none are. */
  readonly tokenProblem: (server: McpServer) => string | undefined;
  /** Returns the credential of a user for a server; synchronously when it is in memory. */
  current(server: McpServer, principal: Principal): CredentialOutcome | Promise<CredentialOutcome>;
  /** Renews the credential after the server refused a request. With `ok`, the request is sent once more with the new credential. */
  rejected(
    server: McpServer,
    principal: Principal,
    rejection: Rejection,
  ): Promise<CredentialOutcome>;
  /** Calls back after the sign-in of a user to a server changed, in any process. Returns the function that removes the listener. */
  onChange(listener: (change: CredentialChange) => void): () => void;
}

/** One way to get the credential of a user for a remote server. No method rejects; memory is bounded, and concurrent requests are shared. */
export interface TokenStrategy {
  /** Returns the credential; synchronously when it is in memory. */
  current(server: McpServer, principal: Principal): CredentialOutcome | Promise<CredentialOutcome>;
  /** Renews the credential after the server refused a request before it processed it. */
  rejected(
    server: McpServer,
    principal: Principal,
    rejection: Rejection,
  ): Promise<CredentialOutcome>;
}

export interface SecretReference {
  readonly name: string;
  readonly namespace?: string;
  readonly key: string;
}

type SecretOutcome =
  { readonly ok: true; readonly value: string } | { readonly ok: false; readonly reason: string };

/** Values of Secrets, from files or from Kubernetes. */
export interface SecretSource {
  /** Returns the value without a line break at its end. Never rejects. */
  read(reference: SecretReference): Promise<SecretOutcome>;
}
