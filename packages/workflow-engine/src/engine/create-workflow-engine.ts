import type { JsonMap, JsonValue, Result, Workflow } from '@gateway/crd-schemas';
import type { RenderedValues } from '../isolation/isolated-work.ts';
import {
  type EngineLimits,
  type EnginePorts,
  RunBudget,
  type RunOptions,
  type SharedMemory,
  type WorkflowEngine,
} from '../model/ports.ts';
import { Cancellation, ignoreErrors } from '../run/cancellation.ts';
import type { JsonObject } from '@gateway/call-contract';
import {
  createFullAllowance,
  createInlineAllowance,
  type RenderOptions,
  countStepsTaken,
} from '@gateway/go-template';
import { validateArguments, type ValidatedArguments } from '../model/execution-tool.ts';
import { createDeliveredDocument, toRunResult } from '../records/run-document.ts';
import type { FinishedRun, RunEnd, StepEntry } from '../model/finished-run.ts';
import { createRecord, createStartedRecord } from '../records/retained-record.ts';
import { StepTurnBudget, YieldTimer } from '../run/turn-budget.ts';
import { type Plan, createPlan } from '../run/plan.ts';
import { RunProgress, RunEvents } from '../run/progress.ts';
import { renderTemplates } from '../run/do-work.ts';
import { runHandlers, runSteps } from '../run/run-steps.ts';
import { type Attempts, createTemplateData, createEmptyMap, type Run } from '../run/run-state.ts';

/** The rendered document, or a sentence with the part that could not be rendered and the reason. */
export type RenderedOutput = Result<JsonValue, string>;

/**
 * Returns the document of `spec.output`, which is rendered after all steps are completed. Types are preserved: a bare reference and a
 * single action keep their type, text around an action gives a string, and a value that is not a template is unchanged. The size limit
 * applies to the whole document.
 * @spec §2.7
 */
export const toRenderedOutput = (rendered: RenderedValues): RenderedOutput => {
  if (rendered.ok) return { ok: true, value: rendered.values[0] ?? null };
  // The text of a failure begins with its place: `.total: line 1, column 4: ...`.
  const place = rendered.at < 0 ? ': ' : '';
  return { ok: false, error: `failed to render output template: output${place}${rendered.error}` };
};

/**
 * Returns why a workflow cannot start inside the running workflows: it calls itself, or the nesting is too deep.
 * @param chain the workflows that run, outermost first; the last one is the workflow to start
 */
const validateChain = (chain: readonly string[], maxDepth: number): string | undefined => {
  const last = chain.length - 1;
  const path = chain.join(' -> ');
  if (chain.indexOf(chain[last] ?? '') < last) return `workflow calls itself: ${path}`;
  if (chain.length <= maxDepth) return undefined;
  return `workflows are nested more than ${maxDepth} deep: ${path}`;
};

/** Returns the ports with a `now` that starts at the wall clock and then advances with the monotonic clock. */
const withRunClock = (ports: EnginePorts): EnginePorts => {
  if (ports.elapsed === undefined) return ports;
  const elapsed = (): number => ports.elapsed?.() ?? 0;
  const offset = ports.now() - elapsed();
  return { ...ports, now: () => offset + elapsed() };
};

/**
 * Returns ports whose logging, recording and progress reports cannot fail a run.
 */
const createTolerantPorts = (ports: EnginePorts): EnginePorts => ({
  callTool: (call, context) => ports.callTool(call, context),
  now: () => ports.now(),
  ...(ports.elapsed !== undefined && { elapsed: () => ports.elapsed?.() ?? 0 }),
  newId: () => ports.newId(),
  warn: (text) => ignoreErrors(() => ports.warn(text)),
  record: async (record) => {
    try {
      await ports.record(record);
    } catch {
      // The run goes on.
    }
  },
  ...(ports.report !== undefined && {
    report: (event) => ignoreErrors(() => ports.report?.(event)),
  }),
  ...(ports.pause !== undefined && { pause: async () => ports.pause?.() }),
  ...(ports.isolate !== undefined && { isolate: ports.isolate.bind(ports) }),
});

/** The parts that all runs of an engine share. */
export interface Engine {
  readonly ports: EnginePorts;
  readonly limits: EngineLimits;
  readonly rendering: RenderOptions;
  readonly attempts: Attempts;
  /** The work in this turn of the event loop. */
  readonly turns: StepTurnBudget;
  /** The memory of all runs. */
  readonly memory: SharedMemory;
}

/** The request to start a run. */
export interface RunRequest {
  readonly workflow: Workflow;
  readonly args: unknown;
  readonly options: RunOptions;
  readonly events: RunEvents | undefined;
  readonly executionId: string;
}

interface ExecutionResult {
  readonly end: RunEnd;
  readonly entries: readonly StepEntry[];
}

/** A cancelled run reports no further progress. */
const createProgress = (
  plan: Plan,
  { onProgress }: RunOptions,
  cancellation: Cancellation,
): RunProgress | undefined => {
  if (onProgress === undefined) return undefined;
  return new RunProgress(plan, (report) => cancellation.text ?? onProgress(report));
};

const startRun = (engine: Engine, request: RunRequest, input: JsonMap, plan: Plan): Run => {
  const { workflow, options } = request;
  const results = createEmptyMap();
  const cancellation = new Cancellation();
  const budget = options.budget?.nest() ?? RunBudget.root(engine.limits, engine.memory);
  return {
    ...engine,
    // The run adds results to this map later; `.context` is an alias of it.
    rendering: { ...engine.rendering, isLive: (map) => map === results },
    workflow,
    chain: toChain(request),
    executionId: request.executionId,
    caller: options.caller,
    cancellation,
    progress: createProgress(plan, options, cancellation),
    events: request.events,
    yieldTimer: new YieldTimer(engine.ports, engine.turns),
    budget,
    turn: { user: options.user ?? '', run: budget.owner },
    entries: [],
    results,
    outcomes: new Map(),
    scope: { data: createTemplateData(input, results) },
  };
};

const toChain = ({ workflow, options }: RunRequest): readonly string[] => [
  ...(options.chain ?? []),
  workflow.metadata.name,
];

const runPlan = async (run: Run, plan: Plan): Promise<RunEnd> => {
  const failure = await runSteps(run, plan.steps);
  if (failure !== undefined) {
    await runHandlers(run, plan.onFailure);
    const error = `step ${failure.step} failed: ${failure.text}`;
    return { kind: 'failed', error, at: failure };
  }
  const { output } = run.workflow.spec;
  if (output === undefined) return { kind: 'completed' };
  const rendered = toRenderedOutput(await renderTemplates(run, [output.parsed], run.scope.data));
  return rendered.ok
    ? { kind: 'rendered', output: rendered.value }
    : { kind: 'output-failed', error: rendered.error };
};

const runRequest = async (
  engine: Engine,
  request: RunRequest,
  validated: ValidatedArguments,
): Promise<ExecutionResult> => {
  const refusal = validateChain(toChain(request), engine.limits.maxDepth);
  if (refusal !== undefined) return { end: { kind: 'refused', error: refusal }, entries: [] };
  if (!validated.ok) return { end: { kind: 'refused', error: validated.error }, entries: [] };
  const plan = createPlan(request.workflow);
  const run = startRun(engine, request, validated.input, plan);
  run.cancellation.follow(request.options.signal);
  try {
    return { end: await runPlan(run, plan), entries: run.entries };
  } finally {
    run.cancellation.release();
    run.budget.release();
  }
};

/** Runs a workflow from its arguments to its result, with a record at the start and one at the end. @spec §2.7 */
const runWorkflow = async (
  shared: Engine,
  invocation: Omit<RunRequest, 'events' | 'executionId'>,
): Promise<JsonObject> => {
  const ports = withRunClock(shared.ports);
  const engine = { ...shared, ports };
  const {
    workflow,
    options: { startedBy },
  } = invocation;
  const events = ports.report && new RunEvents(ports.report, workflow);
  const executionId = ports.newId();
  const request = { ...invocation, events, executionId };
  const startedAt = ports.now();
  const validated = validateArguments(workflow, request.args);
  const { input, debug } = validated;
  void ports.record(createStartedRecord({ executionId, workflow, startedBy, input, startedAt }));
  events?.reportStart(executionId);
  const ended = await runRequest(engine, request, validated);
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
  const document = createDeliveredDocument(run);
  const record = createRecord(run, document);
  await ports.record(record);
  events?.reportEnd(record, ended.end.kind === 'failed' ? ended.end.at : undefined);
  return toRunResult(run, document);
};

/** The default limits of a run. */
export const DEFAULT_ENGINE_LIMITS: EngineLimits = Object.freeze({
  maxDepth: 8,
  maxLoopItems: 1000,
  maxParallel: 32,
  toolTimeoutMs: 300_000,
  cleanupMs: 30_000,
  maxRenderedBytes: 16 * 1024 * 1024,
  maxRunBytes: 256 * 1024 * 1024,
  maxRunSteps: 10_000_000,
  maxMemoryBytes: 1024 * 1024 * 1024,
});

const createAttempts = (ports: EnginePorts, rendering: RenderOptions): Attempts => {
  const areInline = ports.isolate !== undefined;
  const allowance = areInline ? createInlineAllowance(rendering) : createFullAllowance(rendering);
  // A run that has them can pay for all steps and for all units.
  const ampleSteps = countStepsTaken(allowance, { ...allowance, steps: 0, units: 0 });
  return { areInline, allowance: Object.freeze(allowance), ampleSteps };
};

/** Creates a workflow engine. Limits that are not set have their default. @spec §2.7 */
export const createWorkflowEngine = (
  ports: EnginePorts,
  limits: Partial<EngineLimits> = {},
): WorkflowEngine => {
  const bounds = { ...DEFAULT_ENGINE_LIMITS, ...limits };
  const tolerant = createTolerantPorts(ports);
  const rendering = { maxBytes: bounds.maxRenderedBytes, now: () => ports.now() };
  const engine: Engine = {
    ports: tolerant,
    limits: bounds,
    turns: new StepTurnBudget(tolerant),
    memory: { held: 0, roots: 0 },
    rendering,
    attempts: createAttempts(tolerant, rendering),
  };
  return {
    run: (workflow, args, options) => runWorkflow(engine, { workflow, args, options }),
  };
};
