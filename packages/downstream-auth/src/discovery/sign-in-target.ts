import type { AuthorizationServerMetadata } from './metadata.ts';

/** The authorization server of a server, and the resource to request tokens for. */
export interface SignInTarget {
  readonly issuer: string;
  /** RFC 8707 resource indicator. */
  readonly resource: string;
  /** Scopes to request, separated by spaces; absent when neither the operator nor the server names any. */
  readonly scope?: string;
  readonly metadata: AuthorizationServerMetadata;
}

/** The result of a discovery. `reason` is one sentence without secrets. */
export type DiscoveryOutcome =
  | { readonly ok: true; readonly target: SignInTarget }
  /** The server names no authorization server. `problem` is what its metadata has instead. */
  | { readonly ok: false; readonly code: 'metadata-missing'; readonly problem?: string }
  | { readonly ok: false; readonly code: 'failed'; readonly reason: string };
