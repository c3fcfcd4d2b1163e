import type { JsonMap, JsonValue, Step, SubStep, Workflow } from '@gateway/crd-schemas';
import { isJsonList, isJsonMap } from '@gateway/go-template';
import type { ConditionEntry, FinishedRun, RunEnd, StepEntry } from '../model/finished-run.ts';
import { canFitBytes } from '../model/json-size.ts';
import type { JsonObject } from '@gateway/call-contract';

/** Of the data itself: `.results.input.x` is something else. */
const INPUT_REFERENCE = /(?<![\w\])-])\.(input(?:\.[\w-]+|\[\d+\])+)/g;

const listInnerSteps = (step: Step): readonly SubStep[] => {
  switch (step.kind) {
    case 'tool':
      return [step];
    case 'forEach':
      return step.forEach.steps;
    case 'parallel':
      return step.parallel;
  }
};

/** Yields the texts of actions in order. A regular expression would search for an end after each `{{` again. */
function* listActions(text: string): Generator<string> {
  for (let start = text.indexOf('{{'); start >= 0;) {
    const end = text.indexOf('}}', start);
    if (end < 0) return;
    yield text.slice(start, end);
    start = text.indexOf('{{', end);
  }
}

const addInputPaths = (value: JsonValue, found: Set<string>): void => {
  if (typeof value === 'string') {
    for (const action of listActions(value)) {
      for (const [, path] of action.matchAll(INPUT_REFERENCE))
        if (path !== undefined) found.add(path);
    }
  } else if (isJsonList(value)) {
    for (const item of value) addInputPaths(item, found);
  } else if (typeof value === 'object' && value !== null) {
    for (const item of Object.values(value)) addInputPaths(item, found);
  }
};

/**
 * The arguments that the steps of a workflow refer to, as `input.<path>`: each once, in the order of the document. Read from
 * the text of the step arguments, whether the step runs or not.
 */
export const listTemplateVars = (workflow: Workflow): readonly string[] => {
  const found = new Set<string>();
  const steps = [...workflow.spec.steps.flatMap(listInnerSteps), ...workflow.spec.onFailure];
  for (const { args } of steps) addInputPaths(args.source, found);
  return [...found];
};

export interface RunDocument {
  /** An object, unless an output template gives another value. */
  readonly value: JsonValue;
  readonly isError: boolean;
}

const toConditionFields = (condition: ConditionEntry | undefined): JsonMap =>
  condition === undefined
    ? {}
    : {
        condition_evaluation: condition.passed,
        condition_result: condition.result,
        condition_tool: condition.tool,
      };

const isThere = (result: JsonValue | undefined): result is JsonValue =>
  result !== undefined && result !== null;

const toStepDocument = (entry: StepEntry, everything: boolean): JsonMap => ({
  id: entry.id,
  ...(entry.iteration !== undefined && { iteration: entry.iteration }),
  tool: entry.tool,
  status: entry.status,
  ...toConditionFields(entry.condition),
  ...(entry.allowFailure && { allow_failure: true }),
  ...((everything || entry.shown) && isThere(entry.result) && { result: entry.result }),
  ...(entry.error !== undefined && { error: entry.error }),
});

interface DocumentFacts {
  readonly status: 'completed' | 'failed';
  /** True when the document contains the result of every step, independent of the flags. */
  readonly everything: boolean;
}

const createDocumentValue = (run: FinishedRun, { status, everything }: DocumentFacts): JsonMap => ({
  execution_id: run.executionId,
  workflow: run.workflow.metadata.name,
  status,
  input: run.input,
  steps: run.entries.map((entry) => toStepDocument(entry, everything)),
  template_vars: listTemplateVars(run.workflow),
});

const readLastResult = (workflow: Workflow, entries: readonly StepEntry[]): JsonMap => {
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

const reportCompletion = (run: FinishedRun): RunDocument => ({
  value: withMembers(
    createDocumentValue(run, { status: 'completed', everything: run.debug }),
    readLastResult(run.workflow, run.entries),
  ),
  isError: false,
});

const reportOutput = (run: FinishedRun, output: JsonValue): RunDocument => {
  const value = run.debug
    ? { ...createDocumentValue(run, { status: 'completed', everything: true }), output }
    : output;
  const named = { execution_id: run.executionId };
  return { value: isJsonMap(value) ? withMembers(value, named) : value, isError: false };
};

const reportOutputFailure = (run: FinishedRun, error: string): RunDocument => ({
  value: {
    ...createDocumentValue(run, { status: 'completed', everything: true }),
    output_error: error,
  },
  isError: true,
});

const createFailedReport = (run: FinishedRun, error: string): RunDocument => ({
  value: { ...createDocumentValue(run, { status: 'failed', everything: run.debug }), error },
  isError: true,
});

type EndByKind<K extends RunEnd['kind']> = Extract<RunEnd, { kind: K }>;

const documents: {
  readonly [K in RunEnd['kind']]: (run: FinishedRun, end: EndByKind<K>) => RunDocument;
} = {
  completed: reportCompletion,
  rendered: (run, { output }) => reportOutput(run, output),
  'output-failed': (run, { error }) => reportOutputFailure(run, error),
  failed: (run, { error }) => createFailedReport(run, error),
  refused: (run, { error }) => ({
    value: { execution_id: run.executionId, error },
    isError: true,
  }),
};

const createRunDocument = <K extends RunEnd['kind']>(
  run: FinishedRun,
  end: EndByKind<K>,
): RunDocument => documents[end.kind](run, end);

/**
 * Returns the document of a run: that of the output template if there is one, else the default document; with `_debug` the
 * default document with every result, and the rendered template under `output`.
 * @spec §2.7 `spec.output`, output flag
 */
const runDocument = (run: FinishedRun): RunDocument => createRunDocument(run, run.end);

/** The most bytes of a run's document: no connection carries more at once. */
export const MAX_DOCUMENT_BYTES = 64 * 1024 * 1024;

/** The document that the caller gets. */
export interface DeliveredDocument extends RunDocument {
  /** The error that replaces the document of the run; absent for its own document. */
  readonly error?: string;
}

const reportOversize = (run: FinishedRun, maxBytes: number): DeliveredDocument => {
  const error = `the result of the workflow is larger than ${maxBytes} bytes or nests too deeply`;
  const { executionId: execution_id, workflow } = run;
  return {
    value: { execution_id, workflow: workflow.metadata.name, error },
    isError: true,
    error,
  };
};

/** Returns the document of a run, or a failure with the reason when it is too large. */
export const createDeliveredDocument = (
  run: FinishedRun,
  maxBytes = MAX_DOCUMENT_BYTES,
): DeliveredDocument => {
  const document = runDocument(run);
  return canFitBytes(document.value, maxBytes) ? document : reportOversize(run, maxBytes);
};

const toTextItem = (value: JsonValue): JsonObject => ({
  type: 'text',
  text: JSON.stringify(value),
});

/**
 * Returns a run as the result of a tool call: its document as one text item of compact JSON, with `isError` when the run
 * failed. A second item contains the id of the run when an output template does not give an object.
 * @spec §2.7
 */
export const toRunResult = (
  run: FinishedRun,
  document = createDeliveredDocument(run),
): JsonObject => {
  const { value, isError } = document;
  return {
    content: isJsonMap(value)
      ? [toTextItem(value)]
      : [toTextItem(value), toTextItem({ execution_id: run.executionId })],
    ...(isError && { isError: true }),
  };
};
