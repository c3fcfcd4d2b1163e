import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { evaluateRules, parseWorkflow, formatError } from '../../src/index.ts';
import { plainServerIssues, plainWorkflowIssues } from './plain-rules.ts';

const formatLines = (...question: Parameters<typeof evaluateRules>): readonly string[] =>
  evaluateRules(...question).map(formatError);

const anything = fc.constantFrom<unknown>(
  ...[null, true, false, 0, 7.5, Number.NaN, '', 'none', 'oauth', 'stdio', 'sse', [], [1], ['x']],
  ...[{}, { a: 1 }, { constructor: 1 }, { enabled: 'yes' }, [[]], new Date(0), new Map(), 5n],
  ...[
    undefined,
    Symbol('s'),
    () => 1,
    Object.create(null),
    new Array<unknown>(3),
    JSON.parse('{"__proto__":1}'),
  ],
);

/** Any of these fields and some that no resource has, each right or wrong. */
const findFieldPath = (fields: Readonly<Record<string, fc.Arbitrary<unknown>>>) =>
  fc.oneof(
    {
      weight: 12,
      arbitrary: fc.record(
        { ...fields, constructor: anything, size: anything },
        { requiredKeys: [] },
      ),
    },
    { weight: 1, arbitrary: anything },
  );

const some = (arbitrary: fc.Arbitrary<unknown>) =>
  fc.oneof({ weight: 4, arbitrary }, { weight: 1, arbitrary: anything });

const server = findFieldPath({
  type: some(fc.constantFrom('stdio', 'streamable-http', 'sse')),
  command: anything,
  args: anything,
  cwd: anything,
  startTimeout: anything,
  instances: anything,
  url: anything,
  headers: anything,
  auth: findFieldPath({
    type: some(fc.constantFrom('oauth', 'none')),
    forwardToken: anything,
    authorizationServer: anything,
    tokenExchange: findFieldPath({
      enabled: some(fc.boolean()),
      dexTokenEndpoint: anything,
      connectorId: anything,
    }),
  }),
});

const describeExpectation = findFieldPath({ success: anything, jsonPath: anything });
const condition = findFieldPath({
  template: anything,
  tool: anything,
  fromStep: anything,
  expect: describeExpectation,
  expectNot: describeExpectation,
});
const listOf = (items: fc.Arbitrary<unknown>) => some(fc.array(items, { maxLength: 2 }));
const subStep = findFieldPath({ tool: anything, condition });
const step = findFieldPath({
  tool: anything,
  condition,
  forEach: findFieldPath({ steps: listOf(subStep) }),
  parallel: listOf(subStep),
});
const workflow = findFieldPath({ steps: listOf(step), onFailure: listOf(subStep) });

describe('the rules in CEL', () => {
  it('say of any server what plain code says', () => {
    fc.assert(
      fc.property(server, (spec) => {
        expect(formatLines('MCPServer', spec)).toEqual(plainServerIssues(spec));
      }),
      { numRuns: 300 },
    );
  });
  it('say of any workflow what plain code says', () => {
    fc.assert(
      fc.property(workflow, (spec) => {
        expect(formatLines('Workflow', spec)).toEqual(plainWorkflowIssues(spec));
      }),
      { numRuns: 200 },
    );
  });
});

it('gets through lists with holes', () => {
  const parsed = parseWorkflow({
    apiVersion: 'gateway.internal/v1alpha1',
    kind: 'Workflow',
    metadata: { name: 'any' },
    spec: { steps: new Array<unknown>(1), onFailure: new Array<unknown>(1) },
  });
  expect(parsed.ok ? [] : parsed.error.map(formatError)).toEqual([
    'spec.steps[0]: must have a value',
    'spec.onFailure[0]: must have a value',
  ]);
});

describe('what a walk costs', () => {
  it('is bounded: values past those of a valid workflow are not asked about', () => {
    const steps = Array.from({ length: 20_000 }, () => ({}));
    expect(evaluateRules('Workflow', { steps })).toHaveLength(10_000);
  });
  it('does not depend on how long a list is that has nothing in it', () => {
    const holes: unknown[] = [];
    holes.length = 2 ** 32 - 1;
    const start = performance.now();
    expect(evaluateRules('Workflow', { steps: holes })).toEqual([]);
    expect(evaluateRules('Workflow', { steps: [{ parallel: holes, forEach: {} }] })).toHaveLength(
      1,
    );
    expect(evaluateRules('MCPServer', { type: 'sse', url: 'http://h', args: holes })).toHaveLength(
      1,
    );
    expect(performance.now() - start).toBeLessThan(2_000);
  });
  it('does not depend on how large a free-form value is', () => {
    const jsonPath = { a: Array.from({ length: 100_000 }, () => ({})) };
    const step = { tool: 't', condition: { tool: 'c', expect: { jsonPath } } };
    expect(evaluateRules('Workflow', { steps: [step] })).toEqual([]);
  });
});
