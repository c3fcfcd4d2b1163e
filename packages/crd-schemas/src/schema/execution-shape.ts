import { MAX_STATUS_LINE_CHARS, MAX_SUBDOMAIN_CHARS, MAX_TIME_CHARS } from '../fields/limits.ts';
import type { FieldShape, ObjectField, ObjectShape } from './resource-shape.ts';
import { EXECUTION_STATUSES, STEP_STATUSES } from '../workflow/execution-record.ts';

/** The most characters of a payload or an error; a record is smaller as a whole. */
const MAX_PAYLOAD_CHARS = 1_048_576;
const MAX_STEP_RECORDS = 100_000;

const text = (max: number): FieldShape => ({ kind: 'text', bounds: { max } });
const count: FieldShape = { kind: 'integer', min: 0 };
const time = text(MAX_TIME_CHARS);
const payload = text(MAX_PAYLOAD_CHARS);
const line = text(MAX_STATUS_LINE_CHARS);

const field = (name: string, shape: FieldShape, about: string): ObjectField => ({
  name,
  shape,
  about,
  isRequired: false,
});

const required = (name: string, shape: FieldShape, about: string): ObjectField => ({
  ...field(name, shape, about),
  isRequired: true,
});

const step: ObjectShape = {
  kind: 'object',
  name: 'StepRecord',
  fields: [
    required('stepId', line, 'Id of the step.'),
    field('iteration', count, 'Index of the item, for a sub-step of `forEach`.'),
    required('tool', line, 'The called tool.'),
    required('status', { kind: 'choice', values: STEP_STATUSES }, 'Result of the step.'),
    required('startedAt', time, 'Start in UTC, as RFC 3339.'),
    required('completedAt', time, 'End in UTC, as RFC 3339.'),
    required('durationMs', count, 'Duration in milliseconds.'),
    required('input', payload, 'Arguments as JSON text.'),
    field('result', payload, 'Result as JSON text.'),
    field('error', payload, 'Why the step failed.'),
    field('storedAs', line, 'Key of the result in `.results`.'),
  ],
};

const starter: ObjectShape = {
  kind: 'object',
  name: 'RunStarter',
  fields: [
    required('issuer', line, 'URL of the authorization server that vouches for the subject.'),
    required('subject', line, 'The person, as the authorization server names it.'),
  ],
};

const omitted: ObjectShape = {
  kind: 'object',
  name: 'OmittedSteps',
  fields: STEP_STATUSES.map((status) => required(status, count, `Steps that are ${status}.`)),
};

/** The fields of a `WorkflowExecution`. Payloads are JSON texts: an API server changes numbers and drops nulls of structured values. */
export const EXECUTION_SPEC: ObjectShape = {
  kind: 'object',
  name: 'WorkflowExecutionSpec',
  fields: [
    required('workflowName', text(MAX_SUBDOMAIN_CHARS), 'Name of the workflow.'),
    field('startedBy', starter, 'The person who started the run; absent without sign-in.'),
    required('status', { kind: 'choice', values: EXECUTION_STATUSES }, 'State of the run.'),
    required('startedAt', time, 'Start in UTC, as RFC 3339.'),
    field('completedAt', time, 'End in UTC, as RFC 3339.'),
    required('durationMs', count, 'Duration in milliseconds; 0 while the run is in progress.'),
    required('input', payload, 'Arguments of the run as JSON text.'),
    field('result', payload, 'The document that the caller got, as JSON text.'),
    field('error', payload, 'Why the run failed.'),
    required(
      'steps',
      { kind: 'list', items: step, maxItems: MAX_STEP_RECORDS },
      'The steps in the order of their end.',
    ),
    field('truncated', { kind: 'flag' }, 'Parts were removed, because the record was too large.'),
    field('omittedSteps', omitted, 'Number of removed steps of each kind.'),
  ],
};
