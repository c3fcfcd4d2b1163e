import {
  DEFAULT_ENGINE_LIMITS,
  ISOLATION_LIMITS,
  RETENTION_LIMITS,
} from '@gateway/workflow-engine';
import { z } from 'zod';
import { DAY_SECONDS, MAPPING, MIB, text, wholeNumber } from './field-types.ts';

const limits = DEFAULT_ENGINE_LIMITS;
const retention = RETENTION_LIMITS;
const isolation = ISOLATION_LIMITS;

/** The key `workflows`: limits of runs and of their records. */
export const workflowsSchema = z.strictObject(
  {
    executionsDirectory: text
      .optional()
      .describe(
        'directory for records of runs, relative to the configuration directory; without it records stay in memory, and with `kubernetes.enabled` they are objects of the cluster',
      ),
    maxExecutions: wholeNumber(1, 1_000_000)
      .default(retention.maxRecords)
      .describe('maximum stored records; the oldest are deleted'),
    maxExecutionBytes: wholeNumber(MIB, 1024 * 1024 * MIB)
      .optional()
      .describe(
        'maximum total size of records; the oldest are deleted; without it 1 GiB, and 256 MiB as objects of a cluster',
      ),
    executionMaxAgeSeconds: wholeNumber(60, 3650 * DAY_SECONDS)
      .default(retention.maxAgeMs / 1000)
      .describe('maximum age of a record; older ones are deleted every hour'),
    maxDepth: wholeNumber(1, 64).default(limits.maxDepth).describe('maximum nesting of workflows'),
    maxLoopItems: wholeNumber(1, 1_000_000)
      .default(limits.maxLoopItems)
      .describe('maximum items of one `forEach`'),
    maxParallel: wholeNumber(1, 1000)
      .default(limits.maxParallel)
      .describe('concurrent sub-steps of one `parallel`'),
    toolTimeoutSeconds: wholeNumber(1, DAY_SECONDS)
      .default(limits.toolTimeoutMs / 1000)
      .describe('time limit of a step'),
    cleanupSeconds: wholeNumber(1, 3600)
      .default(limits.cleanupMs / 1000)
      .describe('time limit of all `onFailure` handlers of a cancelled run'),
    maxRenderedBytes: wholeNumber(1024, 256 * MIB)
      .default(limits.maxRenderedBytes)
      .describe('maximum size of one rendered value, and of all arguments of one call'),
    maxRunBytes: wholeNumber(MIB, 16_384 * MIB)
      .default(limits.maxRunBytes)
      .describe('approximate maximum memory for arguments and results of one run'),
    maxMemoryBytes: wholeNumber(MIB, 16_384 * MIB)
      .optional()
      .describe(
        'approximate maximum memory for arguments and results of all runs of a process; without it a quarter of the heap limit',
      ),
    maxRunSteps: wholeNumber(1000, 1_000_000_000)
      .default(limits.maxRunSteps)
      .describe(
        'maximum steps of all templates of one run; reading or making many bytes counts as steps, and a call as 500',
      ),
    renderProcesses: wholeNumber(1, 64)
      .default(isolation.processes)
      .describe('processes that render large templates; each starts when it is needed'),
    renderMemoryBytes: wholeNumber(32 * MIB, 16_384 * MIB)
      .default(isolation.memoryBytes)
      .describe('heap limit of a process that renders large templates'),
    renderTimeoutSeconds: wholeNumber(1, 3600)
      .default(isolation.timeoutMs / 1000)
      .describe('time limit of one large rendering'),
  },
  MAPPING,
);
