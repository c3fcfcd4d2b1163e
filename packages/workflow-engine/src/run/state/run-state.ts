import type { JsonMap, JsonValue, Workflow } from '@gateway/crd-schemas';
import type { RenderOptions } from '@gateway/go-template';
import type { TemplateData } from '../../model/template-data.ts';
import type { StepEntry, StepFailure } from '../../model/finished-run.ts';
import type { EngineLimits, EnginePorts } from '../../model/ports.ts';
import type { Cancellation } from './cancellation.ts';
import type { YieldTimer } from './yield-timer.ts';
import type { Progress } from './progress.ts';
import type { RunEvents } from './run-events.ts';
import type { MemoryBudget } from './memory-budget.ts';

/** What became of a step that ran. */
export interface Outcome {
  readonly failed: boolean;
  /** What later steps see under `.results`. */
  readonly result: JsonValue;
}

/** Why a run cannot go on. */
export type Failure = StepFailure;

/** What a step did, before anything of it is in the run's state. */
export interface Report {
  readonly entry: StepEntry;
  /** Absent when the step was skipped. */
  readonly outcome: Outcome | undefined;
  /** Set when the run cannot go on because of it. */
  readonly failure: Failure | undefined;
}

/** What steps read and where they belong. */
export interface Scope {
  readonly data: TemplateData;
  /** The index of the loop's item. */
  readonly iteration?: number;
}

/** A run that is under way. */
export interface Run {
  readonly ports: EnginePorts;
  readonly limits: EngineLimits;
  readonly rendering: RenderOptions;
  readonly workflow: Workflow;
  /** This workflow last. */
  readonly chain: readonly string[];
  readonly caller: unknown;
  readonly cancellation: Cancellation;
  readonly progress: Progress | undefined;
  /** Absent where nobody wants to know. */
  readonly events: RunEvents | undefined;
  readonly yieldTimer: YieldTimer;
  readonly memory: MemoryBudget;
  readonly entries: StepEntry[];
  /** By step id. Without prototype. */
  readonly results: Record<string, JsonValue>;
  /** By step id: every step that ran, with a result or without. */
  readonly outcomes: Map<string, Outcome>;
  /** What steps outside loops read. */
  readonly scope: Scope;
}

const NO_VARS: JsonMap = Object.freeze(Object.create(null) as JsonMap);

/** An object that holds only what is put into it, under any name. */
export const emptyMap = (): Record<string, JsonValue> =>
  Object.create(null) as Record<string, JsonValue>;

/** What templates read: the same results for all steps of a run, and the variables of one iteration. */
export const dataOf = (
  input: JsonValue,
  results: JsonMap,
  vars: JsonMap = NO_VARS,
): TemplateData => ({
  input,
  results,
  vars,
  context: results,
});

/** Puts what a step did into the state, where the next steps find it. */
export const settle = (run: Run, { entry, outcome }: Report): void => {
  run.entries.push(entry);
  if (outcome === undefined) return;
  run.outcomes.set(entry.id, outcome);
  run.results[entry.id] = outcome.result;
  if (entry.storedAs !== undefined) run.results[entry.storedAs] = outcome.result;
};
