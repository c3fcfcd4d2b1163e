import { describe, expect, it } from 'vitest';
import {
  parseWorkflow,
  parseWorkflowList,
  toWorkflowState,
} from '../../src/pages/workflows/workflow-facts.ts';

const LIST = {
  workflows: [
    { name: 'apply', available: false, missing: ['x_gone'], description: 'Applies a plan' },
    { name: 'report', available: true, description: 'Writes a Report' },
    { name: 'torn', available: false, valid: false },
    { description: 'no name' },
    null,
  ],
};

describe('the list of workflows', () => {
  it('says of each whether it can run, and what it lacks', () => {
    const workflows = parseWorkflowList(LIST);
    expect(workflows.map((one) => [one.name, toWorkflowState(one), one.missing])).toEqual([
      ['apply', 'missing', ['x_gone']],
      ['report', 'available', []],
      ['torn', 'invalid', []],
    ]);
  });

  it('is empty for any other answer', () => {
    expect(parseWorkflowList({})).toEqual([]);
  });
});

describe('a workflow', () => {
  it('has steps, the steps after a failure, and its text', () => {
    const output = { all: '{{ .results.s }}' };
    const [steps, onFailure] = [[{ id: 's', tool: 'x_s' }], [{ id: 'f', tool: 'x_f' }]];
    const status = { valid: true, validationErrors: [] };
    const definition = { name: 'a', description: 'A', available: true, steps, onFailure, output };
    const workflow = parseWorkflow({ workflow: { ...definition, status }, yaml: 'kind: W\n' });
    const shown = {
      ...{ name: 'a', isAvailable: true, problems: [], output, yaml: 'kind: W\n' },
      definition: { name: 'a', description: 'A', steps, onFailure, output },
    };
    expect(workflow).toMatchObject(shown);
    expect([workflow.steps[0]?.id, workflow.handlers[0]?.id]).toEqual(['s', 'f']);
  });

  it('that is not valid has problems and its text', () => {
    const status = { valid: false, validationErrors: ['spec.steps: must not be empty'] };
    const workflow = parseWorkflow({ workflow: { name: 'a', status }, yaml: 'x' });
    expect(workflow).toEqual({
      ...{ name: 'a', description: '', isValid: false, isAvailable: false, missing: [] },
      ...{ problems: ['spec.steps: must not be empty'], steps: [], handlers: [], yaml: 'x' },
      definition: { name: 'a' },
    });
  });
});
