import {
  raceLimit,
  type CallContext,
  type CallOutcome,
  type Principal,
  type ProgressReport,
  WORKFLOW_TOOL_PREFIX,
} from '@gateway/call-contract';
import type { EventSink } from '@gateway/events';
import type { GatewayConfig } from '@gateway/gateway-config';
import { callUnscopedTool, type MetaToolPorts } from '@gateway/meta-tools';
import {
  createWorkflowEngine,
  type EngineLimits,
  type EnginePorts,
  type IsolationLimits,
  type RunOptions,
  type ToolCallContext,
  type WorkflowEngine,
  type WorkflowRefusal,
  formatError,
} from '@gateway/workflow-engine';
import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { getHeapStatistics } from 'node:v8';
import type { Logger } from 'pino';
import type { AuditTrail, CallFacts } from '../audit/audit-trail.ts';
import type { RefusalLog } from '../audit/refusal-budget.ts';
import { findBudget, findChain, StepContext } from '../calls/stage.ts';
import type { LiveWorkflows } from '../live-catalog.ts';
import { measureEngine, measureRecords, type GatewayMetrics } from '../metrics/metrics.ts';
import type { ExecutionStore } from './execution-store.ts';
import { findWorkflowAvailability } from '@gateway/catalog';

/** The ports of `call_tool`, through which steps call tools. */
export type StepPorts = Parameters<typeof callUnscopedTool>[2];

/**
 * Returns a function that calls the tools of workflow steps as `call_tool` does, without a toolset: families, core tools and other
 * workflows included.
 *
 * @param ports read at each call, because a step may call a workflow
 * @spec §4.2
 */
export function createStepCaller(
  ports: () => StepPorts,
  warn: MetaToolPorts['warn'],
  trail: AuditTrail,
): EnginePorts['callTool'] {
  return (call, context) =>
    withTimeLimit(context, async (signal) => {
      // The gateway starts every run with the context of its call.
      const run = context.caller as CallContext;
      const step = new StepContext(run, {
        signal,
        chain: context.chain,
        budget: context.budget,
      });
      try {
        const { tool: name, arguments: args } = call;
        const send = () => callUnscopedTool({ name, arguments: args }, step, ports());
        return await trail.follow(step, toStepFacts(name, context, run.record?.id), send);
      } catch (error) {
        const text = error instanceof Error ? error.message : String(error);
        warn(`the workflow's call to ${call.tool} failed: ${text}`);
        return { ok: false, text };
      }
    });
}

/** Returns the facts of a step's call for its audit record. */
const toStepFacts = (
  name: string,
  { chain, executionId }: ToolCallContext,
  parent: string | undefined,
): CallFacts => ({
  method: 'tools/call',
  name,
  parent,
  run: executionId,
  workflow: chain.at(-1),
});

/** Ends a call at its time limit, even when the tool ignores its signal. */
async function withTimeLimit(
  { signal, timeoutMs }: ToolCallContext,
  call: (signal: AbortSignal) => Promise<CallOutcome>,
): Promise<CallOutcome> {
  const limited = new AbortController();
  const forwardAbort = (): void => {
    limited.abort(signal.reason);
  };
  if (signal.aborted) forwardAbort();
  else signal.addEventListener('abort', forwardAbort, { once: true });
  try {
    return await raceLimit(call(limited.signal), { ms: timeoutMs }, () => {
      const text = `the tool did not answer within ${formatSeconds(timeoutMs)}`;
      limited.abort(new Error(text));
      return { ok: false, text };
    });
  } finally {
    signal.removeEventListener('abort', forwardAbort);
  }
}

const formatSeconds = (ms: number): string => `${(ms / 1000).toString()} s`;

interface WorkflowCallOptions {
  readonly workflows: LiveWorkflows;
  readonly engine: WorkflowEngine;
  /** Returns the catalog of a principal. */
  readonly snapshot: MetaToolPorts['snapshot'];
  readonly logRefusal: RefusalLog;
}

/** Returns a function that runs the workflow of an execution tool. It always has a result. A workflow that cannot start has no record. */
function callWorkflowTool(options: WorkflowCallOptions): MetaToolPorts['callWorkflow'] {
  const { workflows, engine, snapshot, logRefusal } = options;
  return async (toolName, args, context) => {
    const workflow = workflows.findByTool(toolName);
    if (workflow === undefined) {
      const name = toolName.slice(WORKFLOW_TOOL_PREFIX.length);
      return createRefusal({ code: 'workflow.unknown', name });
    }
    const { name } = workflow.metadata;
    const { available, missing } = findWorkflowAvailability(snapshot(context.principal), name);
    if (!available) {
      logRefusal(context, { workflow: name, missing }, 'workflow is not available');
      return createRefusal({ code: 'workflow.unavailable', name, missing });
    }
    return { ok: true, result: await engine.run(workflow, args, runOptions(context)) };
  };
}

function runOptions(context: CallContext): RunOptions {
  const { signal, onProgress, callerKey: user } = context;
  const report =
    onProgress &&
    ((progress: ProgressReport) => {
      onProgress({ ...progress });
    });
  const [chain, budget] = [findChain(context), findBudget(context)];
  const startedBy = toStarter(context.principal);
  return { signal, onProgress: report, chain, budget, user, startedBy, caller: context };
}

const toStarter = ({ issuer, subject }: Principal): RunOptions['startedBy'] =>
  issuer === undefined ? undefined : { issuer, subject };

const createRefusal = (refusal: WorkflowRefusal): CallOutcome => ({
  ok: true,
  result: { content: [{ type: 'text', text: formatError(refusal) }], isError: true },
});

interface WorkflowCallerOptions {
  readonly workflows: LiveWorkflows;
  readonly executions: Pick<ExecutionStore, 'record'>;
  /** Returns the catalog of a principal. */
  readonly snapshot: MetaToolPorts['snapshot'];
  readonly metrics: Pick<GatewayMetrics, 'workflowTimer' | 'workflowSteps'>;
  readonly config: GatewayConfig;
  /** Returns the ports through which steps call tools. */
  readonly ports: () => StepPorts;
  /** Receives the events of runs. */
  readonly emit: EventSink;
  readonly trail: AuditTrail;
  /** Does large renderings outside of this process. */
  readonly isolate: NonNullable<EnginePorts['isolate']>;
  readonly logRefusal: RefusalLog;
  readonly logger: Logger;
}

/** Creates the port that runs the workflow of an execution tool, with steps that call the tools of this gateway. */
export function createWorkflowCaller(
  options: WorkflowCallerOptions,
): MetaToolPorts['callWorkflow'] {
  const { executions, metrics, logger } = options;
  const warn = (text: string): void => {
    logger.warn(text);
  };
  const engine = createWorkflowEngine(
    {
      callTool: createStepCaller(options.ports, warn, options.trail),
      now: Date.now,
      elapsed: () => Math.round(performance.now()),
      newId: randomUUID,
      warn,
      record: measureRecords((run) => executions.record(run), metrics),
      report: options.emit,
      pause: setImmediate,
      isolate: options.isolate,
    },
    toEngineLimits(options.config),
  );
  return callWorkflowTool({ ...options, engine: measureEngine(engine, metrics) });
}

const toEngineLimits = ({ workflows }: GatewayConfig): EngineLimits => ({
  maxDepth: workflows.maxDepth,
  maxLoopItems: workflows.maxLoopItems,
  maxParallel: workflows.maxParallel,
  toolTimeoutMs: workflows.toolTimeoutSeconds * 1000,
  cleanupMs: workflows.cleanupSeconds * 1000,
  maxRenderedBytes: workflows.maxRenderedBytes,
  maxRunBytes: workflows.maxRunBytes,
  maxRunSteps: workflows.maxRunSteps,
  maxMemoryBytes: workflows.maxMemoryBytes ?? Math.floor(readHeapLimit() / RUNS_PER_HEAP),
});

/** Without a configured limit, all runs together may hold this part of the heap. */
const RUNS_PER_HEAP = 4;

const readHeapLimit = (): number => getHeapStatistics().heap_size_limit;

/** Returns the limits of the processes that render large templates. */
export const toIsolationLimits = ({ workflows }: GatewayConfig): IsolationLimits => ({
  processes: workflows.renderProcesses,
  memoryBytes: workflows.renderMemoryBytes,
  timeoutMs: workflows.renderTimeoutSeconds * 1000,
});
