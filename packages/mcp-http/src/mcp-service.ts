/** A tool as `tools/list` shows it. */
export interface ServiceTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly annotations?: Readonly<Record<string, unknown>>;
}

/** A progress report of a running call (`notifications/progress` without its token), passed through as it is: unknown keys are kept. */
export interface Progress {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
  readonly [key: string]: unknown;
}

/** What the face knows of the request that carries a call. */
export interface CallContext {
  /** The session's id; `undefined` for a request without a session. */
  readonly sessionId: string | undefined;
  /** Values of a request header in the order of its lines, by lower-case name; absent header: `undefined`. */
  readonly header: (name: string) => readonly string[] | undefined;
  /** Aborted when the caller cancels, disconnects or the request times out. */
  readonly signal: AbortSignal;
  /** Reports progress to the caller; absent when the caller did not ask for progress. */
  readonly onProgress?: (progress: Progress) => void;
  /** `_meta` of the request without the keys that belong to the transport (`progressToken`). */
  readonly meta?: Readonly<Record<string, unknown>>;
}

/** A `tools/call` result, passed through as it is: unknown keys are kept. */
export type CallResult = Readonly<Record<string, unknown>>;

/** What the face serves. It knows nothing of revisions, sessions or sockets. */
export interface McpService {
  readonly info: { readonly name: string; readonly version: string; readonly title?: string };
  readonly instructions?: string;
  readonly tools: readonly ServiceTool[];
  /**
   * Runs one tool of `tools`.
   *
   * @returns the result; rejects only on a bug, which the face answers with an internal error
   */
  callTool(
    call: {
      readonly name: string;
      readonly arguments: Readonly<Record<string, unknown>> | undefined;
    },
    context: CallContext,
  ): Promise<CallResult>;
}
