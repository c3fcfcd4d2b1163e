import { defineRequirements } from '@gateway/repo-checks';
import * as fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { requirements } from '../../../spec.requirements.ts';
import {
  parseWorkflowDefinition,
  type DefinitionOptions,
  type Workflow,
  toWorkflowDocument,
} from '../../../src/index.ts';
import { asWritten } from '../as-written.ts';
import { call } from '../workflows.ts';

const requirement = defineRequirements(requirements);

const definition = (fields: Readonly<Record<string, unknown>> = {}): unknown => ({
  name: 'sync',
  steps: [call()],
  ...fields,
});
const withSteps = (...steps: readonly unknown[]): unknown => definition({ steps });

const workflowOf = (given: unknown, options?: DefinitionOptions): Workflow => {
  const parsed = parseWorkflowDefinition(given, options);
  expect(parsed.ok ? [] : parsed.error).toEqual([]);
  if (!parsed.ok) throw new Error('unreachable');
  return parsed.value.workflow;
};

const problemsOf = (given: unknown): readonly string[] => {
  const parsed = parseWorkflowDefinition(given);
  return parsed.ok ? [] : parsed.error;
};

describe('a definition', () => {
  it('gives the workflow of the document', () => {
    const given = definition({
      description: 'Copies.',
      args: { name: { type: 'string', required: true } },
      onFailure: [call({ id: 'undo' })],
      output: { name: '{{ .input.name }}' },
    });
    expect(toWorkflowDocument(workflowOf(given))).toEqual({
      apiVersion: 'gateway.internal/v1alpha1',
      kind: 'Workflow',
      metadata: { name: 'sync' },
      spec: {
        description: 'Copies.',
        args: { name: { type: 'string', required: true } },
        steps: [{ id: 'a', tool: 'x_k8s_list' }],
        onFailure: [{ id: 'undo', tool: 'x_k8s_list' }],
        output: { name: '{{ .input.name }}' },
      },
    });
  });
  it('gets labels and group from outside', () => {
    const options = { labels: { team: 'a' }, apiGroup: 'example.com' };
    expect(workflowOf(definition(), options)).toMatchObject({
      apiVersion: 'example.com/v1alpha1',
      metadata: { name: 'sync', namespace: 'default', labels: { team: 'a' } },
    });
  });
  it('takes null for a field that is left out', () => {
    const fields = { description: null, args: null, onFailure: null, output: null };
    expect(workflowOf(definition(fields))).toEqual(workflowOf(definition()));
  });
  it('gives the warnings of the document', () => {
    expect(parseWorkflowDefinition(withSteps(call({ store: true })))).toMatchObject({
      ok: true,
      value: { warnings: [{ kind: 'deprecated-store', steps: ['a'] }] },
    });
  });
});

describe('older spellings', () => {
  const expectations = (json: string) => ({ [json]: { 'a.b': 1 } });
  const spelled = (camel: boolean): unknown => {
    const name = (older: string, canonical: string): string => (camel ? canonical : older);
    const condition = {
      [name('from_step', 'fromStep')]: 'first',
      expect: expectations(name('json_path', 'jsonPath')),
      [name('expect_not', 'expectNot')]: expectations(name('json_path', 'jsonPath')),
    };
    const sub = (id: string) => ({
      id,
      tool: 't',
      condition,
      [name('allow_failure', 'allowFailure')]: true,
    });
    return definition({
      steps: [
        call({ id: 'first' }),
        {
          id: 'loop',
          [name('for_each', 'forEach')]: { items: '{{ .input.x }}', steps: [sub('a')] },
        },
        { id: 'group', parallel: [sub('b')], condition },
      ],
      [name('on_failure', 'onFailure')]: [sub('c')],
    });
  };
  it('mean what the canonical ones mean, wherever they stand', () => {
    expect(workflowOf(spelled(false))).toEqual(workflowOf(spelled(true)));
    const expectation = { jsonPath: { 'a.b': 1 } };
    const expectations = { expect: expectation, expectNot: expectation };
    const condition = { source: 'fromStep', fromStep: 'first', ...expectations };
    expect(asWritten(workflowOf(spelled(false)).spec.onFailure)).toEqual([
      { kind: 'tool', id: 'c', tool: 't', args: {}, allowFailure: true, condition },
    ]);
  });
  it('leave alone what users put into arguments, outputs and paths', () => {
    const values = { allow_failure: 1, from_step: { json_path: 2 } };
    const condition = { tool: 't', args: values, expect: { jsonPath: values } };
    const args = { on_failure: { type: 'object', default: values } };
    const given = definition({ args, steps: [call({ args: values, condition })], output: values });
    expect(asWritten(workflowOf(given).spec)).toMatchObject({
      args: { on_failure: { default: values } },
      steps: [{ args: values, condition: { args: values, expect: { jsonPath: values } } }],
      output: values,
    });
  });
  it('are refused beside the canonical ones', () => {
    const condition = { fromStep: 'b', from_step: 'c', expect: { success: true } };
    expect(
      problemsOf(withSteps(call({ allowFailure: false, allow_failure: true, condition }))),
    ).toEqual([
      'steps: step 0 (a): allowFailure: set allowFailure or allow_failure, not both',
      'steps: step 0 (a): condition.fromStep: set fromStep or from_step, not both',
    ]);
  });
  it('are unknown where they were never known', () => {
    expect(problemsOf(withSteps(call({ from_step: 'b' })))).toEqual([
      'steps: step 0 (a): from_step: unknown field',
    ]);
  });
});

/** Lines of a definition in YAML, ` => ` and its problems. */
const readProblems = (): readonly (readonly [given: string, problems: string])[] =>
  readFileSync(new URL('definition-problems.txt', import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => line.split(' => ') as [string, string]);

describe('problems of a definition', () => {
  it.each(readProblems())('%s => %s', (given, problems) => {
    expect(problemsOf(parse(given))).toEqual(problems.split(' & '));
  });
  it('are told all at once', () => {
    expect(problemsOf({ steps: [{}, { id: 'b' }], args: { a: { type: 'x' } } })).toEqual([
      'workflow name is required',
      'args: argument a: type: must be one of string, integer, boolean, number, object, array',
      'steps: step 0: step ID cannot be empty',
      'steps: step 0: one of tool, forEach, or parallel is required',
      'steps: step 1 (b): one of tool, forEach, or parallel is required',
    ]);
  });
  it('take __proto__ and constructor for unknown fields like any other', () => {
    const given = JSON.parse(
      '{"name":"w","__proto__":{"steps":[]},"steps":[{"id":"a","tool":"t","__proto__":{},"constructor":1}]}',
    ) as unknown;
    expect(problemsOf(given)).toEqual([
      'steps: step 0 (a): __proto__: unknown field',
      'steps: step 0 (a): constructor: unknown field',
      '__proto__: unknown field',
    ]);
  });
  it('never show what is too long to be shown', () => {
    const huge = 'a'.repeat(1_000_000);
    const given = { name: huge, steps: [{ id: huge, tool: huge }], args: { [huge]: {} } };
    expect(problemsOf(given).every((line) => line.length < 300)).toBe(true);
  });
});

requirement('2.7/condition-enforced', () => {
  it('also on the structured authoring path', () => {
    const withCondition = (condition: unknown) => withSteps(call({ condition }));
    expect(problemsOf(withCondition({ tool: 'check' }))).toEqual([
      'steps: step 0 (a): a tool or fromStep condition requires expect or expectNot',
    ]);
    expect(problemsOf(withCondition({ tool: 'check', expect: { success: true } }))).toEqual([]);
  });
});

it('names the steps whose templates cannot be parsed', () => {
  const BROKEN = 'Hello\n  {{ .input.name | shout }}';
  const AT = 'template line 2, column 20: function "shout" not defined';
  const body = [call({ args: { a: BROKEN } })];
  expect(problemsOf(withSteps({ id: 'l', for_each: { items: BROKEN, steps: body } }))).toEqual([
    `steps: step l: forEach.items: ${AT}`,
    `steps: step l forEach sub-step a: args.a: ${AT}`,
  ]);
});

it('refuses a length that cannot be compared', () => {
  const steps: unknown = JSON.parse('{"length":{"toString":1,"valueOf":1}}');
  expect(parseWorkflowDefinition(definition({ steps }))).toMatchObject({ ok: false });
});

it('answers for any definition', () => {
  fc.assert(
    fc.property(fc.anything({ withNullPrototype: true, withBigInt: true }), (value) => {
      for (const given of [value, definition({ steps: value, args: value }), withSteps(value)]) {
        const parsed = parseWorkflowDefinition(given);
        expect(parsed.ok || parsed.error.length > 0).toBe(true);
      }
    }),
    { numRuns: 60 },
  );
});

it('does not change what it is given', () => {
  const given = Object.freeze({
    name: 'w',
    steps: Object.freeze([Object.freeze(call({ allow_failure: true }))]),
  });
  expect(workflowOf(given).spec.steps[0]?.allowFailure).toBe(true);
});

describe('what is much too large', () => {
  const many: readonly unknown[] = Array.from({ length: 1_000_000 }, () => ({}));
  it.each([
    ['steps', { steps: many }],
    ['sub-steps', { steps: [{ id: 'a', for_each: { steps: many } }] }],
    ['handlers', { on_failure: many }],
  ])('is refused by the number of its %s', (_title, fields) => {
    expect(problemsOf(definition(fields))).toEqual([
      'workflow must have at most 5000 steps, sub-steps and handlers',
    ]);
  });
  it('reports 20 unknown fields', () => {
    const unknown = Object.fromEntries(
      Array.from({ length: 1000 }, (_, index) => [`k${String(index)}`, 1]),
    );
    const problems = problemsOf({ ...unknown, ...(definition({ steps: [] }) as object) });
    expect(problems).toHaveLength(20);
    expect(problems[0]).toBe('k0: unknown field');
  });
});

it('answers for a definition that nests its groups without end', () => {
  let steps: unknown = [];
  for (let depth = 0; depth < 100_000; depth += 1) steps = [{ parallel: steps }];
  expect(problemsOf(definition({ steps, onFailure: steps }))).toContain(
    'steps: step 0: step ID cannot be empty',
  );
});
