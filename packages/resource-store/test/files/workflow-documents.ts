import { parseWorkflow, type JsonMap, type Workflow } from '@gateway/crd-schemas';
import type { StoreState } from '../../src/index.ts';
import type { InvalidWorkflow, ValidWorkflow } from '../../src/port/resources.ts';

/** Returns the file of a workflow with one step. */
export const toWorkflowFile = (name: string, tool = 'x_s_run'): string =>
  `apiVersion: gateway.internal/v1alpha1
kind: Workflow
metadata:
  name: ${name}
spec:
  description: Runs it.
  steps:
    - id: one
      tool: ${tool}
`;

/** A workflow as the gateway holds it. */
export const workflow = (name: string, spec: JsonMap = {}, metadata: JsonMap = {}): Workflow => {
  const parsed = parseWorkflow({
    apiVersion: 'gateway.internal/v1alpha1',
    kind: 'Workflow',
    metadata: { ...metadata, name },
    spec: { description: 'Runs it.', steps: [{ id: 'one', tool: 'x_s_run' }], ...spec },
  });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.error));
  return parsed.value.workflow;
};

/** The same under a name that no file could have given it. */
export const named = (name: string): Workflow => {
  const { metadata, ...rest } = workflow('a');
  return { ...rest, metadata: { ...metadata, name } };
};

const resourceOf = (state: StoreState, name: string): StoreState['workflows'][number] => {
  const resource = state.workflows.find((candidate) => candidate.name === name);
  if (resource === undefined) throw new Error(`there is no workflow ${name}`);
  return resource;
};

/** One that can be used. */
export const validOf = (state: StoreState, name: string): ValidWorkflow => {
  const resource = resourceOf(state, name);
  if (!resource.valid) throw new Error(resource.status.validationErrors.join('\n'));
  return resource;
};

/** One that cannot be used. */
export const invalidOf = (state: StoreState, name: string): InvalidWorkflow => {
  const resource = resourceOf(state, name);
  if (resource.valid) throw new Error(`workflow ${name} is valid`);
  return resource;
};
