import type { ExecutionRecord, JsonMap, Result, RunStarter, Workflow } from '@gateway/crd-schemas';
import type { CallOutcome, JsonObject, ProgressReport, Turn } from '@gateway/call-contract';
import type { EventSink } from '@gateway/events';

/** Work that a run needs done outside of its process, because it takes too long or too much memory. */
export interface IsolatedWork {
  /** Returns the work as JSON, for `runIsolatedWork` in the other process. Called when the work begins. */
  readonly work: () => JsonMap;
  /** The user, and the run with the runs inside it: users take turns, and the runs of a user. */
  readonly turn: Turn;
  /** Aborted when the run is cancelled. */
  readonly signal: AbortSignal;
}

/** The result of `runIsolatedWork`, or the reason that there is none. */
export type IsolatedResult = Result<JsonMap, string>;

/** The size of a step entry without its data. */
const ENTRY_BYTES = 500;

export interface BudgetLimits {
  /** Memory limit of the arguments and results of one run with the runs inside it, in bytes, estimated. */
  readonly maxRunBytes: number;
  /** Steps of all templates, conditions and calls of one run with the runs inside it. */
  readonly maxRunSteps: number;
  /** Memory limit of the arguments and results of all runs of the process, in bytes, estimated. */
  readonly maxMemoryBytes: number;
}

export interface SharedMemory {
  /** Bytes that all runs hold. */
  held: number;
  /** Runs in progress that were not started by another run. */
  roots: number;
}

/** The consumption of a run and of the runs inside it. */
interface Consumption {
  heldBytes: number;
  stepsLeft: number;
  /** The reason that the run must end. Once a limit is exceeded it stays exceeded. */
  problem: string | undefined;
  /** The budget of handlers of failed runs, shared by all of them. */
  handlers: Consumption | undefined;
}

const createConsumption = ({ maxRunSteps }: BudgetLimits): Consumption => ({
  heldBytes: 0,
  stepsLeft: maxRunSteps,
  problem: undefined,
  handlers: undefined,
});

/**
 * The budget of memory and work of a run. A run inside another run has the same budget, so that neither loops nor nesting multiply it.
 * Arguments and results are retained until their run ends. Once a limit is exceeded it stays exceeded, and the run ends even if its
 * steps allow failures.
 */
export class RunBudget {
  readonly #limits: BudgetLimits;
  readonly #shared: SharedMemory;
  readonly #consumption: Consumption;
  readonly #isRoot: boolean;
  #held = 0;

  private constructor({ limits, shared, consumption }: BudgetParts, isRoot: boolean) {
    this.#limits = limits;
    this.#shared = shared;
    this.#consumption = consumption;
    this.#isRoot = isRoot;
    if (isRoot) shared.roots += 1;
  }

  /** Returns the budget of a run that no other run started. */
  static root(limits: BudgetLimits, shared: SharedMemory): RunBudget {
    return new RunBudget({ limits, shared, consumption: createConsumption(limits) }, true);
  }

  /** Returns the budget of a run inside this one, which shares the limits. */
  nest(): RunBudget {
    return new RunBudget(
      { limits: this.#limits, shared: this.#shared, consumption: this.#consumption },
      false,
    );
  }

  /** Returns the budget of the handlers of this run, which clean up when this budget is exceeded. */
  forHandlers(): RunBudget {
    const consumption = (this.#consumption.handlers ??= createConsumption(this.#limits));
    // Handlers of a run that a handler started have no budget of their own.
    consumption.handlers = consumption;
    return new RunBudget({ limits: this.#limits, shared: this.#shared, consumption }, false);
  }

  /** Identifies the budget: equal for all runs that share it. */
  get owner(): object {
    return this.#consumption;
  }

  /** The reason that the run must end; absent within the limits. */
  get problem(): string | undefined {
    return this.#consumption.problem;
  }

  get stepsLeft(): number {
    return Math.max(0, this.#consumption.stepsLeft);
  }

  /** Counts steps; returns false when the budget is exceeded. */
  takeSteps(steps: number): boolean {
    this.#consumption.stepsLeft -= steps;
    if (this.#consumption.stepsLeft < 0) {
      const { maxRunSteps } = this.#limits;
      this.#consumption.problem ??= `the templates and calls of the run take more than the ${String(maxRunSteps)} steps allowed (maxRunSteps)`;
    }
    return this.#consumption.problem === undefined;
  }

  /** Reserves memory; returns false when the budget is exceeded. */
  reserve(bytes: number): boolean {
    if (this.#consumption.problem !== undefined) return false;
    this.#held += bytes;
    this.#consumption.heldBytes += bytes;
    this.#shared.held += bytes;
    this.#consumption.problem = this.#memoryProblem();
    return this.#consumption.problem === undefined;
  }

  /** Reserves memory for a step entry. */
  reserveEntry(bytes: number): boolean {
    return this.reserve(ENTRY_BYTES + bytes);
  }

  /** Releases the memory of this run, which has ended. */
  release(): void {
    this.#consumption.heldBytes -= this.#held;
    this.#shared.held -= this.#held;
    if (this.#isRoot) this.#shared.roots -= 1;
    this.#held = 0;
  }

  #memoryProblem(): string | undefined {
    const { maxRunBytes, maxMemoryBytes } = this.#limits;
    const { held, roots } = this.#shared;
    const { heldBytes } = this.#consumption;
    if (heldBytes > maxRunBytes) {
      return `the run holds more than the ${String(maxRunBytes)} bytes of arguments and results allowed (maxRunBytes)`;
    }
    // A run below its share continues: the runs above theirs end.
    const isAboveShare = held > maxMemoryBytes && heldBytes > maxMemoryBytes / Math.max(1, roots);
    if (!isAboveShare) return undefined;
    return `the runs of this process hold more than the ${String(maxMemoryBytes)} bytes of arguments and results allowed (maxMemoryBytes)`;
  }
}

interface BudgetParts {
  readonly limits: BudgetLimits;
  readonly shared: SharedMemory;
  readonly consumption: Consumption;
}

/** A call by a workflow, with its rendered arguments. */
export interface ToolCall {
  readonly tool: string;
  readonly arguments: JsonMap;
}

export interface ToolCallContext {
  /** Aborted when the run is cancelled or out of time. */
  readonly signal: AbortSignal;
  /** The time limit of the call, in milliseconds. The port then ends the call and returns `ok: false`. */
  readonly timeoutMs: number;
  /** The workflows that run at this moment, outermost first, this one included: for the run that the call may start. */
  readonly chain: readonly string[];
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
  /** The user for the record of the run; absent when the caller did not sign in. */
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
