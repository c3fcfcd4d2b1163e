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
      /** As the server sent it; absent when it sent none. */
      readonly data?: unknown;
    }
  /** The server asked for input, which its caller could not or would not give (2026-07-28). */
  | { readonly code: 'input.not-given'; readonly server: string; readonly reason: string }
  | { readonly code: 'response.invalid'; readonly server: string; readonly reason: string };

/** A downstream answer, untouched, or why there is none. */
export type DownstreamOutcome =
  | {
      readonly ok: true;
      readonly result: Readonly<Record<string, unknown>>;
      /** JSON text of `result` as the server sent it, when that has no `_meta`: it is passed on without being written again. */
      readonly json?: string;
    }
  | { readonly ok: false; readonly error: DownstreamError };

/** What a client answers to a question of a server: its result, or its JSON-RPC error. */
export type ClientAnswer =
  | { readonly ok: true; readonly result: Readonly<Record<string, unknown>> }
  | {
      readonly ok: false;
      readonly error: { readonly code: number; readonly message: string; readonly data?: unknown };
    };

/** What accompanies a question to a caller. */
export interface AskOptions {
  /** Aborted when the server withdraws its question, or when the call that it belongs to ends. */
  readonly signal?: AbortSignal;
  /** Receives the caller's progress reports about its answer, without their token. */
  readonly onProgress?: NonNullable<RequestOptions['onProgress']>;
}

/** The caller of a request, as the server may reach it while the request runs. Identity tells callers apart. */
export interface Caller {
  /** `sampling`, `elicitation`, `roots` as the caller declared them; empty when it declared none or cannot be asked. */
  readonly capabilities: Readonly<Record<string, unknown>>;
  /** The caller reads `input_required` results and comes back with the answers (2026-07-28). */
  readonly takesInputRequired: boolean;
  /** The least severe level of log messages that the caller wants; `undefined`: none. */
  readonly logLevel: string | undefined;
  /** Equal for requests of one session; unique for a request without one. */
  readonly identity: unknown;
  /**
   * Asks the caller (`sampling/createMessage`, `elicitation/create`, `roots/list`); never rejects. Aborting `signal` withdraws the
   * question, and the answer is of no use any more.
   */
  ask(
    question: {
      readonly method: string;
      readonly params: Readonly<Record<string, unknown>>;
    },
    options?: AskOptions,
  ): Promise<ClientAnswer>;
  /** Passes on a notification that belongs to the request, such as `notifications/message`. */
  notify(notification: {
    readonly method: string;
    readonly params: Readonly<Record<string, unknown>>;
  }): void;
}

/** What accompanies a downstream request. */
export interface RequestOptions {
  /** Who asks; without it nobody can be asked and no log messages are passed on. */
  readonly caller?: Caller;
  /** Answers to the `input_required` result of an earlier try, and its state, as the caller gave them (2026-07-28). */
  readonly inputResponses?: Readonly<Record<string, unknown>>;
  readonly requestState?: string;
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
