/** The size of a step entry without its data. */
const ENTRY_BYTES = 500;

/** The limits of a budget. */
export interface BudgetLimits {
  /** Memory limit of the arguments and results of one run with the runs inside it, in bytes, estimated. */
  readonly maxRunBytes: number;
  /** Steps of all templates, conditions and calls of one run with the runs inside it. */
  readonly maxRunSteps: number;
  /** Memory limit of the arguments and results of all runs of the process, in bytes, estimated. */
  readonly maxMemoryBytes: number;
}

/** The memory of all runs of the process. */
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

const consumption = ({ maxRunSteps }: BudgetLimits): Consumption => ({
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
  readonly #of: Consumption;
  readonly #isRoot: boolean;
  #held = 0;

  private constructor({ limits, shared, of }: BudgetParts, isRoot: boolean) {
    this.#limits = limits;
    this.#shared = shared;
    this.#of = of;
    this.#isRoot = isRoot;
    if (isRoot) shared.roots += 1;
  }

  /** Returns the budget of a run that no other run started. */
  static root(limits: BudgetLimits, shared: SharedMemory): RunBudget {
    return new RunBudget({ limits, shared, of: consumption(limits) }, true);
  }

  /** Returns the same budget for a run inside this one. */
  nested(): RunBudget {
    return new RunBudget({ limits: this.#limits, shared: this.#shared, of: this.#of }, false);
  }

  /** Returns the budget of the handlers of this run, which clean up when this budget is exceeded. */
  forHandlers(): RunBudget {
    const of = (this.#of.handlers ??= consumption(this.#limits));
    // Handlers of a run that a handler started have no budget of their own.
    of.handlers = of;
    return new RunBudget({ limits: this.#limits, shared: this.#shared, of }, false);
  }

  /** Identifies the budget: equal for all runs that share it. */
  get owner(): object {
    return this.#of;
  }

  /** The reason that the run must end; absent within the limits. */
  get problem(): string | undefined {
    return this.#of.problem;
  }

  /** Steps that are left. */
  get stepsLeft(): number {
    return Math.max(0, this.#of.stepsLeft);
  }

  /** Counts steps; returns false when the budget is exceeded. */
  takeSteps(steps: number): boolean {
    this.#of.stepsLeft -= steps;
    if (this.#of.stepsLeft < 0) {
      const { maxRunSteps } = this.#limits;
      this.#of.problem ??= `the templates and calls of the run take more than the ${String(maxRunSteps)} steps allowed (maxRunSteps)`;
    }
    return this.#of.problem === undefined;
  }

  /** Reserves memory; returns false when the budget is exceeded. */
  reserve(bytes: number): boolean {
    if (this.#of.problem !== undefined) return false;
    this.#held += bytes;
    this.#of.heldBytes += bytes;
    this.#shared.held += bytes;
    this.#of.problem = this.#memoryProblem();
    return this.#of.problem === undefined;
  }

  /** Reserves memory for a step entry. */
  reserveEntry(bytes: number): boolean {
    return this.reserve(ENTRY_BYTES + bytes);
  }

  /** Releases the memory of this run, which has ended. */
  release(): void {
    this.#of.heldBytes -= this.#held;
    this.#shared.held -= this.#held;
    if (this.#isRoot) this.#shared.roots -= 1;
    this.#held = 0;
  }

  #memoryProblem(): string | undefined {
    const { maxRunBytes, maxMemoryBytes } = this.#limits;
    const { held, roots } = this.#shared;
    const { heldBytes } = this.#of;
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
  readonly of: Consumption;
}
