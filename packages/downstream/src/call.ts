/** Why a request to a downstream server got no answer of the server's own. */
export type DownstreamError =
  | { readonly code: 'server.unknown'; readonly server: string }
  | { readonly code: 'server.not-connected'; readonly server: string; readonly state: string }
  | { readonly code: 'server.auth-required'; readonly server: string }
  | { readonly code: 'server.connection-lost'; readonly server: string; readonly reason: string }
  | { readonly code: 'request.timeout'; readonly server: string; readonly timeoutMs: number }
  | { readonly code: 'request.cancelled'; readonly server: string }
  | {
      readonly code: 'request.refused';
      readonly server: string;
      readonly rpcCode: number;
      readonly message: string;
    }
  | { readonly code: 'response.invalid'; readonly server: string; readonly reason: string };

/** A downstream answer, untouched, or why there is none. */
export type DownstreamOutcome =
  | { readonly ok: true; readonly result: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly error: DownstreamError };

/** What accompanies a downstream request. */
export interface RequestOptions {
  /** Aborting it cancels the request downstream; the text of its reason goes to the server, at most 200 characters of it. */
  readonly signal?: AbortSignal;
  /** Receives the server's progress reports without their token, unchanged, unknown keys included. */
  readonly onProgress?: (progress: {
    readonly progress: number;
    readonly total?: number;
    readonly message?: string;
    readonly [key: string]: unknown;
  }) => void;
  /** `_meta` of the request, passed on unchanged. */
  readonly meta?: Readonly<Record<string, unknown>>;
}
