import type { CatalogSnapshot, JsonObject } from '@gateway/catalog';
import type { PresetSet, ServerLabels } from '@gateway/preset-resolver';

/** A progress report of a running call, passed on unchanged, unknown keys included. */
export interface ProgressReport {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
  readonly [key: string]: unknown;
}

/** What a client answers to a question of a server: its result, or its JSON-RPC error. */
export type ClientAnswer =
  | { readonly ok: true; readonly result: JsonObject }
  | { readonly ok: false; readonly error: ProtocolError };

/** A way to tell a client something after the call that opened it. */
interface SessionLine {
  notify(notification: { readonly method: string; readonly params: JsonObject }): void;
  onEnd(listener: () => void): void;
  end(): void;
}

/** A line, or why there is none. */
type OpenedLine =
  | { readonly ok: true; readonly line: SessionLine }
  | { readonly ok: false; readonly code: 'no-session' | 'no-stream' };

/** The caller, as a server may reach it while its call runs. Handed to the ports as it came. */
export interface Caller {
  readonly capabilities: JsonObject;
  readonly takesInputRequired: boolean;
  readonly logLevel: string | undefined;
  readonly identity: unknown;
  /** Aborting the signal withdraws the question. */
  ask(
    question: { readonly method: string; readonly params: JsonObject },
    options?: {
      readonly signal?: AbortSignal;
      readonly onProgress?: (progress: ProgressReport) => void;
    },
  ): Promise<ClientAnswer>;
  notify(notification: { readonly method: string; readonly params: JsonObject }): void;
  /** Opens a line to the caller's session that outlives the call; absent where there are no sessions. */
  openLine?(name: string): Promise<OpenedLine>;
}

/**
 * What accompanies a call that leaves the meta-tools. It is handed to the ports as it came, and nothing of it is read on the
 * way but `session`: a face may make the rest when it is first looked at.
 */
export interface CallOptions {
  readonly session: string | undefined;
  /** Aborted when the caller cancels, disconnects or runs out of time. */
  readonly signal: AbortSignal;
  /** Who calls; without it nobody can be asked. */
  readonly caller?: Caller | undefined;
  /** Answers to an `input_required` result, and its state, to be passed on unchanged (2026-07-28). */
  readonly inputResponses?: JsonObject | undefined;
  readonly requestState?: string | undefined;
  /** Absent when the caller asked for no progress. */
  readonly onProgress?: ((progress: ProgressReport) => void) | undefined;
  /** `_meta` of the request, to be passed on unchanged. */
  readonly meta?: JsonObject | undefined;
}

/** A JSON-RPC error, as a server or a client gave it. */
export interface ProtocolError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/**
 * The callee's own answer, untouched, or the reason why there is none, as the end of a sentence
 * (`server not found: files`), with the callee's own JSON-RPC error when that is the reason.
 */
export type CallOutcome =
  | {
      readonly ok: true;
      readonly result: JsonObject;
      /** JSON text of all members of `result` but `_meta`, where it is known: it may be passed on without being written again. */
      readonly json?: string;
    }
  | { readonly ok: false; readonly text: string; readonly error?: ProtocolError };

/** One refused `call_tool`, for one log line at info level. @spec §4.2 */
export interface CallRefusal {
  /** The name as the caller gave it. */
  readonly tool: string;
  /** The toolset as texts print it: `[a,b]`. */
  readonly toolset: string;
  readonly session: string | undefined;
}

/** Why an answer is refused because of the toolset. A bounded set, fit for a metric's label. @spec §7.1, §7.2 */
export type ToolsetRefusalReason =
  'empty' | 'too-many' | 'reserved' | 'label' | 'malformed' | 'unknown-preset' | 'outside';

/**
 * Everything the meta-tools need of the world. `snapshot`, `presets`, `serversRequiringAuth` and `serverLabels` are look-ups in
 * memory: a meta-tool that answers about the catalog calls no other. Only `call_tool`, `get_resource` and `get_prompt` call the rest.
 */
export interface MetaToolPorts {
  /** The caller's catalog. The same object while nothing changed. @spec §1.1 */
  snapshot(session: string | undefined): CatalogSnapshot;
  /** The presets in force. The same object while nothing changed. @spec §2.2, §2.3 */
  presets(): PresetSet;
  /** The servers that the caller could make available by signing in, in any order. @spec §5.2 */
  serversRequiringAuth(session: string | undefined): readonly { readonly name: string }[];
  /**
   * The labels of the servers as they are now; without this port, those of the snapshot. Asked only when the toolset uses
   * a label rule; when it throws, label rules select nothing. @spec §2.2
   */
  readonly serverLabels?: () => ServerLabels;
  /** Calls a tool of a server by the server's own name for it. */
  callServerTool(
    call: { readonly server: string; readonly tool: string; readonly arguments: JsonObject },
    options: CallOptions,
  ): Promise<CallOutcome>;
  /** Calls one of the gateway's own tools. */
  callCoreTool(name: string, args: JsonObject, options: CallOptions): Promise<CallOutcome>;
  /** Runs a workflow by the name of its execution tool, `workflow_<name>`; its steps are not scoped. @spec §4.2 */
  callWorkflow(name: string, args: JsonObject, options: CallOptions): Promise<CallOutcome>;
  /** Reads a resource of a server. */
  readResource(
    read: { readonly server: string; readonly uri: string },
    options: CallOptions,
  ): Promise<CallOutcome>;
  /** Gets a prompt of a server by the server's own name for it. */
  getPrompt(
    get: {
      readonly server: string;
      readonly prompt: string;
      readonly arguments: Readonly<Record<string, string>>;
    },
    options: CallOptions,
  ): Promise<CallOutcome>;
  /** Told once of each `call_tool` that the toolset refuses. @spec §4.2 */
  onCallRefused(refusal: CallRefusal): void;
  /** Told once for each answer, of any meta-tool, that is refused because of the toolset. @spec §7.1, §7.2 */
  onToolsetRefusal(reason: ToolsetRefusalReason): void;
  /** Told what went wrong beside an answer, as one line for the log. */
  warn(text: string): void;
}
