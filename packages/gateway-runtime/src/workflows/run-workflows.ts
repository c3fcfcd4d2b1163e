import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { CatalogSnapshot } from '@gateway/catalog';
import type { ExecutionRecord } from '@gateway/crd-schemas';
import type { EventSink } from '@gateway/events';
import type { MetaToolPorts } from '@gateway/meta-tools';
import { createWorkflowEngine, stepCountsOf, type EngineLimits } from '@gateway/workflow-engine';
import type { Logger } from 'pino';
import type { GatewayConfig } from '@gateway/gateway-config';
import type { Metrics } from '../metrics/metrics.ts';
import type { ExecutionStore } from './execution-store.ts';
import type { LiveWorkflows } from './live-workflows.ts';
import { stepCalls, type StepPorts } from './step-calls.ts';
import { workflowCalls } from './workflow-calls.ts';

/** What runs of workflows work with. */
export interface WorkflowRunParts {
  readonly workflows: LiveWorkflows;
  readonly executions: Pick<ExecutionStore, 'record'>;
  readonly snapshot: () => CatalogSnapshot;
  readonly metrics: Pick<Metrics, 'workflowTimer' | 'workflowSteps'>;
  readonly config: GatewayConfig;
  /** What `call_tool` goes through; steps do too. Asked at each call, since it goes through this. */
  readonly ports: () => StepPorts;
  /** Takes the events of runs. */
  readonly report: EventSink;
  readonly logger: Logger;
}

/** Runs the workflows that calls of execution tools name, with the engine over this gateway's tools. */
export function runWorkflows(parts: WorkflowRunParts): MetaToolPorts['callWorkflow'] {
  const { executions, metrics, logger } = parts;
  const warn = (text: string): void => {
    logger.warn(text);
  };
  const record = (run: ExecutionRecord): void => {
    executions.record(run);
    if (run.status === 'inprogress') return;
    metrics.workflowSteps(stepCountsOf(run));
  };
  const engine = createWorkflowEngine(
    {
      callTool: stepCalls(parts.ports, warn),
      now: Date.now,
      newId: randomUUID,
      warn,
      record,
      report: parts.report,
      pause: setImmediate,
    },
    engineLimits(parts.config),
  );
  return workflowCalls({ ...parts, engine });
}

const engineLimits = ({ workflows }: GatewayConfig): EngineLimits => ({
  maxDepth: workflows.maxDepth,
  maxLoopItems: workflows.maxLoopItems,
  maxParallel: workflows.maxParallel,
  toolTimeoutMs: workflows.toolTimeoutSeconds * 1000,
  cleanupMs: workflows.cleanupSeconds * 1000,
  maxRenderedBytes: workflows.maxRenderedBytes,
  maxRunBytes: workflows.maxRunBytes,
});
