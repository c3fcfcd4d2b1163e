import type { CallContext, CallResult } from '@gateway/call-contract';

/** The reason why a request to a downstream server has no result. */
export type DownstreamError =
  | { readonly code: 'server.unknown'; readonly server: string }
  | { readonly code: 'server.not-connected'; readonly server: string; readonly state: string }
  | {
      readonly code: 'server.auth-required';
      readonly server: string;
      /** Why the sign-in of the caller cannot be used: one line; absent when the caller has not signed in. */
      readonly reason?: string;
    }
  | { readonly code: 'server.connection-lost'; readonly server: string; readonly reason: string }
  /** The server has as many running and waiting requests as it may have. */
  | {
      readonly code: 'server.busy';
      readonly server: string;
      readonly running: number;
      readonly waiting: number;
    }
  | { readonly code: 'request.timeout'; readonly server: string; readonly timeoutMs: number }
  | { readonly code: 'request.cancelled'; readonly server: string }
  | {
      readonly code: 'request.refused';
      readonly server: string;
      readonly rpcCode: number;
      readonly message: string;
      /** The unchanged value of the server; absent when there is none. */
      readonly data?: unknown;
    }
  /** The server requested input that its caller could not or did not give (2026-07-28). */
  | { readonly code: 'input.not-given'; readonly server: string; readonly reason: string }
  | { readonly code: 'response.invalid'; readonly server: string; readonly reason: string };

/** The unchanged result of a downstream server, or the error. */
export type DownstreamOutcome =
  | {
      readonly ok: true;
      readonly result: CallResult;
    }
  | { readonly ok: false; readonly error: DownstreamError };

/** The context of a downstream request. A request of the gateway itself has no caller, no progress sink and no `_meta`. */
export type RequestOptions = Partial<CallContext>;
