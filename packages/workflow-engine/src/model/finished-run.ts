import type { JsonMap, JsonValue, RunStarter, StepStatus, Workflow } from '@gateway/crd-schemas';

/** The data that the templates of a workflow refer to. A type alias, since an interface has no implicit index signature. @spec §2.7 */
export type TemplateData = {
  readonly input: JsonValue;
  readonly results: JsonValue;
  readonly vars: JsonValue;
  /** An alias of `results`. */
  readonly context: JsonValue;
  /** The result that a `jsonPath` template checks. */
  readonly result?: JsonValue;
};

/** The outcome of a step of a run. Times are milliseconds since the epoch. */
export interface StepEntry {
  readonly id: string;
  /** The index of the loop's item, for a sub-step of `forEach`. */
  readonly iteration?: number;
  /** Empty for a composite step that was skipped. */
  readonly tool: string;
  readonly status: StepStatus;
  readonly allowFailure: boolean;
  /** True when the flags of the step request its result in the returned document. */
  readonly shown: boolean;
  readonly condition?: ConditionEntry;
  /** The arguments as sent; absent when they could not be rendered. */
  readonly input?: JsonMap;
  readonly result?: JsonValue;
  readonly error?: string;
  /** The key of the result in `.results`. */
  readonly storedAs?: string;
  readonly startedAt: number;
  readonly completedAt: number;
}

/** The outcome of a condition. */
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

export type RunEnd =
  | { readonly kind: 'completed' }
  /** `output` is the rendered template. */
  | { readonly kind: 'rendered'; readonly output: JsonValue }
  /** All steps are completed, but the output template could not be rendered. */
  | { readonly kind: 'output-failed'; readonly error: string }
  /** `error` reads `step <id> failed: <reason>`. */
  | { readonly kind: 'failed'; readonly error: string; readonly at?: StepFailure }
  /** The arguments were refused; no step ran. */
  | { readonly kind: 'refused'; readonly error: string };

/** A completed run, with all the data of its document and its record. */
export interface FinishedRun {
  readonly executionId: string;
  readonly workflow: Workflow;
  /** Absent when the caller did not sign in. */
  readonly startedBy?: RunStarter | undefined;
  /** The arguments with defaults, without `_debug`. */
  readonly input: JsonMap;
  readonly debug: boolean;
  /** In the order in which steps ended; `parallel` in declaration order; `onFailure` last. */
  readonly entries: readonly StepEntry[];
  readonly startedAt: number;
  readonly completedAt: number;
  readonly end: RunEnd;
}
