import { goDurationText } from './go-duration.ts';
import { because, listed, type ReasonsOf } from './reason-description.ts';

/** Reasons of events about workflows and their runs. @spec §6 */
export const WORKFLOW_REASONS: ReasonsOf<'Workflow'> = {
  WorkflowCreated: {
    kind: 'Workflow',
    type: 'Normal',
    when: 'A definition was added.',
    message: ({ name, steps }) =>
      `Workflow ${name} successfully created with ${String(steps)} steps`,
  },
  WorkflowUpdated: {
    kind: 'Workflow',
    type: 'Normal',
    when: 'A definition changed.',
    message: ({ name, steps }) =>
      `Workflow ${name} successfully updated with ${String(steps)} steps`,
  },
  WorkflowDeleted: {
    kind: 'Workflow',
    type: 'Normal',
    when: 'A definition was deleted.',
    message: ({ name, namespace }) =>
      `Workflow ${name} successfully deleted from namespace ${namespace}`,
  },
  WorkflowValidationFailed: {
    kind: 'Workflow',
    type: 'Warning',
    when: 'A definition is invalid, or invalid for another reason.',
    message: ({ name, error }) => `Workflow ${name} validation failed${because(error)}`,
  },
  WorkflowValidationSucceeded: {
    kind: 'Workflow',
    type: 'Normal',
    when: 'An invalid definition became valid.',
    message: ({ name }) => `Workflow ${name} validation completed successfully`,
  },
  WorkflowExecutionStarted: {
    kind: 'Workflow',
    type: 'Normal',
    when: 'A run started.',
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
    when: 'A run failed, at a step or before the first step.',
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
    when: 'A step of a run started.',
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
    when: 'A step with `allowFailure` failed, and the run continues.',
    message: ({ name, step, error }) =>
      `Workflow ${name} step ${step} failed (allow_failure=true, continuing)${because(error)}`,
  },
  WorkflowStepSkipped: {
    kind: 'Workflow',
    type: 'Normal',
    when: 'A step was skipped because its condition is not satisfied.',
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
    when: 'Required tools of a workflow are not in the catalog, or other tools are missing than before.',
    message: ({ name, missing }) =>
      `Workflow ${name} is unavailable${missing.length === 0 ? '' : ` (missing tools: ${listed(missing)})`}`,
  },
  WorkflowToolRegistered: {
    kind: 'Workflow',
    type: 'Normal',
    when: 'The tool of a workflow was added to the catalog.',
    message: ({ name }) => `Workflow ${name} registered as tool 'workflow_${name}' in aggregator`,
  },
  WorkflowCapabilitiesRefreshed: {
    kind: 'Workflow',
    type: 'Normal',
    when: 'All required tools of an unavailable workflow are in the catalog again.',
    message: ({ name }) => `Workflow ${name} capabilities refreshed`,
  },
};
