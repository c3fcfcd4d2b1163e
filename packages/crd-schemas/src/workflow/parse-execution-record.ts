import type { JsonMap, JsonValue } from '@gateway/go-template';
import type { Result } from '@gateway/toolset-grammar';
import * as z from 'zod/mini';
import { checkMaximumLength } from '../fields/field-facts.ts';
import { createIntegerField } from '../fields/fields.ts';
import { type ValidationIssue, isMapping, listZodIssues } from '../fields/validation-issue.ts';
import { MAX_ISSUES } from '../fields/limits.ts';

import { EXECUTION_STATUSES, type ExecutionRecord, STEP_STATUSES } from './execution-record.ts';

type RecordResult = Result<ExecutionRecord, readonly ValidationIssue[]>;

/** Data of tools and callers is unchanged: it was parsed from JSON text and needs no validation. */
const payload = z.custom<JsonValue>((value: unknown) => value !== undefined, 'must have a value');
const payloadMap = z.custom<JsonMap>(isMapping, 'must be a mapping');

const time = z.iso.datetime('must be a time in UTC, as RFC 3339 writes it');

const count = createIntegerField({ min: 0 });

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
  execution_id: z.string().check(checkMaximumLength(z.minLength(1))),
  workflow_name: z.string().check(checkMaximumLength(z.minLength(1))),
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
export const parseExecutionRecord = (value: unknown): RecordResult => {
  const parsed = executionRecord.safeParse(value);
  return parsed.success
    ? { ok: true, value: parsed.data }
    : { ok: false, error: listZodIssues(parsed.error, value).slice(0, MAX_ISSUES) };
};

/** The kind of objects with the records of runs. */
export const WORKFLOW_EXECUTION_KIND = 'WorkflowExecution';

/** Fields whose values are JSON texts in an object. */
const PAYLOADS: ReadonlySet<string> = new Set(['input', 'result']);

const toCamelCase = (name: string): string =>
  name.replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase());

const toSnakeCase = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Lone surrogates have no form in UTF-8. */
const replaceSurrogates = (value: unknown): unknown =>
  typeof value === 'string' ? value.replace(/\p{Surrogate}/gu, '\ufffd') : value;

const toDocumentFields = (record: object): JsonMap =>
  Object.fromEntries(
    Object.entries(record).map(([name, value]: [string, unknown]) => [
      toCamelCase(name),
      toDocumentValue(name, value) as JsonValue,
    ]),
  );

const toDocumentValue = (name: string, value: unknown): unknown => {
  if (PAYLOADS.has(name)) return JSON.stringify(value);
  if (name === 'duration_ms') return Math.round(Number(value));
  if (Array.isArray(value)) return value.map((item: object) => toDocumentFields(item));
  return isMapping(value) ? toDocumentFields(value) : replaceSurrogates(value);
};

/** Returns `spec` of the object of a run; the name of the object is the id of the run. */
export const toExecutionSpec = ({ execution_id: _id, ...record }: ExecutionRecord): JsonMap =>
  toDocumentFields(record);

const parseJson = (value: unknown): unknown => {
  try {
    return typeof value === 'string' ? (JSON.parse(value) as unknown) : undefined;
  } catch {
    return undefined;
  }
};

const toRecordValue = (name: string, value: unknown): unknown => {
  if (PAYLOADS.has(name)) return parseJson(value);
  if (Array.isArray(value)) return value.map((item: unknown) => toRecordFields(item));
  return isMapping(value) ? toRecordFields(value) : value;
};

const toRecordFields = (value: unknown): unknown =>
  isMapping(value)
    ? Object.fromEntries(
        Object.entries(value).map(([name, member]) => [
          toSnakeCase(name),
          toRecordValue(name, member),
        ]),
      )
    : value;

/** Returns the record in `spec` of an object with this name. The object may have been written by another program. */
export const parseExecution = (id: string, spec: unknown): RecordResult =>
  parseExecutionRecord({ ...(toRecordFields(spec) as object | undefined), execution_id: id });
