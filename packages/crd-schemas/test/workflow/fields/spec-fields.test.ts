import { defineRequirements } from '@gateway/repo-checks';
import { describe, expect, it } from 'vitest';
import { requirements } from '../../../spec.requirements.ts';
import { isArgumentValue, type ArgumentType } from '../../../src/index.ts';
import { ARGUMENT_TYPES } from '../../../src/workflow/workflow.ts';
import { pickFields } from '../../parsed-fields.ts';
import { asWritten } from '../as-written.ts';
import {
  call,
  refusalOf,
  withCondition,
  withLoop,
  withSpec,
  withSteps,
  workflowOf,
} from '../workflows.ts';

const requirement = defineRequirements(requirements);
const subStep = { id: 'sub', tool: 'x_k8s_get' };
const parsedSubStep = { kind: 'tool', ...subStep, args: {}, allowFailure: false };
const stepOf = (document: unknown) => workflowOf(document).spec.steps[0];
const keyed = (count: number, value: unknown): unknown =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${String(index)}`, value]));

type Fields = Readonly<Record<string, unknown>>;

/** Documents and fields of the step that the parser makes of their first step. */
const parsesEach =
  (cases: readonly (readonly [document: unknown, fields: Fields])[]) => (): void => {
    it.each(cases)('parses %j to %j', (document, fields) => {
      expect(pickFields(asWritten(stepOf(document)), Object.keys(fields))).toEqual(fields);
    });
  };

const ids = (): void => {
  it.each(['a', '0', '_', '-', 'get-pods_2', 'A'.repeat(63)])('accepts %s', (id) => {
    expect(stepOf(withSteps(call({ id })))?.id).toBe(id);
  });
};
requirement('8/workflow-step-id', ids);
requirement('2.7/step-id', ids);

requirement('2.7/step-tool', () => {
  it('is kept as it is', () => {
    expect(asWritten(stepOf(withSteps(call({ tool: 'workflow_other' }))))).toEqual({
      ...parsedSubStep,
      id: 'a',
      tool: 'workflow_other',
    });
  });
  it('has at most 512 characters', () => {
    expect(refusalOf(withSteps(call({ tool: 't'.repeat(513) })))).toEqual([
      'spec.steps[0].tool: must be at most 512 characters',
    ]);
  });
});

requirement('2.7/step-args', () => {
  const args = { s: 'a', n: 1.5, b: false, none: null, list: [1, [2]], map: { a: { b: {} } } };
  parsesEach([[withSteps(call({ args })), { args }]])();
  it('takes __proto__ for a key like any other, at any depth', () => {
    const hostile = JSON.parse('{"__proto__":1,"a":{"__proto__":{"b":2}}}') as unknown;
    const step = stepOf(withSteps(call({ args: hostile })));
    expect(JSON.stringify(step?.kind === 'tool' && step.args.source)).toBe(JSON.stringify(hostile));
  });
  it('may not hold what JSON cannot say', () => {
    const wrong = { a: [undefined], b: 1n, c: { d: Infinity }, e: new Date(0), f: () => 1 };
    expect(refusalOf(withSteps(call({ args: wrong })))).toEqual([
      'spec.steps[0].args.a[0]: must be a value of JSON, not nothing',
      'spec.steps[0].args.b: must be a value of JSON, not a number',
      'spec.steps[0].args.c.d: must be a finite number',
      'spec.steps[0].args.e: must be a value of JSON',
      'spec.steps[0].args.f: must be a value of JSON, not a function',
    ]);
  });
});

const template = { source: 'template', template: 'true' };
requirement(
  '2.7/step-condition-field',
  parsesEach([[withCondition({ template: 'true' }), { condition: template }]]),
);

const loop = (as: string) => ({ items: '{{ .input.names }}', as, steps: [parsedSubStep] });
const composite = { kind: 'forEach', id: 'loop', allowFailure: false };
requirement('2.7/step-for-each-field', () => {
  it('is a loop over sub-steps', () => {
    expect(asWritten(stepOf(withLoop([subStep])))).toEqual({ ...composite, forEach: loop('item') });
  });
});
requirement(
  '2.7/for-each-as-field',
  parsesEach([
    [withLoop([subStep]), { forEach: loop('item') }],
    [withLoop([subStep], { as: 'pod_name' }), { forEach: loop('pod_name') }],
  ]),
);
requirement('2.7/step-parallel-field', () => {
  it('is a list of sub-steps', () => {
    expect(asWritten(stepOf(withSteps({ id: 'group', parallel: [subStep] })))).toEqual({
      kind: 'parallel',
      id: 'group',
      allowFailure: false,
      parallel: [parsedSubStep],
    });
  });
});

const flag = (name: 'output' | 'store') =>
  parsesEach([
    [withSteps(call({ [name]: true })), { [name]: true }],
    [withSteps(call({ [name]: false })), { [name]: false }],
    [withSteps(call()), { [name]: 'absent' }],
  ]);
requirement('2.7/step-output-field', flag('output'));
requirement('2.7/step-store-field', flag('store'));
requirement(
  '2.7/step-allow-failure-field',
  parsesEach([
    [withSteps(call()), { allowFailure: false }],
    [withSteps(call({ allowFailure: true })), { allowFailure: true }],
  ]),
);

const longest = 'a'.repeat(500);
const stepDescriptions = (): void => {
  parsesEach([
    [withSteps(call({ description: longest })), { description: longest }],
    [
      withLoop([{ ...subStep, description: longest }]),
      { forEach: { ...loop('item'), steps: [{ ...parsedSubStep, description: longest }] } },
    ],
  ])();
  const sub = { ...subStep, description: 'a'.repeat(501) };
  it.each([
    ['steps[0]', withSteps(sub)],
    ['steps[0].forEach.steps[0]', withLoop([sub])],
    ['steps[0].parallel[0]', withSteps({ id: 'b', parallel: [sub] })],
    ['onFailure[0]', withSpec({ onFailure: [sub] })],
  ])('refuses 501 characters in %s', (path, document) => {
    expect(refusalOf(document)).toEqual([
      `spec.${path}.description: must be at most 500 characters`,
    ]);
  });
};
const argumentDescriptions = (): void => {
  const withDescription = (count: number): unknown =>
    withSpec({ args: { a: { type: 'string', description: 'ü'.repeat(count) } } });
  it('has at most 500 characters', () => {
    const { args } = workflowOf(withDescription(500)).spec;
    expect(args['a']?.description).toBe('ü'.repeat(500));
    expect(refusalOf(withDescription(501))).toEqual([
      'spec.args.a.description: must be at most 500 characters',
    ]);
  });
};
requirement('2.7/step-description', stepDescriptions);
requirement('2.7/argument-description', argumentDescriptions);
requirement('8/workflow-part-descriptions', () => {
  stepDescriptions();
  argumentDescriptions();
});

requirement('2.7/sub-step-optional', () => {
  const expectation = { fromStep: 'loop', expect: { success: true } };
  const full = {
    id: 'sub',
    tool: 'x_k8s_get',
    args: { name: '{{ .input.name }}' },
    condition: expectation,
    output: true,
    store: false,
    allowFailure: true,
    description: 'Looks.',
  };
  const parsed = { ...full, kind: 'tool', condition: { source: 'fromStep', ...expectation } };
  it('are the optional fields of a step', () => {
    const [step] = workflowOf(withLoop([full])).spec.steps;
    expect(step?.kind === 'forEach' && asWritten(step.forEach.steps)).toEqual([parsed]);
    expect(asWritten(workflowOf(withSpec({ onFailure: [full] })).spec.onFailure)).toEqual([parsed]);
    expect(asWritten(stepOf(withSteps(full)))).toEqual(parsed);
  });
});

requirement(
  '2.7/condition-fields',
  parsesEach(
    [
      { template: '{{ eq .input.env "prod" }}' },
      {
        tool: 'x_k8s_get',
        args: { name: '{{ .input.name }}' },
        expect: { success: true },
        expectNot: { jsonPath: { 'status.phase': 'Failed' } },
      },
      { fromStep: 'get-pod', expect: { success: false } },
    ].map((condition) => [
      withCondition(condition),
      { condition: { source: Object.keys(condition)[0], ...condition } },
    ]),
  ),
);

requirement('2.7/expectation-fields', () => {
  const condition = (expectation: unknown) => ({ tool: 't', expect: expectation });
  parsesEach(
    [
      { success: false },
      { jsonPath: { 'items[0].name': 'a' } },
      { success: true, jsonPath: { ready: true, count: 3, list: [1], none: null } },
    ].map((expectation) => [
      withCondition(condition(expectation)),
      { condition: { source: 'tool', args: {}, ...condition(expectation) } },
    ]),
  )();
  it('has at most 128 paths', () => {
    expect(refusalOf(withCondition(condition({ jsonPath: keyed(128, 1) })))).toEqual([]);
    expect(refusalOf(withCondition(condition({ jsonPath: keyed(129, 1) })))).toEqual([
      'spec.steps[0].condition.expect.jsonPath: must have at most 128 entries',
    ]);
  });
});

const argumentOf = (definition: unknown) =>
  workflowOf(withSpec({ args: { a: definition } })).spec.args['a'];

requirement('2.7/args', () => {
  it('keeps the definitions by name, in the order of the document', () => {
    const args = { name: { type: 'string' }, 'dry-run': { type: 'boolean' } };
    expect(Object.entries(workflowOf(withSpec({ args })).spec.args)).toEqual([
      ['name', { type: 'string', required: false }],
      ['dry-run', { type: 'boolean', required: false }],
    ]);
  });
  it('takes __proto__ and constructor for names like any other', () => {
    const args: unknown = JSON.parse(
      '{"__proto__":{"type":"string"},"constructor":{"type":"array"}}',
    );
    const parsed = workflowOf(withSpec({ args })).spec.args;
    expect(Object.keys(parsed)).toEqual(['__proto__', 'constructor']);
    expect(Object.getPrototypeOf(parsed)).toBe(null);
    expect(parsed['toString']).toBe(undefined);
  });
  it('has at most 256 entries', () => {
    expect(refusalOf(withSpec({ args: keyed(256, { type: 'string' }) }))).toEqual([]);
    expect(refusalOf(withSpec({ args: keyed(257, { type: 'string' }) }))).toEqual([
      'spec.args: must have at most 256 entries',
    ]);
  });
});

requirement('2.7/argument-type', () => {
  it.each(['string', 'integer', 'boolean', 'number', 'object', 'array'])('accepts %s', (type) => {
    expect(argumentOf({ type })).toEqual({ type, required: false });
  });
});

requirement('2.7/argument-required-field', () => {
  it('is kept', () => {
    expect(argumentOf({ type: 'string', required: true })?.required).toBe(true);
  });
});

requirement('2.7/argument-default-field', () => {
  it.each([
    ['string', ''],
    ['string', '{{ not a template here'],
    ['integer', 3],
    ['integer', -0],
    ['boolean', false],
    ['number', 1.5],
    ['number', 2],
    ['object', {}],
    ['object', { a: [null] }],
    ['array', []],
    ['array', [1, 'a', null]],
  ])('of the type %s may be %j', (type, value) => {
    expect(argumentOf({ type, default: value })?.default).toEqual(value);
  });
  it('may not be what JSON cannot say', () => {
    expect(refusalOf(withSpec({ args: { a: { type: 'number', default: NaN } } }))).toEqual([
      'spec.args.a.default: must be a finite number',
    ]);
  });
});

describe('whether a value is of a type', () => {
  const values = ['a', 3, 1.5, true, {}, [], null];
  const fitting: Readonly<Record<ArgumentType, readonly unknown[]>> = {
    string: ['a'],
    integer: [3],
    boolean: [true],
    number: [3, 1.5],
    object: [{}],
    array: [[]],
  };
  it.each(ARGUMENT_TYPES)('is strict for %s', (type) => {
    expect(values.filter((value) => isArgumentValue(type, value))).toEqual(fitting[type]);
  });
});
