import { MAX_STATUS_LINE_CHARS, MAX_SUBDOMAIN_CHARS, MAX_TIME_CHARS } from '../fields/limits.ts';
import type { FieldShape, ObjectField, ObjectShape } from './resource-shape.ts';
import { EXECUTION_STATUSES, STEP_STATUSES } from '../workflow/execution-record.ts';

/** The most characters of a payload or an error; a record is smaller as a whole. */
const MAX_PAYLOAD_CHARS = 1_048_576;
const MAX_STEP_RECORDS = 100_000;

const describeText = (max: number): FieldShape => ({ kind: 'text', bounds: { max } });
const count: FieldShape = { kind: 'integer', min: 0 };
const time = describeText(MAX_TIME_CHARS);
const payload = describeText(MAX_PAYLOAD_CHARS);
const line = describeText(MAX_STATUS_LINE_CHARS);

const createField = (name: string, shape: FieldShape, about: string): ObjectField => ({
  name,
  shape,
  about,
  isRequired: false,
});

const createMandatoryField = (name: string, shape: FieldShape, about: string): ObjectField => ({
  ...createField(name, shape, about),
  isRequired: true,
});

const step: ObjectShape = {
  kind: 'object',
  name: 'StepRecord',
  fields: [
    createMandatoryField('stepId', line, 'Id of the step.'),
    createField('iteration', count, 'Index of the item, for a sub-step of `forEach`.'),
    createMandatoryField('tool', line, 'The called tool.'),
    createMandatoryField(
      'status',
      { kind: 'choice', values: STEP_STATUSES },
      'Result of the step.',
    ),
    createMandatoryField('startedAt', time, 'Start in UTC, as RFC 3339.'),
    createMandatoryField('completedAt', time, 'End in UTC, as RFC 3339.'),
    createMandatoryField('durationMs', count, 'Duration in milliseconds.'),
    createMandatoryField('input', payload, 'Arguments as JSON text.'),
    createField('result', payload, 'Result as JSON text.'),
    createField('error', payload, 'Why the step failed.'),
    createField('storedAs', line, 'Key of the result in `.results`.'),
  ],
};

const starter: ObjectShape = {
  kind: 'object',
  name: 'RunStarter',
  fields: [
    createMandatoryField(
      'issuer',
      line,
      'URL of the authorization server that vouches for the subject.',
    ),
    createMandatoryField('subject', line, 'The user, as the authorization server names it.'),
  ],
};

const omitted: ObjectShape = {
  kind: 'object',
  name: 'OmittedSteps',
  fields: STEP_STATUSES.map((status) =>
    createMandatoryField(status, count, `Steps that are ${status}.`),
  ),
};

/** The fields of a `WorkflowExecution`. Payloads are JSON texts: an API server changes numbers and drops nulls of structured values. */
export const EXECUTION_SPEC: ObjectShape = {
  kind: 'object',
  name: 'WorkflowExecutionSpec',
  fields: [
    createMandatoryField(
      'workflowName',
      describeText(MAX_SUBDOMAIN_CHARS),
      'Name of the workflow.',
    ),
    createField('startedBy', starter, 'The user who started the run; absent without sign-in.'),
    createMandatoryField(
      'status',
      { kind: 'choice', values: EXECUTION_STATUSES },
      'State of the run.',
    ),
    createMandatoryField('startedAt', time, 'Start in UTC, as RFC 3339.'),
    createField('completedAt', time, 'End in UTC, as RFC 3339.'),
    createMandatoryField(
      'durationMs',
      count,
      'Duration in milliseconds; 0 while the run is in progress.',
    ),
    createMandatoryField('input', payload, 'Arguments of the run as JSON text.'),
    createField('result', payload, 'The document that the caller got, as JSON text.'),
    createField('error', payload, 'Why the run failed.'),
    createMandatoryField(
      'steps',
      { kind: 'list', items: step, maxItems: MAX_STEP_RECORDS },
      'The steps in the order of their end.',
    ),
    createField(
      'truncated',
      { kind: 'flag' },
      'Parts were removed, because the record was too large.',
    ),
    createField('omittedSteps', omitted, 'Number of removed steps of each kind.'),
  ],
};
