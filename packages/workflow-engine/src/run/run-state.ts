import type { Turn } from '@gateway/call-contract';
import type { JsonMap, JsonValue, Workflow } from '@gateway/crd-schemas';
import type { RenderAllowance, RenderOptions } from '@gateway/go-template';
import type { StepEntry, StepFailure, TemplateData } from '../model/finished-run.ts';
import type { EngineLimits, EnginePorts, RunBudget } from '../model/ports.ts';
import type { Cancellation } from './cancellation.ts';
import type { StepTurnBudget, YieldTimer } from './turn-budget.ts';
import type { RunProgress, RunEvents } from './progress.ts';

/** The outcome of a step that ran. */
export interface StepOutcome {
  readonly failed: boolean;
  /** The value that later steps find in `.results`. */
  readonly result: JsonValue;
}

/** The reason that a run cannot continue. */
export type Failure = StepFailure;

/** The effects of a step before they are applied to the state of the run. */
export interface Report {
  readonly entry: StepEntry;
  /** Absent when the step was skipped. */
  readonly outcome: StepOutcome | undefined;
  /** Set when the run cannot go on because of it. */
  readonly failure: Failure | undefined;
}

/** The data of steps and their iteration. */
export interface StepScope {
  readonly data: TemplateData;
  /** The index of the loop's item. */
  readonly iteration?: number;
}

/** The budget of work in the process of the engine. Shared by all runs of the engine. */
export interface Attempts {
  /** True when larger work is done in another process. */
  readonly areInline: boolean;
  readonly allowance: RenderAllowance;
  /** A run with so many steps left may take the whole allowance. */
  readonly ampleSteps: number;
}

/** A run in progress. */
export interface Run {
  readonly ports: EnginePorts;
  readonly limits: EngineLimits;
  readonly rendering: RenderOptions;
  readonly attempts: Attempts;
  readonly workflow: Workflow;
  /** This workflow last. */
  readonly chain: readonly string[];
  readonly executionId: string;
  readonly caller: unknown;
  readonly cancellation: Cancellation;
  readonly progress: RunProgress | undefined;
  /** Absent when events are not recorded. */
  readonly events: RunEvents | undefined;
  readonly yieldTimer: YieldTimer;
  /** Shared by all runs of the engine. */
  readonly turns: StepTurnBudget;
  /** The user and the run in queues. */
  readonly turn: Turn;
  readonly budget: RunBudget;
  readonly entries: StepEntry[];
  /** By step id. Without prototype. */
  readonly results: Record<string, JsonValue>;
  /** By step id: every step that ran, with a result or without. */
  readonly outcomes: Map<string, StepOutcome>;
  /** The data of steps outside loops. */
  readonly scope: StepScope;
}

const NO_VARS: JsonMap = Object.freeze(Object.create(null) as JsonMap);

/** Returns an object without prototype, for keys of any name. */
export const createEmptyMap = (): Record<string, JsonValue> =>
  Object.create(null) as Record<string, JsonValue>;

/** Returns the data of templates: the same results for all steps of a run, and the variables of one iteration. */
export const createTemplateData = (
  input: JsonValue,
  results: JsonMap,
  vars: JsonMap = NO_VARS,
): TemplateData => ({
  input,
  results,
  vars,
  context: results,
});

export const formatBudgetProblem = ({ budget }: Run): string =>
  budget.problem ?? 'the budget is exceeded';

/** Applies the effects of a step to the state of the run. */
export const settle = (run: Run, { entry, outcome }: Report): void => {
  run.entries.push(entry);
  if (outcome === undefined) return;
  run.outcomes.set(entry.id, outcome);
  run.results[entry.id] = outcome.result;
  if (entry.storedAs !== undefined) run.results[entry.storedAs] = outcome.result;
};
