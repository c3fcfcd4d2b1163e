import type { RpcError } from './json-rpc.ts';
import type { Progress } from './mcp-service.ts';

type Json = Readonly<Record<string, unknown>>;

/** What a client answers to a question of a server: its result, or its JSON-RPC error. */
export type ClientAnswer =
  { readonly ok: true; readonly result: Json } | { readonly ok: false; readonly error: RpcError };

/** What accompanies a question to a caller. */
export interface AskOptions {
  /** Aborting it withdraws the question. */
  readonly signal?: AbortSignal;
  /** Receives the caller's progress reports about its answer, without their token. */
  readonly onProgress?: (progress: Progress) => void;
}

/** The caller of a request, as a service may reach it while the request runs. */
export interface Caller {
  /** `sampling`, `elicitation`, `roots` as the caller declared them; empty when it declared none or cannot be asked. */
  readonly capabilities: Json;
  /** The caller reads `input_required` results and comes back with the answers (2026-07-28). */
  readonly takesInputRequired: boolean;
  /** The least severe level of log messages that the caller wants; `undefined`: none. */
  readonly logLevel: string | undefined;
  /** Equal for requests of one session; unique for a request without one. */
  readonly identity: unknown;
  /** Asks the caller (`sampling/createMessage`, `elicitation/create`, `roots/list`); never rejects. */
  ask(
    question: { readonly method: string; readonly params: Json },
    options?: AskOptions,
  ): Promise<ClientAnswer>;
  /** Passes on a notification that belongs to the request, such as `notifications/message`. */
  notify(notification: { readonly method: string; readonly params: Json }): void;
}

/** A caller that cannot be asked and hears nothing. */
export const noCaller = (identity: unknown): Caller => ({
  capabilities: {},
  takesInputRequired: false,
  logLevel: undefined,
  identity,
  ask: ({ method }) =>
    Promise.resolve({
      ok: false,
      error: { code: -32_601, message: `The caller cannot be asked: ${method}` },
    }),
  notify: () => undefined,
});
