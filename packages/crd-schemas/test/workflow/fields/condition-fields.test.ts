import { defineRequirements } from '@gateway/repo-checks';
import { expect, it } from 'vitest';
import { requirements } from '../../../spec.requirements.ts';
import { asWritten } from '../as-written.ts';
import { refusalOf, withCondition, workflowOf } from '../workflows.ts';

const requirement = defineRequirements(requirements);
const toCondition = (condition: unknown) =>
  asWritten(workflowOf(withCondition(condition)).spec.steps[0]?.condition);

requirement('2.7/condition-fields', () => {
  it('keeps a template', () => {
    expect(toCondition({ template: '{{ eq .input.env "prod" }}' })).toEqual({
      source: 'template',
      template: '{{ eq .input.env "prod" }}',
    });
  });
  it('keeps a tool with its arguments and expectations', () => {
    expect(
      toCondition({
        tool: 'x_k8s_get',
        args: { name: '{{ .input.name }}' },
        expect: { success: true },
        expectNot: { jsonPath: { 'status.phase': 'Failed' } },
      }),
    ).toEqual({
      source: 'tool',
      tool: 'x_k8s_get',
      args: { name: '{{ .input.name }}' },
      expect: { success: true },
      expectNot: { jsonPath: { 'status.phase': 'Failed' } },
    });
  });
  it('keeps the id of a step', () => {
    expect(toCondition({ fromStep: 'get-pod', expect: { success: false } })).toEqual({
      source: 'fromStep',
      fromStep: 'get-pod',
      expect: { success: false },
    });
  });
  it('refuses values of other types, each by its name', () => {
    expect(
      refusalOf(
        withCondition({ tool: 1, args: [], fromStep: '', expect: true, expectNot: [] }),
      ).slice(0, 5),
    ).toEqual([
      'spec.steps[0].condition.tool: must be a string, not a number',
      'spec.steps[0].condition.args: must be a mapping, not a list',
      'spec.steps[0].condition.fromStep: must not be empty',
      'spec.steps[0].condition.expect: must be a mapping, not a boolean',
      'spec.steps[0].condition.expectNot: must be a mapping, not a list',
    ]);
  });
});

requirement('2.7/expectation-fields', () => {
  it('may have success, jsonPath, or both', () => {
    for (const expectation of [
      { success: false },
      { jsonPath: { 'items[0].name': 'a' } },
      { success: true, jsonPath: { ready: true, count: 3, list: [1], none: null } },
    ]) {
      expect(toCondition({ tool: 't', expect: expectation })).toMatchObject({
        expect: expectation,
      });
    }
  });
  it('may not have neither', () => {
    for (const expectation of [{}, { jsonPath: {} }]) {
      expect(refusalOf(withCondition({ tool: 't', expect: expectation }))).toEqual([
        'spec.steps[0].condition.expect: either success or jsonPath must be provided',
      ]);
      expect(refusalOf(withCondition({ fromStep: 'a', expectNot: expectation }))).toEqual([
        'spec.steps[0].condition.expectNot: either success or jsonPath must be provided',
      ]);
    }
  });
  it('has a boolean and a mapping', () => {
    expect(
      refusalOf(withCondition({ tool: 't', expect: { success: 'true', jsonPath: ['a'] } })),
    ).toEqual([
      'spec.steps[0].condition.expect.success: must be a boolean, not a string',
      'spec.steps[0].condition.expect.jsonPath: must be a mapping, not a list',
    ]);
  });
  it('has at most 128 paths', () => {
    const jsonPath = (count: number): unknown =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${String(index)}`, 1]));
    expect(refusalOf(withCondition({ tool: 't', expect: { jsonPath: jsonPath(128) } }))).toEqual(
      [],
    );
    expect(refusalOf(withCondition({ tool: 't', expect: { jsonPath: jsonPath(129) } }))).toEqual([
      'spec.steps[0].condition.expect.jsonPath: must have at most 128 entries',
    ]);
  });
});
