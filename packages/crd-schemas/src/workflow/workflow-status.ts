import * as z from 'zod/mini';
import { describeField, nameField } from '../fields/field-facts.ts';
import {
  type ParsedFields,
  type StatusCondition,
  createIntegerField,
  createListField,
  createTextField,
  statusConditions,
} from '../fields/fields.ts';
import {
  MAX_REFERENCED_TOOLS,
  MAX_STATUS_LINE_CHARS,
  MAX_STATUS_LINES,
  MAX_TOOL_NAME_CHARS,
} from '../fields/limits.ts';
import { readOwnMember } from '../fields/validation-issue.ts';
import { listStepTools } from './step-places.ts';

/** `status` of a `Workflow`. @spec §2.7 */
export interface WorkflowStatus {
  readonly valid: boolean;
  /** One line per error; empty when valid. */
  readonly validationErrors: readonly string[];
  /** Every tool of the workflow, sorted, without duplicates. Informational: availability depends on the caller. */
  readonly referencedTools: readonly string[];
  /** Top-level steps. */
  readonly stepCount: number;
  readonly conditions: readonly StatusCondition[];
}

const mergeCondition = (before: WorkflowStatus, now: StatusCondition): StatusCondition => {
  const known = before.conditions.find(({ type }) => type === now.type);
  return known?.status === now.status
    ? Object.freeze({ ...now, lastTransitionTime: known.lastTransitionTime })
    : now;
};

/** Returns the current status; a condition that did not change has the time of its last transition. @spec §2.7 status */
export const mergeWorkflowStatus = (before: WorkflowStatus, now: WorkflowStatus): WorkflowStatus =>
  Object.freeze({
    ...now,
    conditions: Object.freeze(now.conditions.map((condition) => mergeCondition(before, condition))),
  });

/** The input of a status. */
export interface WorkflowFindings {
  /** The parsed document, valid or not; undefined when it could not be read. */
  readonly document: unknown;
  /** One line per error; none for a valid workflow. */
  readonly errors: readonly string[];
  /** The time of the validation, in milliseconds since the epoch. */
  readonly at: number;
}

const formatMessage = ([first, ...others]: readonly string[]): string => {
  if (first === undefined) return 'The workflow is valid.';
  return others.length === 0 ? first : `${first} (and ${String(others.length)} more)`;
};

const toCondition = ({ errors, at }: WorkflowFindings): StatusCondition =>
  Object.freeze({
    type: 'Valid',
    status: errors.length === 0 ? 'True' : 'False',
    reason: errors.length === 0 ? 'ValidationSucceeded' : 'ValidationFailed',
    message: formatMessage(errors),
    lastTransitionTime: new Date(at).toISOString(),
  });

/** Returns the `status` of a workflow. For an invalid document it contains the facts that can be determined. @spec §2.7 status */
export const computeWorkflowStatus = (findings: WorkflowFindings): WorkflowStatus => {
  const spec = readOwnMember(findings.document, 'spec');
  const steps = readOwnMember(spec, 'steps');
  return Object.freeze({
    valid: findings.errors.length === 0,
    validationErrors: Object.freeze([...findings.errors]),
    referencedTools: listStepTools(spec, true),
    stepCount: Array.isArray(steps) ? steps.length : 0,
    conditions: Object.freeze([toCondition(findings)]),
  });
};

const lines = createListField(createTextField({ max: MAX_STATUS_LINE_CHARS }), MAX_STATUS_LINES);
const tools = createListField(createTextField({ max: MAX_TOOL_NAME_CHARS }), MAX_REFERENCED_TOOLS);

/** `status` of a `Workflow`, field by field. The gateway writes it; the status of a document is ignored. @spec §2.7 status */
export const workflowStatusFields = nameField(
  'WorkflowStatus',
  z.strictObject({
    valid: describeField('True when the document is a valid workflow.', z.boolean()),
    validationErrors: describeField('The problems of the document, one line each.', lines),
    referencedTools: describeField(
      'Every tool that the workflow names. Informational: what is available depends on the session of the caller.',
      tools,
    ),
    stepCount: describeField('Number of top-level steps.', createIntegerField({ min: 0 })),
    conditions: describeField('Valid.', statusConditions),
  } satisfies ParsedFields<WorkflowStatus>),
);
