import type { JsonObject } from '@gateway/call-contract';
import type { JsonMap, Workflow } from '@gateway/crd-schemas';
import type { RenderOptions } from '@gateway/go-template';
import { validateArguments, type ValidatedArguments } from '../arguments/validate-arguments.ts';
import { deliveredDocument } from '../documents/delivered-document.ts';
import { resultOf } from '../documents/result-of.ts';
import { renderedOutput } from '../documents/render-output.ts';
import type { FinishedRun, RunEnd, StepEntry } from '../model/finished-run.ts';
import type { EngineLimits, EnginePorts, RunOptions } from '../model/ports.ts';
import { RunBudget, type SharedMemory } from '../model/run-budget.ts';
import { recordOf, startedRecord } from '../records/record-of.ts';
import { Cancellation } from '../run/state/cancellation.ts';
import { withRunClock } from './run-clock.ts';
import { chainProblem } from './chain-problem.ts';
import { YieldTimer } from '../run/state/yield-timer.ts';
import { planOf, type Plan } from '../run/state/plan.ts';
import { Progress } from '../run/state/progress.ts';
import type { TurnBudget } from '../run/state/turn-budget.ts';
import { RunEvents } from '../run/state/run-events.ts';
import { renderTemplates } from '../run/steps/render-templates.ts';
import { runHandlers } from '../run/steps/run-handlers.ts';
import { dataOf, emptyMap, type Attempts, type Run } from '../run/state/run-state.ts';
import { runSteps } from '../run/steps/run-steps.ts';

/** The parts that all runs of an engine share. */
export interface Engine {
  readonly ports: EnginePorts;
  readonly limits: EngineLimits;
  readonly rendering: RenderOptions;
  readonly attempts: Attempts;
  /** The work in this turn of the event loop. */
  readonly turns: TurnBudget;
  /** The memory of all runs. */
  readonly memory: SharedMemory;
}

/** A run that is to begin. */
export interface RunRequest {
  readonly workflow: Workflow;
  readonly args: unknown;
  readonly options: RunOptions;
  readonly events: RunEvents | undefined;
  readonly executionId: string;
}

interface Ended {
  readonly end: RunEnd;
  readonly entries: readonly StepEntry[];
}

/** A cancelled run reports no further progress. */
const progressOf = (
  plan: Plan,
  { onProgress }: RunOptions,
  cancellation: Cancellation,
): Progress | undefined => {
  if (onProgress === undefined) return undefined;
  return new Progress(plan, (report) => cancellation.text ?? onProgress(report));
};

const begin = (engine: Engine, request: RunRequest, input: JsonMap, plan: Plan): Run => {
  const { workflow, options } = request;
  const results = emptyMap();
  const cancellation = new Cancellation();
  const budget = options.budget?.nested() ?? RunBudget.root(engine.limits, engine.memory);
  return {
    ...engine,
    // The run adds results to this map later; `.context` is an alias of it.
    rendering: { ...engine.rendering, isLive: (map) => map === results },
    workflow,
    chain: chainOf(request),
    executionId: request.executionId,
    caller: options.caller,
    cancellation,
    progress: progressOf(plan, options, cancellation),
    events: request.events,
    yieldTimer: new YieldTimer(engine.ports, engine.turns),
    budget,
    turn: { user: options.user ?? '', run: budget.owner },
    entries: [],
    results,
    outcomes: new Map(),
    scope: { data: dataOf(input, results) },
  };
};

const chainOf = ({ workflow, options }: RunRequest): readonly string[] => [
  ...(options.chain ?? []),
  workflow.metadata.name,
];

const endOf = async (run: Run, plan: Plan): Promise<RunEnd> => {
  const failure = await runSteps(run, plan.steps);
  if (failure !== undefined) {
    await runHandlers(run, plan.onFailure);
    const error = `step ${failure.step} failed: ${failure.text}`;
    return { kind: 'failed', error, at: failure };
  }
  const { output } = run.workflow.spec;
  if (output === undefined) return { kind: 'completed' };
  const rendered = renderedOutput(await renderTemplates(run, [output.parsed], run.scope.data));
  return rendered.ok
    ? { kind: 'rendered', output: rendered.output }
    : { kind: 'output-failed', error: rendered.error };
};

const execute = async (
  engine: Engine,
  request: RunRequest,
  taken: ValidatedArguments,
): Promise<Ended> => {
  const refusal = chainProblem(chainOf(request), engine.limits.maxDepth);
  if (refusal !== undefined) return { end: { kind: 'refused', error: refusal }, entries: [] };
  if (!taken.ok) return { end: { kind: 'refused', error: taken.text }, entries: [] };
  const plan = planOf(request.workflow);
  const run = begin(engine, request, taken.input, plan);
  run.cancellation.follow(request.options.signal);
  try {
    return { end: await endOf(run, plan), entries: run.entries };
  } finally {
    run.cancellation.release();
    run.budget.release();
  }
};

/** Runs a workflow from its arguments to its result, with a record at the start and one at the end. @spec §2.7 */
export const runWorkflow = async (
  shared: Engine,
  asked: Omit<RunRequest, 'events' | 'executionId'>,
): Promise<JsonObject> => {
  const ports = withRunClock(shared.ports);
  const engine = { ...shared, ports };
  const {
    workflow,
    options: { startedBy },
  } = asked;
  const events = ports.report && new RunEvents(ports.report, workflow);
  const executionId = ports.newId();
  const request = { ...asked, events, executionId };
  const startedAt = ports.now();
  const taken = validateArguments(workflow, request.args);
  const { input, debug } = taken;
  void ports.record(startedRecord({ executionId, workflow, startedBy, input, startedAt }));
  events?.started(executionId);
  const ended = await execute(engine, request, taken);
  const completedAt = ports.now();
  const run: FinishedRun = {
    executionId,
    workflow,
    startedBy,
    input,
    debug,
    ...ended,
    startedAt,
    completedAt,
  };
  const document = deliveredDocument(run);
  const record = recordOf(run, document);
  await ports.record(record);
  events?.ended(record, ended.end.kind === 'failed' ? ended.end.at : undefined);
  return resultOf(run, document);
};
