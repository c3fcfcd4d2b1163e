import { defineRequirements } from '@gateway/repo-checks';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { requirements } from '../../spec.requirements.ts';
import { parseWorkflow } from '../../src/index.ts';
import { asWritten } from './as-written.ts';
import { call, refusalOf, withSpec, withSteps, workflowOf, workflowWith } from './workflows.ts';

const requirement = defineRequirements(requirements);
const document = withSteps(call()) as Readonly<Record<string, unknown>>;

/** Parsed templates and paths are read-only by type: evaluating frozen objects is slower. */
const PARSED = ['parsed', 'place'];

const isDeeplyFrozen = (value: unknown): boolean =>
  typeof value !== 'object' ||
  value === null ||
  (Object.isFrozen(value) &&
    Object.entries(value).every(([key, member]) => PARSED.includes(key) || isDeeplyFrozen(member)));

requirement('1.5/workflow-kind', () => {
  it('refuses another kind', () => {
    expect(refusalOf({ ...document, kind: 'MCPServer' })).toEqual(['kind: must be Workflow']);
  });
  it('returns the workflow of a valid document', () => {
    expect(asWritten(workflowOf(document))).toEqual({
      apiVersion: 'gateway.internal/v1alpha1',
      kind: 'Workflow',
      metadata: { name: 'sync', namespace: 'default', labels: {} },
      spec: {
        description: '',
        args: {},
        steps: [{ kind: 'tool', id: 'a', tool: 'x_k8s_list', args: {}, allowFailure: false }],
        onFailure: [],
      },
    });
  });
});

requirement('9.1/workflow-group-version', () => {
  it('refuses another group and another version', () => {
    for (const apiVersion of ['example.com/v1alpha1', 'gateway.internal/v1', 'v1alpha1', '']) {
      expect(refusalOf({ ...document, apiVersion })).toEqual([
        'apiVersion: must be gateway.internal/v1alpha1',
      ]);
    }
  });
  it('takes the group as a parameter', () => {
    const other = { ...document, apiVersion: 'example.com/v1alpha1' };
    expect(parseWorkflow(other, { apiGroup: 'example.com' })).toMatchObject({
      ok: true,
      value: { workflow: { apiVersion: 'example.com/v1alpha1' } },
    });
    expect(parseWorkflow(document, { apiGroup: 'example.com' })).toEqual({
      ok: false,
      error: [{ path: ['apiVersion'], message: 'must be example.com/v1alpha1' }],
    });
  });
});

requirement('2.7/top-level', () => {
  it('requires apiVersion, kind, metadata and spec, all reported at once', () => {
    expect(refusalOf({})).toEqual([
      'apiVersion: apiVersion is required',
      'kind: kind is required',
      'metadata: metadata is required',
      'spec: spec is required',
    ]);
  });
  it('requires a name', () => {
    expect(refusalOf(workflowWith({ steps: [call()] }, {}))).toEqual([
      'metadata.name: name is required',
    ]);
    expect(workflowOf(workflowWith({ steps: [call()] }, { name: 'a-1' })).metadata.name).toBe(
      'a-1',
    );
  });
  it('accepts a status and does not read it', () => {
    expect(refusalOf({ ...document, status: { valid: false } })).toEqual([]);
  });
  it('names every unknown key, wherever it stands', () => {
    const wrong = {
      ...(withSpec({
        arguments: {},
        args: { a: { type: 'string', defualt: 1 } },
        steps: [
          call({ tools: [], condition: { template: 'true', when: 1 } }),
          {
            id: 'b',
            forEach: { items: '{{ .input.x }}', in: 1, steps: [call({ id: 'c', x: 1 })] },
          },
        ],
      }) as object),
      specs: {},
    };
    expect(refusalOf(wrong)).toEqual([
      'spec.args.a.defualt: unknown field',
      'spec.steps[0].condition.when: unknown field',
      'spec.steps[0].tools: unknown field',
      'spec.steps[1].forEach.steps[0].x: unknown field',
      'spec.steps[1].forEach.in: unknown field',
      'spec.arguments: unknown field',
      'specs: unknown field',
    ]);
  });
  it('takes __proto__ for an unknown key like any other', () => {
    const wrong = JSON.parse(
      '{"apiVersion":"gateway.internal/v1alpha1","kind":"Workflow","metadata":{"name":"a"},"spec":{"steps":[{"id":"a","tool":"t","__proto__":{"forEach":{}}}]}}',
    ) as unknown;
    expect(refusalOf(wrong)).toEqual(['spec.steps[0].__proto__: unknown field']);
  });
});

const descriptions = (): void => {
  it('accepts 1000 characters, counted as Unicode does', () => {
    for (const description of ['', 'a'.repeat(1000), '🦊'.repeat(1000)]) {
      expect(workflowOf(withSpec({ description })).spec.description).toBe(description);
    }
  });
  it('refuses 1001', () => {
    expect(refusalOf(withSpec({ description: 'a'.repeat(1001) }))).toEqual([
      'spec.description: must be at most 1000 characters',
    ]);
  });
  it('is empty when there is none', () => {
    expect(workflowOf(withSpec({})).spec.description).toBe('');
  });
};
requirement('2.7/description', descriptions);
requirement('8/workflow-description', descriptions);

const someSteps = (): void => {
  it('accepts one step, and keeps their order', () => {
    const { steps } = workflowOf(withSteps(call({ id: 'b' }), call({ id: 'a' }))).spec;
    expect(steps.map(({ id }) => id)).toEqual(['b', 'a']);
  });
};
requirement('2.7/steps', someSteps);
requirement('7.6/workflow-steps', someSteps);

requirement('2.7/on-failure-field', () => {
  it('accepts sub-steps', () => {
    expect(workflowOf(withSpec({ onFailure: [call({ id: 'undo', tool: 't' })] }))).toMatchObject({
      spec: { onFailure: [{ kind: 'tool', id: 'undo', tool: 't' }] },
    });
  });
});

requirement('2.7/output-field', () => {
  it('accepts a mapping, and keeps it as it is', () => {
    const output = { n: 1, none: null, list: ['{{ .input.x }}', { deep: true }] };
    expect(workflowOf(withSpec({ output })).spec.output?.source).toEqual(output);
  });
  it('is absent when the document has none', () => {
    expect(Object.hasOwn(workflowOf(withSpec({})).spec, 'output')).toBe(false);
  });
});

describe('bounds of a workflow', () => {
  const calls = (count: number): readonly unknown[] =>
    Array.from({ length: count }, (_, index) => call({ id: `s${String(index)}` }));
  it('has at most 1000 steps', () => {
    expect(refusalOf(withSteps(...calls(1000)))).toEqual([]);
    expect(refusalOf(withSteps(...calls(1001)))).toEqual([
      'spec.steps: must have at most 1000 entries',
    ]);
  });
  it('has at most 256 sub-steps in one list', () => {
    expect(refusalOf(workflowWith({ steps: [call()], onFailure: calls(256) }))).toEqual([]);
    expect(refusalOf(workflowWith({ steps: [call()], onFailure: calls(257) }))).toEqual([
      'spec.onFailure: must have at most 256 entries',
    ]);
  });
  it('has at most 5000 steps, sub-steps and handlers', () => {
    const groups = (count: number, size: number): readonly unknown[] =>
      Array.from({ length: count }, (_, group) => ({
        id: `g${String(group)}`,
        parallel: Array.from({ length: size }, (_entry, index) =>
          call({ id: `g${String(group)}-${String(index)}` }),
        ),
      }));
    expect(refusalOf(withSteps(...groups(25, 199)))).toEqual([]);
    expect(refusalOf(workflowWith({ steps: groups(25, 199), onFailure: [call()] }))).toEqual([
      'spec.steps: workflow must have at most 5000 steps, sub-steps and handlers',
    ]);
  });
  it('is refused without a closer look when it has 300000', () => {
    const many: readonly unknown[] = Array.from({ length: 300_000 }, () => ({}));
    for (const spec of [
      { steps: many },
      { steps: [{ id: 'a', parallel: many }] },
      { steps: [{ id: 'a', forEach: { steps: many } }] },
      { steps: [call()], onFailure: many },
    ]) {
      expect(refusalOf(workflowWith(spec))).toEqual([
        'spec.steps: workflow must have at most 5000 steps, sub-steps and handlers',
      ]);
    }
  });
  it('reports at most 20 problems', () => {
    expect(refusalOf(withSteps(...Array.from({ length: 500 }, () => ({}))))).toHaveLength(20);
  });
});

describe('any input', () => {
  it('is answered without throwing, with a workflow or with at least one reason', () => {
    const anything = fc.anything({ withNullPrototype: true, withBigInt: true, withDate: true });
    fc.assert(
      fc.property(anything, (value) => {
        const documents = [
          value,
          workflowWith(value),
          withSpec({ args: value, output: value, onFailure: value }),
          withSteps(value),
          withSteps(call({ args: { a: value }, condition: value })),
          withSteps({ id: 'l', forEach: value }, { id: 'p', parallel: [value] }),
          withSpec({ args: { a: value }, onFailure: [value] }),
        ];
        for (const each of documents) {
          const parsed = parseWorkflow(each);
          expect(parsed.ok || parsed.error.length > 0).toBe(true);
        }
      }),
      { numRuns: 60 },
    );
  });
  it('that contains itself is refused', () => {
    const args: Record<string, unknown> = {};
    args['self'] = args;
    expect(refusalOf(withSteps(call({ args })))).toEqual([
      'spec.steps[0].args: must be nested at most 64 levels deep',
    ]);
  });
  it('of 10 MB in one string is refused and not echoed', () => {
    const huge = 'a'.repeat(10_000_000);
    const step = { id: huge, tool: huge, args: { a: huge }, condition: { template: huge } };
    const fields = { [huge]: 1, description: huge, args: { [huge]: {} }, steps: [step] };
    const lines = refusalOf(withSpec(fields));
    expect(lines).toHaveLength(8);
    expect(lines.every((line) => line.length < 300)).toBe(true);
  });
  it('is not shared with the result, which is frozen to the ground', () => {
    const args = { list: ['a'] };
    const workflow = workflowOf(
      withSpec({
        args: { names: { type: 'array', default: [{ a: 1 }] } },
        steps: [
          call({ args, condition: { tool: 't', args, expect: { jsonPath: { a: [1] } } } }),
          { id: 'b', forEach: { items: '{{ .input.names }}', steps: [call({ id: 'c', args })] } },
          { id: 'd', parallel: [call({ id: 'e' })] },
        ],
        output: {
          a: { b: [] },
          c: '{{ define "t" }}{{ .a[0] }}{{ end }}{{ template "t" .input }}',
        },
      }),
    );
    args.list.push('b');
    expect(asWritten(workflow.spec.steps[0])).toMatchObject({ args: { list: ['a'] } });
    expect(isDeeplyFrozen(workflow)).toBe(true);
  });
});
