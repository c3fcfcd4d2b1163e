import { describe, expect, it } from 'vitest';
import { listReferencedTools, listRequiredTools } from '../../src/index.ts';
import { call, withSpec, withSteps, workflowOf } from './workflows.ts';

const check = (tool: string) => ({ tool, expect: { success: true } });
const workflow = workflowOf(
  withSpec({
    steps: [
      call({ id: 'a', tool: 'zeta', condition: check('check-a') }),
      {
        id: 'b',
        condition: check('check-b'),
        forEach: {
          items: '{{ .input.x }}',
          steps: [call({ id: 'c', tool: 'loop', condition: check('check-c') })],
        },
      },
      {
        id: 'd',
        parallel: [call({ id: 'e', tool: 'workflow_other' }), call({ id: 'f', tool: 'zeta' })],
      },
      call({
        id: 'g',
        tool: 'core_workflow_list',
        condition: { fromStep: 'a', expectNot: { success: true } },
      }),
    ],
    onFailure: [call({ id: 'h', tool: 'undo', condition: check('check-h') })],
  }),
);

describe('the tools of a workflow', () => {
  it('are those of steps, conditions, sub-steps and handlers, sorted, each once', () => {
    expect(listReferencedTools(workflow).join(' ')).toBe(
      'check-a check-b check-c check-h core_workflow_list loop undo workflow_other zeta',
    );
  });
  it('are required, but for those of conditions', () => {
    expect(listRequiredTools(workflow).join(' ')).toBe(
      'core_workflow_list loop undo workflow_other zeta',
    );
  });
  it('are not those that stand in arguments', () => {
    expect(listReferencedTools(workflowOf(withSteps(call({ args: { tool: 'other' } }))))).toEqual([
      'x_k8s_list',
    ]);
  });
});
