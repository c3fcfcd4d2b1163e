import * as z from 'zod';
import { condition } from './agent.ts';

/** The state of an agent. */
const VERDICTS = ['ready', 'progressing', 'failed', 'unknown'] as const;

const container = z.object({
  name: z.string(),
  state: z.enum(['running', 'waiting', 'terminated', 'unknown']),
  reason: z.string().optional(),
  message: z.string().optional(),
  init: z.boolean().optional(),
});

/** The answer of `get_agent_status`. */
export const agentStatus = z.object({
  name: z.string(),
  namespace: z.string(),
  verdict: z.enum(VERDICTS),
  summary: z.string().meta({ description: 'The verdict as a sentence.' }),
  agent: z.object({
    exists: z.boolean(),
    ready: z.boolean().nullable(),
    accepted: z.boolean().nullable(),
    conditions: z.array(condition),
  }),
  helmRelease: z.object({
    exists: z.boolean(),
    ready: z.boolean().nullable(),
    suspended: z.boolean(),
    gitOpsOwned: z.boolean(),
    deleting: z.boolean(),
    conditions: z.array(condition),
    history: z.array(
      z.object({
        version: z.number().optional(),
        chartVersion: z.string().optional(),
        status: z.string().optional(),
        lastDeployed: z.string().optional(),
      }),
    ),
    lastAttemptedRevision: z.string().optional(),
  }),
  deployment: z.object({
    exists: z.boolean(),
    replicas: z.number(),
    readyReplicas: z.number(),
    availableReplicas: z.number(),
    conditions: z.array(condition),
  }),
  pods: z.array(
    z.object({
      name: z.string(),
      phase: z.string(),
      ready: z.boolean(),
      restarts: z.number(),
      containers: z.array(container),
    }),
  ),
  events: z.array(
    z.object({
      type: z.string(),
      reason: z.string(),
      message: z.string(),
      object: z.string().meta({ description: '`Kind/name`.' }),
      count: z.number(),
      lastTimestamp: z.string().optional(),
    }),
  ),
});

/** The answer of `get_agent_status`. */
export type AgentStatus = z.output<typeof agentStatus>;
