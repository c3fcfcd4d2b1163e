import { defineRequirements } from '@gateway/repo-checks';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { requirements } from '../../../spec.requirements.ts';
import {
  listReferencedTools,
  mergeWorkflowStatus,
  computeWorkflowStatus,
} from '../../../src/index.ts';
import { call, withSpec, withSteps, workflowOf } from '../workflows.ts';

const requirement = defineRequirements(requirements);
const NOON = Date.UTC(2026, 10, 21, 12);
const valid = withSteps(call(), { id: 'p', parallel: [call({ id: 'b', tool: 'x_a' })] });

requirement('2.7/status', () => {
  it('of a valid document', () => {
    expect(computeWorkflowStatus({ document: valid, errors: [], at: NOON })).toEqual({
      valid: true,
      validationErrors: [],
      referencedTools: ['x_a', 'x_k8s_list'],
      stepCount: 2,
      conditions: [
        {
          type: 'Valid',
          status: 'True',
          reason: 'ValidationSucceeded',
          message: 'The workflow is valid.',
          lastTransitionTime: '2026-11-21T12:00:00.000Z',
        },
      ],
    });
  });
  it('of a wrong document tells what can be seen', () => {
    const document = withSpec({
      steps: [call({ id: '' }), { tool: 7 }, null, { condition: { tool: 'x_check' } }],
      onFailure: 'none',
    });
    expect(
      computeWorkflowStatus({ document, errors: ['first', 'second', 'third'], at: NOON }),
    ).toEqual({
      valid: false,
      validationErrors: ['first', 'second', 'third'],
      referencedTools: ['x_check', 'x_k8s_list'],
      stepCount: 4,
      conditions: [
        {
          type: 'Valid',
          status: 'False',
          reason: 'ValidationFailed',
          message: 'first (and 2 more)',
          lastTransitionTime: '2026-11-21T12:00:00.000Z',
        },
      ],
    });
  });
  it('of what is no document at all has its errors', () => {
    expect(
      computeWorkflowStatus({ document: undefined, errors: ['no YAML'], at: NOON }),
    ).toMatchObject({
      valid: false,
      validationErrors: ['no YAML'],
      referencedTools: [],
      stepCount: 0,
      conditions: [{ message: 'no YAML' }],
    });
  });
});

requirement('2.7/status-referenced-tools', () => {
  it('names what the workflow names, whether it is there or not', () => {
    const { referencedTools, valid: isValid } = computeWorkflowStatus({
      document: withSteps(call({ tool: 'x_nowhere_nothing' })),
      errors: [],
      at: NOON,
    });
    expect(referencedTools).toEqual(['x_nowhere_nothing']);
    expect(isValid).toBe(true);
  });
  it('does not name what stands in arguments', () => {
    const document = withSteps(call({ args: { tool: 'other' } }));
    expect(computeWorkflowStatus({ document, errors: [], at: NOON }).referencedTools).toEqual(
      listReferencedTools(workflowOf(document)),
    );
  });
});

describe('the time of a condition', () => {
  const first = computeWorkflowStatus({ document: valid, errors: [], at: NOON });
  it('stays while the condition stays', () => {
    const now = computeWorkflowStatus({ document: valid, errors: [], at: NOON + 5_000 });
    const later = mergeWorkflowStatus(first, now);
    expect(later.conditions[0]?.lastTransitionTime).toBe('2026-11-21T12:00:00.000Z');
  });
  it('is that of the change', () => {
    const now = computeWorkflowStatus({ document: valid, errors: ['x'], at: NOON + 5_000 });
    const later = mergeWorkflowStatus(first, now);
    expect(later.validationErrors).toEqual(['x']);
    expect(later.conditions[0]?.lastTransitionTime).toBe('2026-11-21T12:00:05.000Z');
  });
});

it('answers for any document', () => {
  fc.assert(
    fc.property(fc.anything({ withNullPrototype: true }), (value) => {
      for (const document of [value, withSteps(value), withSpec({ onFailure: [value] })]) {
        expect(computeWorkflowStatus({ document, errors: [], at: 0 }).valid).toBe(true);
      }
    }),
  );
});
