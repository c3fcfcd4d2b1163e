import {
  findText,
  isText,
  type JsonObject,
  toObject,
  toObjects,
  toText,
} from '@gateway/call-contract';
import { keepPreviousData, type UseQueryResult } from '@tanstack/react-query';
import { RUN_STATUSES, type RunsSearch, type RunStatus } from '../../addresses/searches.ts';
import { parseJson, pickField, toNumber } from '../../mcp/json.ts';
import { useToolAnswer } from '../../queries/core-tools.ts';

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
interface RunPage {
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
export interface RunDetail extends RunEntry {
  readonly input: JsonObject;
  readonly result?: unknown;
  readonly steps: readonly RunStep[];
  /** Parts were removed because the record was too large. */
  readonly isTruncated: boolean;
  /** The number of steps that the record does not contain. */
  readonly omittedSteps: number;
}

const findKnown = <T extends string>(values: readonly T[], value: unknown, otherwise: T): T =>
  values.find((known) => known === value) ?? otherwise;

const parseEntry = (run: JsonObject): RunEntry => ({
  id: toText(run['execution_id']),
  workflow: toText(run['workflow_name']),
  status: findKnown(RUN_STATUSES, run['status'], 'failed'),
  startedAt: toText(run['started_at']),
  ...('completed_at' in run && { completedAt: toText(run['completed_at']) }),
  durationMs: toNumber(run['duration_ms']),
  ...pickField(run, 'error', isText),
});

/** Reads an answer of `core_workflow_execution_list`. */
export const parseRunPage = (answer: JsonObject): RunPage => {
  const runs = toObjects(answer['executions']).map(parseEntry);
  return { runs, total: Math.max(toNumber(answer['total']), runs.length) };
};

const STEP_STATUSES = ['completed', 'failed', 'skipped'] as const;

const parseStep = (step: JsonObject): RunStep => ({
  id: toText(step['step_id']),
  ...(typeof step['iteration'] === 'number' && { iteration: step['iteration'] }),
  tool: toText(step['tool']),
  status: findKnown(STEP_STATUSES, step['status'], 'failed'),
  startedAt: toText(step['started_at']),
  durationMs: toNumber(step['duration_ms']),
  input: toObject(step['input']),
  ...(Object.hasOwn(step, 'result') && { result: step['result'] }),
  ...pickField(step, 'error', isText),
});

/** Reads an answer of `core_workflow_execution_get`. */
export const parseRun = (answer: JsonObject): RunDetail => ({
  ...parseEntry(answer),
  input: toObject(answer['input']),
  ...(Object.hasOwn(answer, 'result') && { result: answer['result'] }),
  steps: toObjects(answer['steps']).map(parseStep),
  isTruncated: answer['truncated'] === true,
  omittedSteps: Object.values(toObject(answer['omitted_steps'])).reduce<number>(
    (sum, count) => sum + toNumber(count),
    0,
  ),
});

const findExecutionId = (value: unknown): string | undefined =>
  findText(toObject(value)['execution_id']);

/** Returns the id of the run of which a call returned this result. It is in the document, or in an item after it. @spec §2.7 */
export const findRunId = ({ content, structuredContent }: JsonObject): string | undefined => {
  const texts = toObjects(content).map(({ text }) => parseJson(text));
  return [structuredContent, ...texts].map(findExecutionId).find((id) => id !== undefined);
};

/** The part of the time of a run in which a step ran, in percent of the time of the run. */
interface TimelineBar {
  readonly offset: number;
  readonly length: number;
}

const PERCENT = 100;
/** Short steps can still be seen. */
const LEAST = 0.5;

const clamp = (value: number, most: number): number => Math.min(Math.max(value, 0), most);

const computeDuration = (from: string, to: string): number => {
  const ms = Date.parse(to) - Date.parse(from);
  return Number.isNaN(ms) ? 0 : ms;
};

/** Returns when a step ran. Clocks may be set back: a bar is never outside of the run. */
export const computeBar = (
  { startedAt, durationMs }: Pick<RunDetail, 'startedAt' | 'durationMs'>,
  step: Pick<RunStep, 'startedAt' | 'durationMs'>,
): TimelineBar => {
  const whole = Math.max(durationMs, 1);
  const offset = clamp(
    (computeDuration(startedAt, step.startedAt) / whole) * PERCENT,
    PERCENT - LEAST,
  );
  const length = clamp((step.durationMs / whole) * PERCENT, PERCENT - offset);
  return { offset, length: Math.max(length, LEAST) };
};

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;

/** Returns a duration in the largest units that express it: `340 ms`, `1.2 s`, `2 min 5 s`. @param ms milliseconds */
export const formatDuration = (ms: number): string => {
  if (ms < SECOND_MS) return `${Math.round(ms)} ms`;
  if (ms < MINUTE_MS) return `${Math.min(59.9, ms / SECOND_MS).toFixed(1)} s`;
  const seconds = Math.floor(ms / SECOND_MS);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
};

/** The number of runs that are shown at first, and that older ones add. */
const RUNS_PER_PAGE = 100;

const POLL_MS = 10_000;
const RUNNING_POLL_MS = 2_000;

const RUNS_KEY = 'runs';

/** Reads runs, newest first. The gateway announces no runs, so they are read repeatedly. @spec §2.7 */
export const useRuns = ({ workflow, status, page = 1 }: RunsSearch): UseQueryResult<RunPage> => {
  const args = {
    ...(workflow !== undefined && { workflow_name: workflow }),
    ...(status !== undefined && { status }),
    limit: page * RUNS_PER_PAGE,
  };
  return useToolAnswer(
    {
      key: [RUNS_KEY, 'list', args],
      tool: 'core_workflow_execution_list',
      args,
      parse: parseRunPage,
    },
    {
      placeholderData: keepPreviousData,
      refetchInterval: ({ state: { data } }) =>
        data?.runs.some((run) => run.status === 'inprogress') === true ? RUNNING_POLL_MS : POLL_MS,
    },
  );
};

/** Reads a run, repeatedly until it has ended. @spec §2.7 */
export const useRun = (id: string): UseQueryResult<RunDetail> =>
  useToolAnswer(
    {
      key: [RUNS_KEY, 'one', id],
      tool: 'core_workflow_execution_get',
      args: { execution_id: id },
      parse: parseRun,
    },
    {
      refetchInterval: ({ state: { data } }) =>
        data === undefined || data.status === 'inprogress' ? RUNNING_POLL_MS : false,
    },
  );
