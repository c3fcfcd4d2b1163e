import { describe, expect, it } from 'vitest';
import { parseWorkflow, formatWarning } from '../../src/index.ts';
import { call, listWorkflowWarnings, withCondition, withSpec, withSteps } from './workflows.ts';

const everywhere = (flags: Readonly<Record<string, unknown>>) => ({
  steps: [
    call({ id: 'a', ...flags }),
    {
      id: 'b',
      forEach: { items: '{{ .input.x }}', steps: [call({ id: 'c', ...flags }), call({ id: 'n' })] },
    },
    { id: 'd', parallel: [call({ id: 'e', ...flags })], ...flags },
  ],
  onFailure: [call({ id: 'f', ...flags })],
});

describe('the deprecated store flag', () => {
  it('is reported as data, with every place', () => {
    expect(parseWorkflow(withSpec(everywhere({ store: true })))).toMatchObject({
      ok: true,
      value: {
        warnings: [
          {
            kind: 'deprecated-store',
            steps: ['a', 'b.forEach.c', 'd', 'd.parallel.e', 'onFailure.f'],
          },
        ],
      },
    });
  });
  it('is one line', () => {
    expect(listWorkflowWarnings(withSpec(everywhere({ store: true })))).toEqual([
      "Workflow \"sync\" uses the deprecated 'store' flag on: a, b.forEach.c, d, d.parallel.e, onFailure.f. 'store' is a backwards-compatible alias of 'output' and decides only whether the step's result appears in the returned document. Use 'output' instead.",
    ]);
  });
  it('is deprecated when it is false too', () => {
    expect(listWorkflowWarnings(withSteps(call({ store: false })))).toHaveLength(1);
  });
  it('is no matter where it is not used', () => {
    expect(listWorkflowWarnings(withSpec(everywhere({})))).toEqual([]);
    expect(listWorkflowWarnings(withSpec(everywhere({ output: true })))).toEqual([]);
  });
});

describe('flags beside an output template', () => {
  it('are reported, in one line', () => {
    expect(
      listWorkflowWarnings(withSpec({ ...everywhere({ output: true }), output: { n: 1 } })),
    ).toEqual([
      "Workflow \"sync\" declares a workflow-level 'output' template, which replaces the default response, so the per-step 'output'/'store' flags on these steps have no effect on the returned document: a, b.forEach.c, d, d.parallel.e, onFailure.f. Remove them or drop the output template.",
    ]);
  });
  it('are reported beside the deprecation when it is store', () => {
    const parsed = parseWorkflow(withSpec({ steps: [call({ store: true })], output: {} }));
    expect(parsed).toMatchObject({
      value: {
        warnings: [
          { kind: 'deprecated-store', steps: ['a'] },
          { kind: 'inert-flags', steps: ['a'] },
        ],
      },
    });
  });
  it('are nothing to report without the template', () => {
    expect(listWorkflowWarnings(withSpec(everywhere({ output: false })))).toEqual([]);
  });
});

describe('fields that nothing reads', () => {
  it('are reported where they stand', () => {
    const document = withSteps(
      { id: 'p', parallel: [call({ condition: { template: 'true', args: {} } })], args: { a: 1 } },
      call({ id: 'b', condition: { fromStep: 'a', args: {}, expect: { success: true } } }),
    );
    expect(listWorkflowWarnings(document)).toEqual([
      'Workflow "sync" sets fields that nothing reads: p.args, p.parallel.a.condition.args, b.condition.args. Only tool calls have arguments. Remove these fields.',
    ]);
  });
  it('are none on tool calls', () => {
    const check = { tool: 't', args: {}, expect: { success: true } };
    expect(listWorkflowWarnings(withSteps(call({ args: {}, condition: check })))).toEqual([]);
  });
});

describe('names of a loop’s results', () => {
  const loop = { id: 'loop', forEach: { items: '{{ .input.x }}', steps: [call({ id: 'get' })] } };
  it('are reported when they are ids too', () => {
    expect(
      listWorkflowWarnings(
        withSteps(loop, call({ id: 'get_0' }), { id: 'p', parallel: [call({ id: 'get_17' })] }),
      ),
    ).toEqual([
      'Workflow "sync" has steps whose ids are also names of a loop\'s results, <id>_<index>, so that one result replaces the other: get_0, p.parallel.get_17. Rename them.',
    ]);
  });
  it('are nothing to report when no loop has them', () => {
    const others = ['get_', 'get_a', 'get_01', 'loop_0', 'other_0'].map((id) => call({ id }));
    expect(listWorkflowWarnings(withSteps(loop, ...others))).toEqual([]);
  });
});

describe('conditions on results', () => {
  const on = (fromStep: string) => ({ fromStep, expect: { success: true } });
  it('of steps that are not there are reported', () => {
    expect(listWorkflowWarnings(withCondition(on('b')))).toEqual([
      'Workflow "sync" has conditions on results of steps that it does not have, on: a. Such a condition fails its step.',
    ]);
  });
  it('of steps, sub-steps and single iterations are fine', () => {
    const loop = { id: 'l', forEach: { items: '{{ .input.x }}', steps: [call({ id: 'get' })] } };
    const conditions = ['l', 'get', 'get_0', 'get_12'].map((id, index) =>
      call({ id: `s${String(index)}`, condition: on(id) }),
    );
    expect(listWorkflowWarnings(withSteps(loop, ...conditions))).toEqual([]);
  });
});

it('names at most 20 steps in a line', () => {
  const steps = Array.from({ length: 25 }, (_, index) => `s${String(index)}`);
  expect(formatWarning({ kind: 'unknown-steps', steps }, 'w')).toBe(
    'Workflow "w" has conditions on results of steps that it does not have, on: s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11, s12, s13, s14, s15, s16, s17, s18, s19 and 5 more. Such a condition fails its step.',
  );
});
