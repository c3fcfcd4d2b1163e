import { defineRequirements } from '@gateway/repo-checks';
import { expect, it } from 'vitest';
import { requirements } from '../../spec.requirements.ts';
import { parseWorkflowDefinition } from '../../src/index.ts';
import { call, refusalOf, withCondition, withLoop, withSpec, withSteps } from './workflows.ts';

const requirement = defineRequirements(requirements);
const forEach = { items: '{{ .input.names }}', steps: [call({ id: 'sub' })] };
const parallel = [call({ id: 'sub' })];
const describeExpectation = { expect: { success: true } };

const exactlyOne = (): void => {
  it('refuses a step with none', () => {
    expect(refusalOf(withSteps({ id: 'a' }))).toEqual([
      'spec.steps[0]: one of tool, forEach, or parallel is required',
    ]);
  });
  it('refuses a step with two, and with all three', () => {
    expect(refusalOf(withSteps({ id: 'a', tool: 't', forEach }))).toEqual([
      'spec.steps[0].tool: tool is mutually exclusive with forEach/parallel',
    ]);
    expect(refusalOf(withSteps({ id: 'a', tool: 't', parallel }))).toEqual([
      'spec.steps[0].tool: tool is mutually exclusive with forEach/parallel',
    ]);
    expect(refusalOf(withSteps({ id: 'a', forEach, parallel: [call({ id: 'other' })] }))).toEqual([
      'spec.steps[0].forEach: forEach and parallel are mutually exclusive',
    ]);
    expect(
      refusalOf(withSteps({ id: 'a', tool: 't', forEach, parallel: [call({ id: 'other' })] })),
    ).toEqual([
      'spec.steps[0].tool: tool is mutually exclusive with forEach/parallel',
      'spec.steps[0].forEach: forEach and parallel are mutually exclusive',
    ]);
  });
  it('accepts a step with one, whichever', () => {
    for (const one of [{ tool: 't' }, { forEach }, { parallel }]) {
      expect(refusalOf(withSteps({ id: 'a', ...one }))).toEqual([]);
    }
  });
};
requirement('2.7/step-exactly-one', exactlyOne);
requirement('7.6/workflow-step-exactly-one', exactlyOne);

requirement('2.7/condition-one-source', () => {
  it('refuses a condition with none', () => {
    for (const condition of [{}, describeExpectation]) {
      expect(refusalOf(withCondition(condition))).toEqual([
        'spec.steps[0].condition: condition requires exactly one of template, tool, or fromStep',
      ]);
    }
  });
  it('refuses a template beside another', () => {
    for (const other of [{ tool: 't' }, { fromStep: 'a' }]) {
      expect(refusalOf(withCondition({ template: 'true', ...other }))).toEqual([
        'spec.steps[0].condition.template: condition.template is mutually exclusive with tool/fromStep',
      ]);
    }
  });
  it('refuses tool beside fromStep', () => {
    expect(refusalOf(withCondition({ tool: 't', fromStep: 'a', ...describeExpectation }))).toEqual([
      'spec.steps[0].condition.fromStep: condition: tool and fromStep are mutually exclusive (set exactly one of template, tool, or fromStep)',
    ]);
  });
  it('accepts each alone', () => {
    for (const one of [
      { template: 'true' },
      { tool: 't', ...describeExpectation },
      { fromStep: 'a', ...describeExpectation },
    ]) {
      expect(refusalOf(withCondition(one))).toEqual([]);
    }
  });
});

const needsExpectation = (): void => {
  it.each([{ tool: 't' }, { fromStep: 'a' }, { tool: 't', args: {} }])(
    'refuses %j without',
    (condition) => {
      expect(refusalOf(withCondition(condition))).toEqual([
        'spec.steps[0].condition: a tool or fromStep condition requires expect or expectNot',
      ]);
    },
  );
  it.each([
    { expect: { success: true } },
    { expectNot: { success: true } },
    { expect: { success: true }, expectNot: { jsonPath: { a: 1 } } },
  ])('accepts %j', (expectations) => {
    expect(refusalOf(withCondition({ tool: 't', ...expectations }))).toEqual([]);
    expect(refusalOf(withCondition({ fromStep: 'a', ...expectations }))).toEqual([]);
  });
  it('asks none of a template, and ignores one that is there', () => {
    expect(refusalOf(withCondition({ template: 'true' }))).toEqual([]);
    expect(refusalOf(withCondition({ template: 'true', expect: {} }))).toEqual([]);
  });
};
requirement('2.7/condition-needs-expectation', needsExpectation);
requirement('7.6/workflow-condition-expectation', needsExpectation);

requirement('2.7/condition-enforced', () => {
  const wrong = { id: 'sub', tool: 't', condition: { tool: 'check' } };
  const none = { id: 'sub', tool: 't', condition: {} };
  it('at apply time, wherever a condition stands', () => {
    const message = 'a tool or fromStep condition requires expect or expectNot';
    expect(refusalOf(withSteps(wrong))).toEqual([`spec.steps[0].condition: ${message}`]);
    expect(refusalOf(withLoop([wrong]))).toEqual([
      `spec.steps[0].forEach.steps[0].condition: ${message}`,
    ]);
    expect(refusalOf(withSteps({ id: 'p', parallel: [wrong] }))).toEqual([
      `spec.steps[0].parallel[0].condition: ${message}`,
    ]);
    expect(refusalOf(withSpec({ onFailure: [wrong, { ...none, id: 'b' }] }))).toEqual([
      `spec.onFailure[0].condition: ${message}`,
      'spec.onFailure[1].condition: condition requires exactly one of template, tool, or fromStep',
    ]);
  });
  it('on the structured authoring path', () => {
    expect(parseWorkflowDefinition({ name: 'w', steps: [wrong] })).toEqual({
      ok: false,
      error: ['steps: step 0 (sub): a tool or fromStep condition requires expect or expectNot'],
    });
    expect(parseWorkflowDefinition({ name: 'w', steps: [none] })).toEqual({
      ok: false,
      error: ['steps: step 0 (sub): condition requires exactly one of template, tool, or fromStep'],
    });
  });
  it('lets what keeps both rules pass, on both ways', () => {
    const right = { ...wrong, condition: { tool: 'check', expect: { success: true } } };
    expect(refusalOf(withLoop([right]))).toEqual([]);
    expect(parseWorkflowDefinition({ name: 'w', steps: [right] })).toMatchObject({ ok: true });
  });
});
