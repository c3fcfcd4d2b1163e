import { goDurationText } from './go-duration.ts';
import { because, listed, type ReasonsOf } from './reason-description.ts';

/** What is reported of workflows and their runs. @spec §6 */
export const WORKFLOW_REASONS: ReasonsOf<'Workflow'> = {
  WorkflowCreated: {
    kind: 'Workflow',
    type: 'Normal',
    when: 'A definition appeared.',
    message: ({ name, steps }) =>
      `Workflow ${name} successfully created with ${String(steps)} steps`,
  },
  WorkflowUpdated: {
    kind: 'Workflow',
    type: 'Normal',
    when: 'A definition is not what it was.',
    message: ({ name, steps }) =>
      `Workflow ${name} successfully updated with ${String(steps)} steps`,
  },
  WorkflowDeleted: {
    kind: 'Workflow',
    type: 'Normal',
    when: 'A definition is gone.',
    message: ({ name, namespace }) =>
      `Workflow ${name} successfully deleted from namespace ${namespace}`,
  },
  WorkflowValidationFailed: {
    kind: 'Workflow',
    type: 'Warning',
    when: 'A definition cannot be used, or cannot be used for another reason than before.',
    message: ({ name, error }) => `Workflow ${name} validation failed${because(error)}`,
  },
  WorkflowValidationSucceeded: {
    kind: 'Workflow',
    type: 'Normal',
    when: 'A definition that could not be used can be used again.',
    message: ({ name }) => `Workflow ${name} validation completed successfully`,
  },
  WorkflowExecutionStarted: {
    kind: 'Workflow',
    type: 'Normal',
    when: 'A run begins.',
    message: ({ name, execution }) =>
      `Workflow ${name} execution started (execution: ${execution})`,
  },
  WorkflowExecutionCompleted: {
    kind: 'Workflow',
    type: 'Normal',
    when: 'A run ended without a failure.',
    message: ({ name, steps, durationMs }) =>
      `Workflow ${name} execution completed successfully (${String(steps)} steps) in ${goDurationText(durationMs)}`,
  },
  WorkflowExecutionFailed: {
    kind: 'Workflow',
    type: 'Warning',
    when: 'A run failed, at one of its steps or before the first.',
    message: ({ name, step, error }) =>
      `Workflow ${name} execution failed${step === undefined ? '' : ` at step ${step}`}${because(error)}`,
  },
  WorkflowExecutionTracked: {
    kind: 'Workflow',
    type: 'Normal',
    when: 'The record of a run that ended was written to `workflows.executionsDirectory`.',
    message: ({ name, execution }) =>
      `Workflow ${name} execution state persisted (execution: ${execution})`,
  },
  WorkflowStepStarted: {
    kind: 'Workflow',
    type: 'Normal',
    when: 'A step of a run begins.',
    message: ({ name, step, tool }) =>
      `Workflow ${name} step ${step} started${tool === undefined ? '' : ` (tool: ${tool})`}`,
  },
  WorkflowStepCompleted: {
    kind: 'Workflow',
    type: 'Normal',
    when: 'A step of a run ended without a failure.',
    message: ({ name, step }) => `Workflow ${name} step ${step} completed successfully`,
  },
  WorkflowStepFailed: {
    kind: 'Workflow',
    type: 'Warning',
    when: 'A step failed and the run goes on, because the step allows it.',
    message: ({ name, step, error }) =>
      `Workflow ${name} step ${step} failed (allow_failure=true, continuing)${because(error)}`,
  },
  WorkflowStepSkipped: {
    kind: 'Workflow',
    type: 'Normal',
    when: 'A step was left out because its condition does not hold.',
    message: ({ name, step }) =>
      `Workflow ${name} step ${step} skipped: condition evaluation returned false`,
  },
  WorkflowStepConditionEvaluated: {
    kind: 'Workflow',
    type: 'Normal',
    when: 'The condition of a step was evaluated.',
    message: ({ name, step, holds }) =>
      `Workflow ${name} step ${step} condition evaluated to ${String(holds)}`,
  },
  WorkflowUnavailable: {
    kind: 'Workflow',
    type: 'Warning',
    when: 'Tools of a workflow left the catalog, or others than before are missing.',
    message: ({ name, missing }) =>
      `Workflow ${name} is unavailable${missing.length === 0 ? '' : ` (missing tools: ${listed(missing)})`}`,
  },
  WorkflowToolRegistered: {
    kind: 'Workflow',
    type: 'Normal',
    when: 'The tool that runs a workflow came into the catalog.',
    message: ({ name }) => `Workflow ${name} registered as tool 'workflow_${name}' in aggregator`,
  },
  WorkflowCapabilitiesRefreshed: {
    kind: 'Workflow',
    type: 'Normal',
    when: 'All tools of a workflow that lacked some are in the catalog.',
    message: ({ name }) => `Workflow ${name} capabilities refreshed`,
  },
};
