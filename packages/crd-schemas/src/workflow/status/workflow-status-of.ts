import { memberOf } from '../../resource/resource-identity.ts';
import { toolsNamedIn } from '../model/referenced-tools.ts';
import type { StatusCondition } from '../../resource/status-condition.ts';
import type { WorkflowStatus } from './workflow-status.ts';

/** The input of a status. */
export interface WorkflowFindings {
  /** The parsed document, valid or not; undefined when it could not be read. */
  readonly document: unknown;
  /** One line per error; none for a valid workflow. */
  readonly errors: readonly string[];
  /** The time of the validation, in milliseconds since the epoch. */
  readonly at: number;
}

const messageOf = ([first, ...others]: readonly string[]): string => {
  if (first === undefined) return 'The workflow is valid.';
  return others.length === 0 ? first : `${first} (and ${String(others.length)} more)`;
};

const conditionOf = ({ errors, at }: WorkflowFindings): StatusCondition =>
  Object.freeze({
    type: 'Valid',
    status: errors.length === 0 ? 'True' : 'False',
    reason: errors.length === 0 ? 'ValidationSucceeded' : 'ValidationFailed',
    message: messageOf(errors),
    lastTransitionTime: new Date(at).toISOString(),
  });

/** Returns the `status` of a workflow. For an invalid document it contains the facts that can be determined. @spec §2.7 status */
export const workflowStatusOf = (findings: WorkflowFindings): WorkflowStatus => {
  const spec = memberOf(findings.document, 'spec');
  const steps = memberOf(spec, 'steps');
  return Object.freeze({
    valid: findings.errors.length === 0,
    validationErrors: Object.freeze([...findings.errors]),
    referencedTools: toolsNamedIn(spec, true),
    stepCount: Array.isArray(steps) ? steps.length : 0,
    conditions: Object.freeze([conditionOf(findings)]),
  });
};
