import { RUN_STATUSES, type RunStatus } from '../../addresses/workflow-search.ts';
import { isJsonObject, type JsonObject } from '../../mcp/mcp-outcome.ts';

/** A run in a list. Times are RFC 3339, as the gateway writes them. */
export interface RunEntry {
  readonly id: string;
  readonly workflow: string;
  readonly status: RunStatus;
  readonly startedAt: string;
  readonly completedAt?: string;
  readonly durationMs: number;
  readonly error?: string;
}

/** A page of runs, newest first. */
export interface RunPage {
  readonly runs: readonly RunEntry[];
  /** The number of runs on all pages. */
  readonly total: number;
}

/** One step of a run. */
export interface RunStep {
  readonly id: string;
  /** The index of the item of the loop. */
  readonly iteration?: number;
  readonly tool: string;
  readonly status: 'completed' | 'failed' | 'skipped';
  readonly startedAt: string;
  readonly durationMs: number;
  readonly input: JsonObject;
  readonly result?: unknown;
  readonly error?: string;
}

/** A run with its steps, which are known when it has ended. */
export interface Run extends RunEntry {
  readonly input: JsonObject;
  readonly result?: unknown;
  readonly steps: readonly RunStep[];
  /** Parts were removed because the record was too large. */
  readonly isTruncated: boolean;
  /** The number of steps that the record does not contain. */
  readonly omittedSteps: number;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const numberOf = (value: unknown): number => (typeof value === 'number' ? value : 0);
const objectOf = (value: unknown): JsonObject => (isJsonObject(value) ? value : {});
const objectsOf = (value: unknown): readonly JsonObject[] =>
  (Array.isArray(value) ? value : []).filter(isJsonObject);

const oneOf = <T extends string>(values: readonly T[], value: unknown, otherwise: T): T =>
  values.find((known) => known === value) ?? otherwise;

const errorOf = ({ error }: JsonObject): { readonly error?: string } =>
  typeof error === 'string' ? { error } : {};

const entryOf = (run: JsonObject): RunEntry => ({
  id: textOf(run['execution_id']),
  workflow: textOf(run['workflow_name']),
  status: oneOf(RUN_STATUSES, run['status'], 'failed'),
  startedAt: textOf(run['started_at']),
  ...('completed_at' in run && { completedAt: textOf(run['completed_at']) }),
  durationMs: numberOf(run['duration_ms']),
  ...errorOf(run),
});

/** Reads an answer of `core_workflow_execution_list`. */
export const runPageOf = (answer: JsonObject): RunPage => {
  const runs = objectsOf(answer['executions']).map(entryOf);
  return { runs, total: Math.max(numberOf(answer['total']), runs.length) };
};

const STEP_STATUSES = ['completed', 'failed', 'skipped'] as const;

const stepOf = (step: JsonObject): RunStep => ({
  id: textOf(step['step_id']),
  ...(typeof step['iteration'] === 'number' && { iteration: step['iteration'] }),
  tool: textOf(step['tool']),
  status: oneOf(STEP_STATUSES, step['status'], 'failed'),
  startedAt: textOf(step['started_at']),
  durationMs: numberOf(step['duration_ms']),
  input: objectOf(step['input']),
  ...(Object.hasOwn(step, 'result') && { result: step['result'] }),
  ...errorOf(step),
});

/** Reads an answer of `core_workflow_execution_get`. */
export const runOf = (answer: JsonObject): Run => ({
  ...entryOf(answer),
  input: objectOf(answer['input']),
  ...(Object.hasOwn(answer, 'result') && { result: answer['result'] }),
  steps: objectsOf(answer['steps']).map(stepOf),
  isTruncated: answer['truncated'] === true,
  omittedSteps: Object.values(objectOf(answer['omitted_steps'])).reduce<number>(
    (sum, count) => sum + numberOf(count),
    0,
  ),
});

const idIn = (value: unknown): string | undefined => {
  const id = isJsonObject(value) ? value['execution_id'] : undefined;
  return typeof id === 'string' ? id : undefined;
};

const jsonOf = (text: unknown): unknown => {
  try {
    return JSON.parse(textOf(text)) as unknown;
  } catch {
    return undefined;
  }
};

/** Returns the id of the run of which a call returned this result. It is in the document, or in an item after it. @spec §2.7 */
export const runIdOf = ({ content, structuredContent }: JsonObject): string | undefined => {
  const texts = objectsOf(content).map(({ text }) => jsonOf(text));
  return [structuredContent, ...texts].map(idIn).find((id) => id !== undefined);
};
