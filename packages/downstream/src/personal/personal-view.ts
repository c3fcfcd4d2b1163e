import type { CredentialKind } from '../credentials/server-credentials.ts';

/**
 * The state of the sign-in of one person to one server.
 *
 * - `connected`: its lists are known, and the last request was authorized.
 * - `auth_required`: the person has not signed in.
 * - `reauth_required`: the person must sign in again.
 * - `sso_pending`: a connection that needs no sign-in of its own is being opened.
 * - `unreachable`: the store or the provider of the credential does not answer.
 * - `failed`: the server could not be reached with the credential.
 * - `disconnected`: the server is stopped.
 */
export type PersonalStatus =
  | 'connected'
  | 'auth_required'
  | 'reauth_required'
  | 'sso_pending'
  | 'unreachable'
  | 'failed'
  | 'disconnected';

/** One server that a person may sign in to, as that person sees it. Never part of `status`. @spec §2.6 auth */
export interface PersonalServer {
  readonly server: string;
  readonly kind: Exclude<CredentialKind, 'shared'>;
  readonly status: PersonalStatus;
  /** One line without secrets; absent when the person is connected. */
  readonly reason?: string;
  readonly toolsCount: number;
  /** The gaps in the lists of the user's connection, one line each; absent when they are complete. */
  readonly listWarnings?: readonly string[];
}

/** The outcome of connecting a person to a server. */
export type PersonalOutcome =
  | {
      readonly code: 'connected';
      readonly server: string;
      readonly tools: number;
      readonly resources: number;
      readonly prompts: number;
    }
  /** The server needs no sign-in of its persons. */
  | { readonly code: 'not-personal'; readonly server: string }
  | { readonly code: 'unknown'; readonly server: string }
  | { readonly code: 'auth-required'; readonly server: string; readonly reason: string }
  | { readonly code: 'failed'; readonly server: string; readonly reason: string };
