import type { CallOutcome, JsonObject, ProgressReport } from '@gateway/call-contract';
import type { ExecutionRecord, JsonMap, Workflow } from '@gateway/crd-schemas';
import type { EventSink } from '@gateway/events';

/** One call that a workflow makes. Its arguments are final. */
export interface ToolCall {
  readonly tool: string;
  readonly arguments: JsonMap;
}

/** What accompanies a call. */
export interface ToolCallContext {
  /** Aborted when the run is cancelled or out of time. */
  readonly signal: AbortSignal;
  /** How long the call may take, in milliseconds. The port ends it then and answers `ok: false`. */
  readonly timeoutMs: number;
  /** The workflows that run at this moment, outermost first, this one included: for the run that the call may start. */
  readonly chain: readonly string[];
  /** What the run was started with, untouched. */
  readonly caller: unknown;
}

/** Everything that a run needs from its environment. */
export interface EnginePorts {
  /** Calls a tool by its exposed name, outside any toolset (§4.2). Never throws. */
  callTool(call: ToolCall, context: ToolCallContext): Promise<CallOutcome>;
  /** Milliseconds since the epoch. */
  now(): number;
  /** A new identity for a run. */
  newId(): string;
  /** One line for the log, at warn level. */
  warn(text: string): void;
  /** Told when a run starts (`inprogress`) and when it ends. What it does with it never fails the run. */
  record(record: ExecutionRecord): void;
  /** Told what happens to runs and their steps; absent where nobody wants to know. Never fails the run. */
  readonly report?: EventSink | undefined;
  /**
   * Lets other work of the process go first. A run asks for it after each 20 ms; without it, a long run whose tools answer at
   * once leaves no time for anything else, not even for what would cancel it.
   */
  pause?(): Promise<void>;
}

/** Bounds of a run. All are refusals with a text, never a hang. */
export interface EngineLimits {
  /** How many workflows may run inside one another. */
  readonly maxDepth: number;
  /** Items of one loop. */
  readonly maxLoopItems: number;
  /** Sub-steps of one `parallel` that run at the same time. */
  readonly maxParallel: number;
  /** How long one tool call may take, in milliseconds. */
  readonly toolTimeoutMs: number;
  /** How long all `onFailure` handlers of a cancelled run may take together, in milliseconds. */
  readonly cleanupMs: number;
  /** Bytes of one rendered value, and of all arguments of one call. */
  readonly maxRenderedBytes: number;
  /** About how many bytes of memory the arguments and results of one run may take. */
  readonly maxRunBytes: number;
}

/** What accompanies a run. */
export interface RunOptions {
  readonly signal: AbortSignal;
  /** Absent when the caller asked for no progress. */
  readonly onProgress?: ((progress: ProgressReport) => void) | undefined;
  /** The workflows that led here, outermost first; empty or absent for a caller from outside. */
  readonly chain?: readonly string[];
  /** Handed to `callTool` untouched. */
  readonly caller?: unknown;
}

/** Runs workflows. */
export interface WorkflowEngine {
  /**
   * Runs a workflow to its end. Whatever happens is in the result, with `isError` when it failed; rejects only for a bug.
   * The run keeps the workflow that it was given, whatever replaces it meanwhile.
   */
  run(workflow: Workflow, args: unknown, options: RunOptions): Promise<JsonObject>;
}
