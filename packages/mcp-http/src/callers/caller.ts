import type { JsonObject } from '../protocol/json-object.ts';
import { RPC_CODE, type RpcError } from '../protocol/json-rpc.ts';
import type { Progress } from '../protocol/progress.ts';
import type { OpenedLine } from '../sessions/session-line.ts';

/** What a client answers to a question of a server: its result, or its JSON-RPC error. */
export type ClientAnswer =
  | { readonly ok: true; readonly result: JsonObject }
  | { readonly ok: false; readonly error: RpcError };

/** What a server asks a client. */
export interface Question {
  readonly method: string;
  readonly params: JsonObject;
}

/** What accompanies a question to a caller. */
export interface AskOptions {
  /** Aborted when the question is withdrawn. */
  readonly signal?: AbortSignal;
  /** Receives the caller's progress reports about its answer, without their token. */
  readonly onProgress?: (progress: Progress) => void;
}

/** The caller of a request, as a service may reach it while the request runs. */
export interface Caller {
  /** `sampling`, `elicitation`, `roots` as the caller declared them; empty when it declared none or cannot be asked. */
  readonly capabilities: JsonObject;
  /** The caller reads `input_required` results and comes back with the answers (2026-07-28). */
  readonly takesInputRequired: boolean;
  /** The least severe level of log messages that the caller wants; `undefined`: none. */
  readonly logLevel: string | undefined;
  /** Equal for requests of one session; unique for a request without one. It may be kept for long and holds nothing of the call. */
  readonly identity: unknown;
  /**
   * Asks the caller (`sampling/createMessage`, `elicitation/create`, `roots/list`); never rejects. Aborting `signal`
   * withdraws the question, and the answer is of no use any more.
   */
  ask(question: Question, options?: AskOptions): Promise<ClientAnswer>;
  /** Passes on a notification that belongs to the request, such as `notifications/message`. */
  notify(notification: { readonly method: string; readonly params: JsonObject }): void;
  /**
   * Opens a line to the caller's session that outlives the call. One of the same name that the session has, in whichever
   * process, ends. Clients of 2026-07-28 have no sessions. Never rejects.
   */
  openLine(name: string): Promise<OpenedLine>;
}

/** An answer that stands in for one that the client did not give. */
export const noAnswer = (code: number, message: string): ClientAnswer => ({
  ok: false,
  error: { code, message },
});

/** The answer to a question that a client cannot be asked. */
export const unaskable = (reason: string): ClientAnswer =>
  noAnswer(RPC_CODE.methodNotFound, reason);

/** The answer to a question whose call is over, or that is withdrawn. */
export const WITHDRAWN: ClientAnswer = noAnswer(
  RPC_CODE.transport,
  'The question was withdrawn: nobody waits for its answer',
);
