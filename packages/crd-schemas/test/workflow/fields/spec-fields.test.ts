import { defineRequirements } from '@gateway/repo-checks';
import { expect, it } from 'vitest';
import { requirements } from '../../../spec.requirements.ts';
import { asWritten } from '../as-written.ts';
import { call, refusalOf, withLoop, withSpec, withSteps, workflowOf } from '../workflows.ts';

const requirement = defineRequirements(requirements);
const subStep = { id: 'sub', tool: 'x_k8s_get' };
const stepOf = (document: unknown) => workflowOf(document).spec.steps[0];
const firstOf = (document: unknown) =>
  asWritten(stepOf(document)) as Readonly<Record<string, unknown>> | undefined;

const ids = (): void => {
  it.each(['a', '0', '_', '-', 'get-pods_2', 'A'.repeat(63)])('accepts %s', (id) => {
    expect(stepOf(withSteps(call({ id })))?.id).toBe(id);
  });
  it.each(['a b', 'a.b', 'ä', 'a/b', '{{ .input.x }}', 'a\n'])('refuses %j', (id) => {
    expect(refusalOf(withSteps(call({ id })))).toEqual([
      'spec.steps[0].id: must contain only letters, digits, "_" and "-"',
    ]);
  });
  it('refuses none, an empty one and one of 64 characters', () => {
    expect(refusalOf(withSteps({ tool: 't' }))).toEqual(['spec.steps[0].id: id is required']);
    expect(refusalOf(withSteps(call({ id: '' })))).toEqual(['spec.steps[0].id: must not be empty']);
    expect(refusalOf(withSteps(call({ id: 'a'.repeat(64) })))).toEqual([
      'spec.steps[0].id: must be at most 63 characters',
    ]);
  });
  it('refuses a sub-step with such an id', () => {
    expect(refusalOf(withLoop([{ ...subStep, id: 'a b' }]))).toEqual([
      'spec.steps[0].forEach.steps[0].id: must contain only letters, digits, "_" and "-"',
    ]);
  });
};
requirement('8/workflow-step-id', ids);
requirement('2.7/step-id', () => {
  ids();
  it('refuses an id that is taken, by a step, a sub-step or a handler', () => {
    const document = withSpec({
      steps: [
        call({ id: 'a' }),
        call({ id: 'a' }),
        { id: 'loop', forEach: { items: '{{ .input.x }}', steps: [call({ id: 'a' })] } },
        { id: 'group', parallel: [call({ id: 'loop' }), call({ id: 'fine' })] },
      ],
      onFailure: [call({ id: 'fine' })],
    });
    expect(refusalOf(document)).toEqual([
      "spec.steps[1].id: duplicate step ID 'a' found",
      "spec.steps[2].forEach.steps[0].id: duplicate step ID 'a' found",
      "spec.steps[3].parallel[0].id: duplicate step ID 'loop' found",
      "spec.onFailure[0].id: duplicate step ID 'fine' found",
    ]);
  });
  it('tells upper case from lower case', () => {
    expect(refusalOf(withSteps(call({ id: 'a' }), call({ id: 'A' })))).toEqual([]);
  });
  it('takes constructor and __proto__ for ids like any other', () => {
    expect(refusalOf(withSteps(call({ id: 'constructor' }), call({ id: '__proto__' })))).toEqual(
      [],
    );
  });
});

requirement('2.7/step-tool', () => {
  it('is kept as it is', () => {
    expect(firstOf(withSteps(call({ tool: 'workflow_other' })))).toEqual({
      kind: 'tool',
      id: 'a',
      tool: 'workflow_other',
      args: {},
      allowFailure: false,
    });
  });
  it.each([
    ['', 'must not be empty'],
    [7, 'must be a string, not a number'],
    ['t'.repeat(513), 'must be at most 512 characters'],
  ])('may not be %j', (tool, message) => {
    expect(refusalOf(withSteps(call({ tool })))).toEqual([`spec.steps[0].tool: ${message}`]);
  });
  it('may not be null, which is no tool', () => {
    expect(refusalOf(withSteps(call({ tool: null })))).toEqual([
      'spec.steps[0].tool: must be a string, not null',
      'spec.steps[0]: one of tool, forEach, or parallel is required',
    ]);
  });
  it('stands neither beside forEach nor beside parallel', () => {
    const excluded = ['spec.steps[0].tool: tool is mutually exclusive with forEach/parallel'];
    const forEach = { items: '{{ .input.x }}', steps: [subStep] };
    expect(refusalOf(withSteps(call({ forEach })))).toEqual(excluded);
    expect(refusalOf(withSteps(call({ parallel: [subStep] })))).toEqual(excluded);
  });
});

requirement('2.7/step-args', () => {
  it('may have values of every JSON type', () => {
    const args = { s: 'a', n: 1.5, b: false, none: null, list: [1, [2]], map: { a: { b: {} } } };
    expect(firstOf(withSteps(call({ args })))).toMatchObject({ args });
  });
  it('takes __proto__ for a key like any other, at any depth', () => {
    const args = JSON.parse('{"__proto__":1,"a":{"__proto__":{"b":2}}}') as unknown;
    const step = stepOf(withSteps(call({ args })));
    expect(JSON.stringify(step?.kind === 'tool' && step.args.source)).toBe(JSON.stringify(args));
  });
  it.each([
    [[], 'a list'],
    ['{{ .input }}', 'a string'],
    [null, 'null'],
  ])('may not be %j', (args, kind) => {
    expect(refusalOf(withSteps(call({ args })))).toEqual([
      `spec.steps[0].args: must be a mapping, not ${kind}`,
    ]);
  });
  it('may not hold what JSON cannot say', () => {
    const args = { a: [undefined], b: 1n, c: { d: Infinity }, e: new Date(0), f: () => 1 };
    expect(refusalOf(withSteps(call({ args })))).toEqual([
      'spec.steps[0].args.a[0]: must be a value of JSON, not nothing',
      'spec.steps[0].args.b: must be a value of JSON, not a number',
      'spec.steps[0].args.c.d: must be a finite number',
      'spec.steps[0].args.e: must be a value of JSON',
      'spec.steps[0].args.f: must be a value of JSON, not a function',
    ]);
  });
});

requirement('2.7/step-condition-field', () => {
  it('is a mapping', () => {
    expect(firstOf(withSteps(call({ condition: { template: 'true' } })))?.['condition']).toEqual({
      source: 'template',
      template: 'true',
    });
    expect(refusalOf(withSteps(call({ condition: '{{ .input.x }}' })))).toEqual([
      'spec.steps[0].condition: must be a mapping, not a string',
    ]);
  });
});

requirement('2.7/step-for-each-field', () => {
  it('is a mapping', () => {
    expect(firstOf(withLoop([subStep]))).toEqual({
      kind: 'forEach',
      id: 'loop',
      allowFailure: false,
      forEach: {
        items: '{{ .input.names }}',
        as: 'item',
        steps: [{ kind: 'tool', id: 'sub', tool: 'x_k8s_get', args: {}, allowFailure: false }],
      },
    });
    expect(refusalOf(withSteps({ id: 'loop', forEach: [subStep] }))).toEqual([
      'spec.steps[0].forEach: must be a mapping, not a list',
    ]);
  });
});

requirement('2.7/step-parallel-field', () => {
  it('is a list of sub-steps', () => {
    expect(firstOf(withSteps({ id: 'group', parallel: [subStep] }))).toEqual({
      kind: 'parallel',
      id: 'group',
      allowFailure: false,
      parallel: [{ kind: 'tool', id: 'sub', tool: 'x_k8s_get', args: {}, allowFailure: false }],
    });
    expect(refusalOf(withSteps({ id: 'group', parallel: { steps: [subStep] } }))).toEqual([
      'spec.steps[0].parallel: must be a list, not a mapping',
    ]);
  });
  it('may not be empty', () => {
    expect(refusalOf(withSteps({ id: 'group', parallel: [] }))).toEqual([
      'spec.steps[0].parallel: parallel must contain at least one sub-step',
    ]);
  });
});

const describeFlag = (name: 'output' | 'store'): void => {
  it.each([true, false])('may be %j', (value) => {
    expect(firstOf(withSteps(call({ [name]: value })))?.[name]).toBe(value);
  });
  it('is absent when the document does not set it', () => {
    expect(firstOf(withSteps(call()))).not.toHaveProperty(name);
  });
  it('may not be a text', () => {
    expect(refusalOf(withSteps(call({ [name]: 'true' })))).toEqual([
      `spec.steps[0].${name}: must be a boolean, not a string`,
    ]);
  });
};
requirement('2.7/step-output-field', () => {
  describeFlag('output');
});
requirement('2.7/step-store-field', () => {
  describeFlag('store');
});

requirement('2.7/step-allow-failure-field', () => {
  it('is false unless the document says otherwise', () => {
    expect(stepOf(withSteps(call()))?.allowFailure).toBe(false);
    expect(stepOf(withSteps(call({ allowFailure: true })))?.allowFailure).toBe(true);
  });
  it('may not be a number', () => {
    expect(refusalOf(withSteps(call({ allowFailure: 1 })))).toEqual([
      'spec.steps[0].allowFailure: must be a boolean, not a number',
    ]);
  });
});

const stepDescriptions = (): void => {
  it('accepts 500 characters on steps and sub-steps', () => {
    const description = 'a'.repeat(500);
    expect(stepOf(withSteps(call({ description })))?.description).toBe(description);
    expect(refusalOf(withLoop([{ ...subStep, description }]))).toEqual([]);
  });
  it('refuses 501', () => {
    const description = 'a'.repeat(501);
    const message = 'description: must be at most 500 characters';
    expect(refusalOf(withSteps(call({ description })))).toEqual([`spec.steps[0].${message}`]);
    expect(refusalOf(withLoop([{ ...subStep, description }]))).toEqual([
      `spec.steps[0].forEach.steps[0].${message}`,
    ]);
    expect(refusalOf(withSteps({ id: 'b', parallel: [{ ...subStep, description }] }))).toEqual([
      `spec.steps[0].parallel[0].${message}`,
    ]);
    expect(refusalOf(withSpec({ onFailure: [{ ...subStep, description }] }))).toEqual([
      `spec.onFailure[0].${message}`,
    ]);
  });
};
requirement('2.7/step-description', stepDescriptions);
requirement('8/workflow-part-descriptions', () => {
  stepDescriptions();
  it('holds for arguments too', () => {
    const args = { a: { type: 'string', description: 'a'.repeat(501) } };
    expect(refusalOf(withSpec({ args }))).toEqual([
      'spec.args.a.description: must be at most 500 characters',
    ]);
  });
});

requirement('2.7/for-each-items-field', () => {
  it('is required, and no empty text', () => {
    expect(refusalOf(withSteps({ id: 'loop', forEach: { steps: [subStep] } }))).toEqual([
      'spec.steps[0].forEach.items: items is required',
    ]);
    expect(refusalOf(withLoop([subStep], { items: '' }))).toEqual([
      'spec.steps[0].forEach.items: must not be empty',
    ]);
  });
  it('is a text, not the list itself', () => {
    expect(refusalOf(withLoop([subStep], { items: ['a'] }))).toEqual([
      'spec.steps[0].forEach.items: must be a string, not a list',
    ]);
  });
  it('may be any template', () => {
    expect(refusalOf(withLoop([subStep], { items: '{{ list 1 2 3 }}' }))).toEqual([]);
  });
});

requirement('2.7/for-each-as-field', () => {
  it('is item unless the document names another', () => {
    expect(firstOf(withLoop([subStep]))).toMatchObject({ forEach: { as: 'item' } });
    expect(firstOf(withLoop([subStep], { as: 'pod_name' }))).toMatchObject({
      forEach: { as: 'pod_name' },
    });
  });
  it.each(['0a', 'a.b', 'a b', '-a', '.vars.x'])('may not be %j', (as) => {
    expect(refusalOf(withLoop([subStep], { as }))).toEqual([
      'spec.steps[0].forEach.as: must start with a letter or "_" and contain only letters, digits, "_" and "-"',
    ]);
  });
});

const loopBody = (): void => {
  it('refuses a body without sub-steps', () => {
    expect(refusalOf(withLoop([]))).toEqual([
      'spec.steps[0].forEach.steps: forEach.steps must contain at least one sub-step',
    ]);
    expect(refusalOf(withSteps({ id: 'loop', forEach: { items: '{{ .input.x }}' } }))).toEqual([
      'spec.steps[0].forEach.steps: steps is required',
    ]);
  });
  it('accepts a body of one', () => {
    expect(refusalOf(withLoop([subStep]))).toEqual([]);
  });
};
requirement('7.6/workflow-for-each-body', loopBody);
requirement('2.7/for-each-steps', () => {
  loopBody();
  it.each(['forEach', 'parallel'])('refuses %s inside', (key) => {
    expect(refusalOf(withLoop([{ ...subStep, [key]: [] }]))).toEqual([
      `spec.steps[0].forEach.steps[0].${key}: a sub-step is always a tool call`,
    ]);
  });
});

requirement('2.7/sub-step-required', () => {
  it.each([
    [{ tool: 't' }, 'id: id is required'],
    [{ id: 'b' }, 'tool: tool is required'],
    [{ id: 'b', tool: '' }, 'tool: must not be empty'],
  ])('refuses %j, wherever it stands', (wrong, message) => {
    expect(refusalOf(withLoop([wrong]))).toEqual([`spec.steps[0].forEach.steps[0].${message}`]);
    expect(refusalOf(withSteps({ id: 'p', parallel: [wrong] }))).toEqual([
      `spec.steps[0].parallel[0].${message}`,
    ]);
    expect(refusalOf(withSpec({ onFailure: [wrong] }))).toEqual([`spec.onFailure[0].${message}`]);
  });
  it('accepts id and tool alone', () => {
    expect(refusalOf(withSpec({ onFailure: [subStep] }))).toEqual([]);
  });
  it('refuses a handler that is no tool call', () => {
    expect(refusalOf(withSpec({ onFailure: [{ id: 'b', parallel: [subStep] }] }))).toEqual([
      'spec.onFailure[0].tool: tool is required',
      'spec.onFailure[0].parallel: a sub-step is always a tool call',
    ]);
  });
});

requirement('2.7/sub-step-optional', () => {
  const full = {
    id: 'sub',
    tool: 'x_k8s_get',
    args: { name: '{{ .input.name }}' },
    condition: { fromStep: 'loop', expect: { success: true } },
    output: true,
    store: false,
    allowFailure: true,
    description: 'Looks.',
  };
  const parsed = {
    ...full,
    kind: 'tool',
    condition: { source: 'fromStep', fromStep: 'loop', expect: { success: true } },
  };
  it('are the optional fields of a step', () => {
    const [loop] = workflowOf(withLoop([full])).spec.steps;
    expect(loop?.kind === 'forEach' && asWritten(loop.forEach.steps)).toEqual([parsed]);
    expect(asWritten(workflowOf(withSpec({ onFailure: [full] })).spec.onFailure)).toEqual([parsed]);
    expect(firstOf(withSteps(full))).toEqual(parsed);
  });
  it('are of the same types', () => {
    const wrong = { ...subStep, args: [], output: 1, store: 1, allowFailure: 1, description: 1 };
    expect(refusalOf(withSpec({ onFailure: [wrong] }))).toEqual([
      'spec.onFailure[0].args: must be a mapping, not a list',
      'spec.onFailure[0].output: must be a boolean, not a number',
      'spec.onFailure[0].store: must be a boolean, not a number',
      'spec.onFailure[0].allowFailure: must be a boolean, not a number',
      'spec.onFailure[0].description: must be a string, not a number',
    ]);
  });
});
