import { expect } from 'vitest';
import {
  parseWorkflow,
  formatError,
  formatWarning,
  type Workflow,
  type WorkflowReview,
} from '../../src/index.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A document with this spec and otherwise nothing to addProblem about. */
export const workflowWith = (spec: unknown, metadata: unknown = { name: 'sync' }): unknown => ({
  apiVersion: 'gateway.internal/v1alpha1',
  kind: 'Workflow',
  metadata,
  spec,
});

/** A step that calls a tool, with these fields on top. */
export const call = (fields: Fields = {}): Fields => ({ id: 'a', tool: 'x_k8s_list', ...fields });

/** A document with these steps. */
export const withSteps = (...steps: readonly unknown[]): unknown => workflowWith({ steps });

/** A document with one step that calls a tool, and these fields of `spec` beside it. */
export const withSpec = (fields: Fields): unknown => workflowWith({ steps: [call()], ...fields });

/** A document of which the one step has this condition. */
export const withCondition = (condition: unknown): unknown => withSteps(call({ condition }));

/** A document with a loop over these sub-steps. */
export const withLoop = (steps: unknown, fields: Fields = {}): unknown =>
  withSteps({ id: 'loop', forEach: { items: '{{ .input.names }}', steps, ...fields } });

const parsedOf = (document: unknown): WorkflowReview => {
  const parsed = parseWorkflow(document);
  expect(parsed.ok ? [] : parsed.error.map(formatError)).toEqual([]);
  if (!parsed.ok) throw new Error('unreachable');
  return parsed.value;
};

/** The workflow of a document that must be valid. */
export const workflowOf = (document: unknown): Workflow => parsedOf(document).workflow;

/** The lines of warning that a valid document gives. */
export const listWorkflowWarnings = (document: unknown): readonly string[] => {
  const { workflow, warnings } = parsedOf(document);
  return warnings.map((warning) => formatWarning(warning, workflow.metadata.name));
};

/** The lines that refuse a document; empty when it is valid. */
export const refusalOf = (document: unknown): readonly string[] => {
  const parsed = parseWorkflow(document);
  return parsed.ok ? [] : parsed.error.map(formatError);
};
