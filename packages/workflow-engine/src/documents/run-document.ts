import type { JsonMap, JsonValue, Workflow } from '@gateway/crd-schemas';
import { isJsonMap } from '@gateway/go-template';
import type { ConditionEntry, FinishedRun, RunEnd, StepEntry } from '../model/finished-run.ts';
import { templateVarsOf } from './template-vars.ts';

/** The document that a run returns to its caller. */
export interface RunDocument {
  /** An object, unless an output template gives another value. */
  readonly value: JsonValue;
  readonly isError: boolean;
}

const conditionOf = (condition: ConditionEntry | undefined): JsonMap =>
  condition === undefined
    ? {}
    : {
        condition_evaluation: condition.passed,
        condition_result: condition.result,
        condition_tool: condition.tool,
      };

const isThere = (result: JsonValue | undefined): result is JsonValue =>
  result !== undefined && result !== null;

const stepDocument = (entry: StepEntry, everything: boolean): JsonMap => ({
  id: entry.id,
  ...(entry.iteration !== undefined && { iteration: entry.iteration }),
  tool: entry.tool,
  status: entry.status,
  ...conditionOf(entry.condition),
  ...(entry.allowFailure && { allow_failure: true }),
  ...((everything || entry.shown) && isThere(entry.result) && { result: entry.result }),
  ...(entry.error !== undefined && { error: entry.error }),
});

interface DocumentFacts {
  readonly status: 'completed' | 'failed';
  /** True when the document contains the result of every step, independent of the flags. */
  readonly everything: boolean;
}

const documentOf = (run: FinishedRun, { status, everything }: DocumentFacts): JsonMap => ({
  execution_id: run.executionId,
  workflow: run.workflow.metadata.name,
  status,
  input: run.input,
  steps: run.entries.map((entry) => stepDocument(entry, everything)),
  template_vars: templateVarsOf(run.workflow),
});

const lastResultOf = (workflow: Workflow, entries: readonly StepEntry[]): JsonMap => {
  const step = workflow.spec.steps.at(-1);
  if (step?.kind !== 'tool' || step.output !== undefined || step.store === true) return {};
  const entry = entries.findLast(({ id }) => id === step.id);
  return entry?.status === 'completed' && isJsonMap(entry.result) ? entry.result : {};
};

/** Adds members that are absent; the result has no prototype, because a tool may have chosen `__proto__`. */
const withMembers = (document: JsonMap, members: JsonMap): JsonMap => {
  const whole = Object.assign(Object.create(null), document) as Record<string, JsonValue>;
  for (const [key, value] of Object.entries(members)) {
    if (!Object.hasOwn(whole, key)) whole[key] = value;
  }
  return whole;
};

const completed = (run: FinishedRun): RunDocument => ({
  value: withMembers(
    documentOf(run, { status: 'completed', everything: run.debug }),
    lastResultOf(run.workflow, run.entries),
  ),
  isError: false,
});

const rendered = (run: FinishedRun, output: JsonValue): RunDocument => {
  const value = run.debug
    ? { ...documentOf(run, { status: 'completed', everything: true }), output }
    : output;
  const named = { execution_id: run.executionId };
  return { value: isJsonMap(value) ? withMembers(value, named) : value, isError: false };
};

const outputFailed = (run: FinishedRun, error: string): RunDocument => ({
  value: {
    ...documentOf(run, { status: 'completed', everything: true }),
    output_error: error,
  },
  isError: true,
});

const failed = (run: FinishedRun, error: string): RunDocument => ({
  value: { ...documentOf(run, { status: 'failed', everything: run.debug }), error },
  isError: true,
});

type EndOf<K extends RunEnd['kind']> = Extract<RunEnd, { kind: K }>;

const documents: {
  readonly [K in RunEnd['kind']]: (run: FinishedRun, end: EndOf<K>) => RunDocument;
} = {
  completed,
  rendered: (run, { output }) => rendered(run, output),
  'output-failed': (run, { error }) => outputFailed(run, error),
  failed: (run, { error }) => failed(run, error),
  refused: (run, { error }) => ({
    value: { execution_id: run.executionId, error },
    isError: true,
  }),
};

const documentFor = <K extends RunEnd['kind']>(run: FinishedRun, end: EndOf<K>): RunDocument =>
  documents[end.kind](run, end);

/**
 * Returns the document of a run: that of the output template if there is one, else the default document; with `_debug` the
 * default document with every result, and the rendered template under `output`.
 * @spec §2.7 `spec.output`, output flag
 */
export const runDocument = (run: FinishedRun): RunDocument => documentFor(run, run.end);
