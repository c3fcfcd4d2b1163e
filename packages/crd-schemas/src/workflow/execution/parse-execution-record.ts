import * as z from 'zod/mini';
import { isMapping } from '../../fields/is-mapping.ts';
import { issuesOfZod } from '../../fields/issues-of-zod.ts';
import type { JsonMap, JsonValue } from '@gateway/go-template';
import { MAX_ISSUES } from '../../resource/limits.ts';
import type { ValidationIssue } from '../../resource/validation-issue.ts';
import { EXECUTION_STATUSES, STEP_STATUSES, type ExecutionRecord } from './execution-record.ts';

/** A record, or every reason why the value is none (at most 100, never none). */
export type ParsedExecutionRecord =
  | { readonly ok: true; readonly record: ExecutionRecord }
  | { readonly ok: false; readonly issues: readonly ValidationIssue[] };

/** Data of tools and callers is unchanged: it was parsed from JSON text and needs no validation. */
const payload = z.custom<JsonValue>((value: unknown) => value !== undefined, 'must have a value');
const payloadMap = z.custom<JsonMap>(isMapping, 'must be a mapping');

const time = z.iso.datetime('must be a time in UTC, as RFC 3339 writes it');

const count = z.int().check(z.minimum(0));

const stepRecord = z.object({
  step_id: z.string(),
  iteration: z.exactOptional(count),
  tool: z.string(),
  status: z.enum(STEP_STATUSES),
  started_at: time,
  completed_at: time,
  duration_ms: z.number().check(z.minimum(0)),
  input: payloadMap,
  result: z.exactOptional(payload),
  error: z.exactOptional(z.string()),
  stored_as: z.exactOptional(z.string()),
});

const executionRecord = z.object({
  execution_id: z.string().check(z.minLength(1)),
  workflow_name: z.string().check(z.minLength(1)),
  started_by: z.exactOptional(z.object({ issuer: z.string(), subject: z.string() })),
  status: z.enum(EXECUTION_STATUSES),
  started_at: time,
  completed_at: z.exactOptional(time),
  duration_ms: z.number().check(z.minimum(0)),
  input: payloadMap,
  result: z.exactOptional(payload),
  error: z.exactOptional(z.string()),
  steps: z.array(stepRecord),
  truncated: z.exactOptional(z.boolean()),
  omitted_steps: z.exactOptional(z.object({ completed: count, failed: count, skipped: count })),
});

/**
 * Validates a stored record, as `JSON.parse` returns it. Unknown keys are dropped, because a newer version may have written
 * them. Arguments and results are referenced, not copied.
 */
export const parseExecutionRecord = (value: unknown): ParsedExecutionRecord => {
  const parsed = executionRecord.safeParse(value);
  return parsed.success
    ? { ok: true, record: parsed.data }
    : { ok: false, issues: issuesOfZod(parsed.error, value).slice(0, MAX_ISSUES) };
};
