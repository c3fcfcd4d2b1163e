import type { CallOutcome, JsonObject, ProgressReport } from '@gateway/call-contract';
import type { ExecutionRecord, JsonMap, RunStarter, Workflow } from '@gateway/crd-schemas';
import type { EventSink } from '@gateway/events';
import type { IsolatedResult, IsolatedWork } from './isolated-work.ts';
import type { BudgetLimits, RunBudget } from './run-budget.ts';

/** A call by a workflow, with its rendered arguments. */
export interface ToolCall {
  readonly tool: string;
  readonly arguments: JsonMap;
}

/** The context of a call. */
export interface ToolCallContext {
  /** Aborted when the run is cancelled or out of time. */
  readonly signal: AbortSignal;
  /** The time limit of the call, in milliseconds. The port then ends the call and returns `ok: false`. */
  readonly timeoutMs: number;
  /** The workflows that run at this moment, outermost first, this one included: for the run that the call may start. */
  readonly chain: readonly string[];
  /** The id of the run that makes the call. */
  readonly executionId: string;
  /** The caller of the run, passed on unchanged. */
  readonly caller: unknown;
  /** The budget of the run, for the run that the call may start. */
  readonly budget: RunBudget;
}

/** The dependencies of a run. */
export interface EnginePorts {
  /** Calls a tool by its exposed name, outside any toolset (§4.2). Never throws. */
  callTool(call: ToolCall, context: ToolCallContext): Promise<CallOutcome>;
  /** Milliseconds since the epoch. */
  now(): number;
  /**
   * Milliseconds of a monotonic clock. With it, a run reads `now` once and adds durations, so that a change of the wall clock alters
   * no duration; without it, it reads `now` each time.
   */
  elapsed?(): number;
  /** A new identity for a run. */
  newId(): string;
  /** Writes one line to the log, at warn level. */
  warn(text: string): void;
  /**
   * Called when a run starts (`inprogress`) and when it ends. A run returns its result when the promise of its end has settled. An error of
   * it never fails the run.
   */
  record(record: ExecutionRecord): void | Promise<void>;
  /** Receives the events of runs and steps; absent when events are not recorded. An error of it never fails the run. */
  readonly report?: EventSink | undefined;
  /**
   * Yields to other work of the process. A run calls it every 20 ms; without it, a long run whose tools answer at once blocks
   * everything else, including its cancellation.
   */
  pause?(): Promise<void>;
  /**
   * Does work in another process that may take seconds or much memory. Without it, a run does all work in this process, and a template
   * can block it. Never rejects.
   */
  isolate?(work: IsolatedWork): Promise<IsolatedResult>;
}

/** The limits of a run. Exceeding one is a refusal with a text. */
export interface EngineLimits extends BudgetLimits {
  /** Maximum depth of nested workflows. */
  readonly maxDepth: number;
  /** Items of one loop. */
  readonly maxLoopItems: number;
  /** Sub-steps of one `parallel` that run at the same time. */
  readonly maxParallel: number;
  /** Time limit of one tool call, in milliseconds. */
  readonly toolTimeoutMs: number;
  /** Time limit of all `onFailure` handlers of a cancelled run in total, in milliseconds. */
  readonly cleanupMs: number;
  /** Bytes of one rendered value, and of all arguments of one call. */
  readonly maxRenderedBytes: number;
}

/** The context of a run. */
export interface RunOptions {
  readonly signal: AbortSignal;
  /** Absent when the caller requested no progress. */
  readonly onProgress?: ((progress: ProgressReport) => void) | undefined;
  /** The workflows that led here, outermost first; empty or absent for a caller from outside. */
  readonly chain?: readonly string[];
  /** The budget of the run that started this one; a new one when absent. */
  readonly budget?: RunBudget | undefined;
  /** The user whose work waits in turn with that of others. */
  readonly user?: string | undefined;
  /** The person for the record of the run; absent when the caller did not sign in. */
  readonly startedBy?: RunStarter | undefined;
  /** Passed to `callTool` unchanged. */
  readonly caller?: unknown;
}

/** Runs workflows. */
export interface WorkflowEngine {
  /**
   * Runs a workflow to its end. Every outcome is in the result, with `isError` when the run failed; rejects only for a bug. The
   * run uses the given workflow, even if it is replaced meanwhile.
   */
  run(workflow: Workflow, args: unknown, options: RunOptions): Promise<JsonObject>;
}
