import type { JsonMap, JsonValue } from '@gateway/go-template';
import { isMapping } from '../../fields/is-mapping.ts';
import type { ExecutionRecord } from './execution-record.ts';
import { parseExecutionRecord, type ParsedExecutionRecord } from './parse-execution-record.ts';

/** The kind of objects with the records of runs. */
export const WORKFLOW_EXECUTION_KIND = 'WorkflowExecution';

/** Fields whose values are JSON texts in an object. */
const PAYLOADS: ReadonlySet<string> = new Set(['input', 'result']);

const camelCase = (name: string): string =>
  name.replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase());

const snakeCase = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Lone surrogates have no form in UTF-8. */
const wellFormed = (value: unknown): unknown =>
  typeof value === 'string' ? value.replace(/\p{Surrogate}/gu, '\ufffd') : value;

const documentFields = (record: object): JsonMap =>
  Object.fromEntries(
    Object.entries(record).map(([name, value]: [string, unknown]) => [
      camelCase(name),
      documentValue(name, value) as JsonValue,
    ]),
  );

const documentValue = (name: string, value: unknown): unknown => {
  if (PAYLOADS.has(name)) return JSON.stringify(value);
  if (name === 'duration_ms') return Math.round(Number(value));
  if (Array.isArray(value)) return value.map((item: object) => documentFields(item));
  return isMapping(value) ? documentFields(value) : wellFormed(value);
};

/** Returns `spec` of the object of a run; the name of the object is the id of the run. */
export const executionSpec = ({ execution_id: _id, ...record }: ExecutionRecord): JsonMap =>
  documentFields(record);

const jsonOf = (value: unknown): unknown => {
  try {
    return typeof value === 'string' ? (JSON.parse(value) as unknown) : undefined;
  } catch {
    return undefined;
  }
};

const recordValue = (name: string, value: unknown): unknown => {
  if (PAYLOADS.has(name)) return jsonOf(value);
  if (Array.isArray(value)) return value.map((item: unknown) => recordFields(item));
  return isMapping(value) ? recordFields(value) : value;
};

const recordFields = (value: unknown): unknown =>
  isMapping(value)
    ? Object.fromEntries(
        Object.entries(value).map(([name, member]) => [snakeCase(name), recordValue(name, member)]),
      )
    : value;

/** Returns the record in `spec` of an object with this name. The object may have been written by another program. */
export const recordOfExecution = (id: string, spec: unknown): ParsedExecutionRecord =>
  parseExecutionRecord({ ...(recordFields(spec) as object | undefined), execution_id: id });
