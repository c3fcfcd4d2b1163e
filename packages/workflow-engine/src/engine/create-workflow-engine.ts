import {
  fullAllowance,
  inlineAllowance,
  stepsTaken,
  type RenderOptions,
} from '@gateway/go-template';
import type { EngineLimits, EnginePorts, WorkflowEngine } from '../model/ports.ts';
import type { Attempts } from '../run/state/run-state.ts';
import { TurnBudget } from '../run/state/turn-budget.ts';
import { tolerantPorts } from './tolerant-ports.ts';
import { runWorkflow, type Engine } from './run-workflow.ts';

/** The bounds of a run where nothing else is configured. */
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

const attemptsOf = (ports: EnginePorts, rendering: RenderOptions): Attempts => {
  const areInline = ports.isolate !== undefined;
  const allowance = areInline ? inlineAllowance(rendering) : fullAllowance(rendering);
  // A run that has them can pay for all steps and for all units.
  const ampleSteps = stepsTaken(allowance, { ...allowance, steps: 0, units: 0 });
  return { areInline, allowance: Object.freeze(allowance), ampleSteps };
};

/** Creates an engine that runs workflows over these ports; limits that are not given have their default. @spec §2.7 */
export const createWorkflowEngine = (
  ports: EnginePorts,
  limits: Partial<EngineLimits> = {},
): WorkflowEngine => {
  const bounds = { ...DEFAULT_ENGINE_LIMITS, ...limits };
  const tolerant = tolerantPorts(ports);
  const rendering = { maxBytes: bounds.maxRenderedBytes, now: () => ports.now() };
  const engine: Engine = {
    ports: tolerant,
    limits: bounds,
    turns: new TurnBudget(tolerant),
    memory: { held: 0, roots: 0 },
    rendering,
    attempts: attemptsOf(tolerant, rendering),
  };
  return {
    run: (workflow, args, options) => runWorkflow(engine, { workflow, args, options }),
  };
};
