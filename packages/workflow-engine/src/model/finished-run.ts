import type { JsonMap, JsonValue, StepStatus, Workflow } from '@gateway/crd-schemas';

/** What a step of a run did. Times are milliseconds since the epoch. */
export interface StepEntry {
  readonly id: string;
  /** The index of the loop's item, for a sub-step of `forEach`. */
  readonly iteration?: number;
  /** Empty for a composite step that was skipped. */
  readonly tool: string;
  readonly status: StepStatus;
  readonly allowFailure: boolean;
  /** True when the step's flags ask for its result in the returned document. */
  readonly shown: boolean;
  readonly condition?: ConditionEntry;
  /** The arguments as they were sent; absent when they could not be made. */
  readonly input?: JsonMap;
  readonly result?: JsonValue;
  readonly error?: string;
  /** The key among `.results` under which the result stands. */
  readonly storedAs?: string;
  readonly startedAt: number;
  readonly completedAt: number;
}

/** How a condition was decided. */
export interface ConditionEntry {
  readonly passed: boolean;
  readonly result: JsonValue;
  /** The condition's tool, `template`, or `from_step:<id>`. */
  readonly tool: string;
}

/** The step that ended a run, and its failure. */
export interface StepFailure {
  readonly step: string;
  readonly text: string;
}

/** How a run ended. */
export type RunEnd =
  | { readonly kind: 'completed' }
  /** `output` is the rendered template. */
  | { readonly kind: 'rendered'; readonly output: JsonValue }
  /** All steps are done, but the output template could not be rendered. */
  | { readonly kind: 'output-failed'; readonly error: string }
  /** `error` reads `step <id> failed: <reason>`. */
  | { readonly kind: 'failed'; readonly error: string; readonly at?: StepFailure }
  /** The arguments were refused; no step ran. */
  | { readonly kind: 'refused'; readonly error: string };

/** A run that is over, with everything that its document and its record are made of. */
export interface FinishedRun {
  readonly executionId: string;
  readonly workflow: Workflow;
  /** The arguments with defaults, without `_debug`. */
  readonly input: JsonMap;
  readonly debug: boolean;
  /** In the order in which steps ended; `parallel` in declaration order; `onFailure` last. */
  readonly entries: readonly StepEntry[];
  readonly startedAt: number;
  readonly completedAt: number;
  readonly end: RunEnd;
}
