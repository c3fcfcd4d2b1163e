import type { EventSink } from '@gateway/events';
import type { GatewayConfig } from '@gateway/gateway-config';
import type { MetaToolPorts } from '@gateway/meta-tools';
import {
  createWorkflowEngine,
  type EngineLimits,
  type EnginePorts,
  type IsolationLimits,
} from '@gateway/workflow-engine';
import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { getHeapStatistics } from 'node:v8';
import type { Logger } from 'pino';
import type { AuditTrail } from '../audit/audit-trail.ts';
import type { RefusalLog } from '../audit/refusal-budget.ts';
import { measureEngine, measureRecords } from '../metrics/measure-workflows.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { callWorkflowTool } from './call-workflow-tool.ts';
import type { ExecutionStore } from './execution-store.ts';
import type { LiveWorkflows } from './live-workflows.ts';
import { createStepCaller, type StepPorts } from './step-calls.ts';

/** Options of {@link createWorkflowCaller}. */
export interface WorkflowCallerOptions {
  readonly workflows: LiveWorkflows;
  readonly executions: Pick<ExecutionStore, 'record'>;
  /** Returns the catalog of a principal. */
  readonly snapshot: MetaToolPorts['snapshot'];
  readonly metrics: Pick<Metrics, 'workflowTimer' | 'workflowSteps'>;
  readonly config: GatewayConfig;
  /** Returns the ports through which steps call tools. */
  readonly ports: () => StepPorts;
  /** Receives the events of runs. */
  readonly emit: EventSink;
  /** Absent when no audit log is written. */
  readonly trail: AuditTrail | undefined;
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
    engineLimits(options.config),
  );
  return callWorkflowTool({ ...options, engine: measureEngine(engine, metrics) });
}

const engineLimits = ({ workflows }: GatewayConfig): EngineLimits => ({
  maxDepth: workflows.maxDepth,
  maxLoopItems: workflows.maxLoopItems,
  maxParallel: workflows.maxParallel,
  toolTimeoutMs: workflows.toolTimeoutSeconds * 1000,
  cleanupMs: workflows.cleanupSeconds * 1000,
  maxRenderedBytes: workflows.maxRenderedBytes,
  maxRunBytes: workflows.maxRunBytes,
  maxRunSteps: workflows.maxRunSteps,
  maxMemoryBytes: workflows.maxMemoryBytes ?? Math.floor(heapLimit() / RUNS_PER_HEAP),
});

/** Without a configured limit, all runs together may hold this part of the heap. */
const RUNS_PER_HEAP = 4;

const heapLimit = (): number => getHeapStatistics().heap_size_limit;

/** Returns the limits of the processes that render large templates. */
export const isolationLimits = ({ workflows }: GatewayConfig): IsolationLimits => ({
  processes: workflows.renderProcesses,
  memoryBytes: workflows.renderMemoryBytes,
  timeoutMs: workflows.renderTimeoutSeconds * 1000,
});
