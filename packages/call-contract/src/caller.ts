import type { JsonObject } from './json.ts';
import type { RpcError } from './call-outcome.ts';

/** A progress report of a running call: `notifications/progress` without its token. Unknown keys are preserved. */
export interface ProgressReport {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
  readonly [key: string]: unknown;
}

/** A JSON-RPC notification. */
export interface Notification {
  readonly method: string;
  readonly params: JsonObject;
}

/** A channel to the session of a client. It outlives the call that opened it and retains nothing of that call. */
export interface NotificationChannel {
  /** Sends a notification on a stream of the session; drops it when there is no stream, or when the reader is too slow. */
  notify(notification: Notification): void;
  /** Registers a listener that runs once, when the channel closes: with its session, by `end`, or because a channel of the same name was opened. */
  onEnd(listener: () => void): void;
  end(): void;
}

/** An opened channel, or the reason why there is none. */
export type OpenedChannel =
  | { readonly ok: true; readonly channel: NotificationChannel }
  | {
      readonly ok: false;
      /** `no-session`: the client has no session; `no-stream`: its session has no stream that could carry notifications. */
      readonly code: 'no-session' | 'no-stream';
    };

/** The result of opening a channel to a client without a session. */
export const NO_SESSION: OpenedChannel = Object.freeze({ ok: false, code: 'no-session' });

/** A JSON-RPC request that a server sends to a client: `sampling/createMessage`, `elicitation/create` or `roots/list`. */
export interface ClientRequest {
  readonly method: string;
  readonly params: JsonObject;
}

/** The client's response to a request of a server: its result, or its JSON-RPC error. */
export type ClientAnswer =
  | { readonly ok: true; readonly result: JsonObject }
  | { readonly ok: false; readonly error: RpcError };

export interface AskOptions {
  /** Aborted when the request is withdrawn. */
  readonly signal?: AbortSignal;
  /** Receives the client's progress reports without their token. */
  readonly onProgress?: (progress: ProgressReport) => void;
  /** The next request of the same call follows at once. A client that receives them in one result gets both in the same one. */
  readonly more?: boolean;
}

/** The client that sent a call, as a service and its servers reach it while the call runs. */
export interface Caller {
  /** `sampling`, `elicitation`, `roots` as the client declared them; empty when it declared none or accepts no requests. */
  readonly capabilities: JsonObject;
  /** The client reads `input_required` results and sends the call again with the answers (2026-07-28). */
  readonly takesInputRequired: boolean;
  /** The client reads content of the type `resource_link` (2025-06-18 and later); others refuse a result that has some. */
  readonly takesResourceLinks?: boolean;
  /** Least severe level of log messages that the client requests; `undefined`: none. */
  readonly logLevel: string | undefined;
  /** Equal for calls of one session; unique for a call without a session. It may be stored and retains nothing of the call. */
  readonly identity: unknown;
  /**
   * Names the client over several calls: its session or connection; for a call without a session the signed-in user and the program,
   * or on a loopback address the program. Several programs of one user may have one name, so it never decides alone who is asked.
   * Absent when the clients of such calls cannot be distinguished. Never shown.
   */
  readonly client?: string | undefined;
  /** Names the user who has signed in, otherwise the network of the caller, for limits. Absent on a connection with one client. Never shown. */
  readonly user?: string | undefined;
  /** Sends a request to the client; never rejects. Aborting `signal` withdraws the request, and its answer is discarded. */
  ask(request: ClientRequest, options?: AskOptions): Promise<ClientAnswer>;
  /** Sends a notification that belongs to the call, such as `notifications/message`. */
  notify(notification: Notification): void;
  /**
   * Opens a notification channel to the client's session; never rejects. A channel of the same name that the session has, in any
   * process, closes. Absent where there are no sessions.
   */
  openNotificationChannel?(name: string): Promise<OpenedChannel>;
}
