import type { Principal } from '@gateway/call-contract';

/** The state of a person at a server that persons sign in to. It is not the state of the resource. @spec §2.6 */
export type SignInStatus =
  | 'connected'
  | 'auth_required'
  | 'reauth_required'
  | 'sso_pending'
  | 'unreachable'
  | 'disconnected'
  | 'error'
  | 'failed';

/** One person's sign-in to one server. */
export interface SignInState {
  readonly server: string;
  readonly status: SignInStatus;
  /** The gateway connects the person by itself, with the sign-in to the gateway. */
  readonly isAutomatic: boolean;
  /** The reason of the status: one line without secrets. */
  readonly reason?: string;
  /** The gaps in the lists of the user's connection, one line each; absent when they are complete. */
  readonly listWarnings?: readonly string[];
  /** The authorization server that the person signs in at; absent while it is unknown. */
  readonly issuer?: string;
  /** The scopes of the sign-in, separated by spaces. */
  readonly scope?: string;
}

/** The outcome of a sign-in to a server. Reasons are one line without secrets. */
export type LoginOutcome =
  /** The person was connected already, with all scopes that the server has required. */
  | { readonly kind: 'signed-in' }
  /** The person is connected now. */
  | { readonly kind: 'connected'; readonly toolsCount: number }
  /** The person signs in at this address. */
  | {
      readonly kind: 'challenge';
      readonly url: string;
      /** Identifies the started sign-in; it admits nothing. */
      readonly id: string;
      readonly status: string;
    }
  /** The gateway has no address that a browser can reach. `remedy` is a sentence. */
  | { readonly kind: 'not-configured'; readonly remedy: string }
  /** The server does not name its authorization server. `problem` is what it answers instead. */
  | { readonly kind: 'no-metadata'; readonly problem?: string }
  /** The sign-in succeeded, but not the connection. */
  | { readonly kind: 'connect-failed'; readonly reason: string }
  | { readonly kind: 'failed'; readonly reason: string }
  | {
      readonly kind: 'rate-limited';
      /** Attempts that a person may make in a minute. */
      readonly limit: number;
      readonly remaining: number;
      readonly retryAfterSeconds: number;
    };

/** The outcome of a sign-out from a server. */
export type LogoutOutcome =
  | { readonly kind: 'signed-out' }
  | { readonly kind: 'not-signed-in' }
  | { readonly kind: 'failed'; readonly reason: string };

/** Signs persons in to servers. @spec §5 */
export interface SignInPort {
  /** Returns the person's own state at a server; `undefined` for a server that all persons share. Reads memory. */
  stateOf(server: string, principal: Principal): SignInState | undefined;
  login(server: string, principal: Principal): Promise<LoginOutcome>;
  logout(server: string, principal: Principal): Promise<LogoutOutcome>;
  /** Resolves with `true` when the browser completed a started sign-in, with `false` when it expired or failed. Never rejects. */
  completed(id: string): Promise<boolean>;
}
