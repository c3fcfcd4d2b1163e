import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createAgentChart, createValuesValidator } from '../../src/chart/agent-chart.ts';
import type { Json } from '../../src/store/agent-store.ts';

const chart = createAgentChart({
  ociUrl: 'oci://registry.gateway.internal/charts/agent',
  semver: 'x.x.x',
});

const OK: Json = { agent: { name: 'sre' }, modelConfig: { name: 'small' } };

describe('the agent chart', () => {
  it('is the one of this repository', () => {
    const { problems: _problems, ...facts } = chart;
    expect(facts).toEqual({
      name: 'agent',
      ociUrl: 'oci://registry.gateway.internal/charts/agent',
      semver: 'x.x.x',
      schemaVersion: '0.6.0',
      schemaSource: 'embedded',
    });
  });

  const muster = { serverRef: { name: 'other' } };
  it.each([
    OK,
    {},
    { ...OK, toolset: ['a'], muster, replicas: 0, extraTools: [{ type: 'Agent' }], global: null },
    { toolset: null },
  ])('accepts the values of agents, and the other values of the chart: %j', (values) => {
    expect(chart.problems(values)).toEqual([]);
  });

  it('reports invalid values with their paths, sorted', () =>
    expect(
      chart.problems({
        agent: {
          name: 'Sre',
          displayName: 'x'.repeat(64),
          runtime: 'rust',
          systemMessage: '',
          colour: 1,
        },
        modelConfig: { name: '' },
        replicas: -1,
        labels: { 'a/b': 1 },
        toolset: 'preset:none',
        skills: { gitRefs: ['x'] },
        unknown: true,
      }),
    ).toEqual([
      '/agent/colour: is no value of the chart',
      '/agent/displayName: must have at most 63 characters',
      '/agent/name: must match ^$|^[a-z0-9]([-a-z0-9]*[a-z0-9])?$',
      '/agent/runtime: must be one of go, python',
      '/agent/systemMessage: must have at least 1 characters',
      '/labels/a~1b: must be of type string',
      '/modelConfig/name: must have at least 1 characters',
      '/replicas: must be at least 0',
      '/skills/gitRefs/0: must be of type object',
      '/toolset: must be of type array, null',
      '/unknown: is no value of the chart',
    ]));

  it.each<[Json, readonly string[]]>([
    [{ agent: null }, ['(root): agent is required']],
    [{ agent: { runtime: null } }, ['/agent: runtime is required']],
    [{ agent: { colour: null } }, ['/agent/colour: is no value of the chart']],
  ])('has no default for a value that null removes: %j', (values, problems) => {
    expect(chart.problems(values)).toEqual(problems);
  });

  it('names keys from outside as they are, long ones cut', () => {
    const unknown = (key: string) => `/${key}: is no value of the chart`;
    const values = JSON.parse('{"__proto__":{"a":1},"constructor":1,"50% #🦊":1}') as Json;
    const keys = ['50% #🦊', '__proto__', 'constructor'];
    expect(chart.problems(values)).toEqual(keys.map(unknown));
    const cut = unknown(`${'k'.repeat(100)}…`);
    expect(chart.problems({ ['k'.repeat(1_000_000)]: 1 })).toEqual([cut]);
  });
});

describe('values that are larger, deeper or stranger than any agent’s', () => {
  const nested = (levels: number): unknown =>
    Array.from({ length: levels }).reduce<unknown>((inner) => ({ a: inner }), 1);

  const describedBy = (chars: number) => ({ agent: { description: 'x'.repeat(chars) } });
  it.each<[string, Json, readonly string[]]>([
    ['deep', { extraAgentSpec: nested(100_000) }, ['(root): must be nested at most 64 levels']],
    ['large', describedBy(10_000_000), ['(root): must have at most 2097152 characters']],
    [
      'with many values',
      { tolerations: Array.from({ length: 10_001 }, () => 1) },
      ['(root): must have at most 10000 values'],
    ],
    ['strange', { '\ud800': 1 }, ['(root): must have keys without lone surrogates']],
    ['less deep', { extraAgentSpec: nested(62) }, []],
    ['less large', describedBy(2_000_000), []],
    ['with fewer values', { toolset: Array.from({ length: 9_999 }, () => 'tool:a') }, []],
    [
      'still validated',
      { agent: { name: 'a'.repeat(2_000_000) } },
      ['/agent/name: must have at most 63 characters'],
    ],
  ])('are refused without being validated: %s', (_what, values, problems) => {
    expect(chart.problems(values)).toEqual(problems);
  });

  it('never make it throw, and give bounded problems', () =>
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.constantFrom('agent', 'skills', 'toolset', 'labels', '__proto__', '\ud800', ''),
          fc.jsonValue({ maxDepth: 3 }),
        ),
        (values) => {
          const problems = chart.problems(values);
          expect(problems).toEqual([...problems].sort());
          expect(problems.join().length).toBeLessThan(10_000);
        },
      ),
      { numRuns: 80 },
    ));
});

describe('a chart from before toolsets', () => {
  const older = createValuesValidator({
    defaults: { agent: { name: '' } },
    schema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: { agent: { $ref: '#/$defs/agent' } },
      additionalProperties: false,
      $defs: { agent: { type: 'object', properties: { name: { type: 'string' } } } },
    },
  });

  it('takes any toolset', () => expect(older({ toolset: ['preset:none'] })).toEqual([]));

  it('accepts no other unknown value', () =>
    expect(older({ toolsets: ['preset:none'], agent: { name: 1 } })).toEqual([
      '/agent/name: Instance type "number" is invalid. Expected "string".',
      '/toolsets: is no value of the chart',
    ]));
});
