import { describe, expect, it } from 'vitest';
import type { JsonValue } from '@gateway/crd-schemas';
import { createFullAllowance } from '@gateway/go-template';
import type { TemplateData } from '../../src/model/finished-run.ts';
import { checkExpectations } from '../../src/expectations/expectations.ts';
import {
  parsedExpectations,
  type WrittenExpectation,
  type WrittenExpectations,
} from './parsed-expectations.ts';
import { anyJson, fc, test } from '../fast-check.ts';
import { requirement } from '../requirement.ts';

const data: TemplateData = {
  input: { env: 'prod', count: 2, path: { name: 'x' } },
  results: { first: { ok: true } },
  vars: {},
  context: {},
};
const limits = { maxBytes: 1_000_000, now: () => 0 };

interface Asked {
  readonly failed?: boolean;
  readonly result?: JsonValue;
}

/** Whether the outcome passes, or why that cannot be said. */
const meets = (expectations: WrittenExpectations, { failed = false, result = null }: Asked) => {
  const met = checkExpectations(parsedExpectations(expectations), { failed, result }, data, {
    ...limits,
    allowance: createFullAllowance(limits),
  });
  return met.ok ? met.value : met.error;
};

const hasPath = (path: string, expected: JsonValue, result: JsonValue) =>
  meets({ expect: { jsonPath: { [path]: expected } } }, { result });

/** Expectations, the end of a call, and whether it meets them. */
type MeetCase = readonly [expectations: WrittenExpectations, end: Asked, passes: boolean];
const meetsEach = (cases: readonly MeetCase[]) => (): void => {
  it.each(cases)('%j of %j is %j', (expectations, end, passes) => {
    expect(meets(expectations, end)).toBe(passes);
  });
};

/** Paths, expected values, results, and whether the path leads to the value. */
type PathCase = readonly [path: string, expected: JsonValue, result: JsonValue, passes: boolean];
const pathsEach = (cases: readonly PathCase[]) => (): void => {
  it.each(cases)('%s: %j in %j is %j', (path, expected, result, passes) => {
    expect(hasPath(path, expected, result)).toBe(passes);
  });
};

requirement(
  '2.7/expectation-success',
  meetsEach([
    [{ expect: { success: true } }, { failed: false }, true],
    [{ expect: { success: true } }, { failed: true }, false],
    [{ expect: { success: false } }, { failed: true }, true],
    [{ expect: { success: false } }, { failed: false }, false],
    [{ expect: { jsonPath: { a: 1 } } }, { failed: false, result: { a: 1 } }, true],
    [{ expect: { jsonPath: { a: 1 } } }, { failed: true, result: { a: 1 } }, true],
  ]),
);

describe('many checks together', () => {
  const keys = Array.from({ length: 60 }, (_unused, index) => `k${index}`);
  const result = Object.fromEntries(
    Array.from({ length: 60_000 }, (_unused, index) => [`k${index}`, index]),
  );
  const searching = (count: number) => ({
    expect: {
      jsonPath: Object.fromEntries(keys.slice(0, count).map((key, at) => [`$..${key}`, [at]])),
    },
  });

  it('search no longer than a few of them', () => {
    expect(meets(searching(2), { result })).toBe(true);
    expect(meets(searching(60), { result })).toMatch(/^path '\$\.\.k\d+' leads to too many places/);
  });

  it('render no longer than one value', () => {
    const loop = '{{ range 300000 }}{{ end }}';
    const rendering = (count: number) => ({
      expect: { jsonPath: Object.fromEntries(keys.slice(0, count).map((key) => [key, loop])) },
    });
    const empty = Object.fromEntries(keys.map((key) => [key, '']));
    expect(meets(rendering(2), { result: empty })).toBe(true);
    expect(meets(rendering(4), { result: empty })).toBe(
      'line 1, column 10: the template takes more steps than allowed',
    );
  });
});

requirement('2.7/expectation-json-path', () => {
  const two = { expect: { jsonPath: { state: 'up', 'meta.zone': 'a' } } };
  meetsEach([
    [two, { result: { state: 'up', meta: { zone: 'a' } } }, true],
    [two, { result: { state: 'up', meta: { zone: 'b' } } }, false],
    [two, { result: { state: 'down', meta: { zone: 'a' } } }, false],
  ])();
  pathsEach([
    ['state', 'up', {}, false],
    ['state', null, {}, false],
    ['state', 'up', 'up', false],
    ['state', 'up', null, false],
    ['n', 5, { n: 5 }, true],
    ['n', '5', { n: 5 }, true],
    ['n', 5, { n: '5' }, true],
    ['n', [1, { b: 2, a: 1 }], { n: [1, { a: 1, b: 2 }] }, true],
    ['n', null, { n: null }, true],
    ['n', 5, { n: 6 }, false],
    ['n', true, { n: 1 }, false],
    ['env', '{{ .input.env }}', { env: 'prod' }, true],
    ['env', '{{ .input.env }}', { env: 'test' }, false],
    ['n', '{{ .input.count }}', { n: 2 }, true],
    ['at', { name: '{{ .input.path.name }}-1' }, { at: { name: 'x-1' } }, true],
    ['ok', '{{ .results.first.ok }}', { ok: true }, true],
    // Own members only.
    ['constructor.name', 'Object', {}, false],
    ['__proto__', {}, {}, false],
    ['constructor', 'x', { constructor: 'x' }, true],
  ])();

  it('cannot be said when an expected value cannot be rendered', () => {
    const text = hasPath('env', '{{ .input.nope }}', { env: 'prod' });
    expect(text).toContain('nope');
    const not = meets({ expectNot: { jsonPath: { env: '{{ .input.nope }}' } } }, { result: {} });
    expect(not).toBe(text);
  });
});

requirement(
  '2.7/json-path-dotted',
  pathsEach([
    ['status.phase', 'Ready', { status: { phase: 'Ready' } }, true],
    ['status.phase', 'Ready', { 'status.phase': 'Ready' }, false],
    ['my-id.x', 1, { 'my-id': { x: 1 } }, true],
    ['labels["a.b"]', 1, { labels: { 'a.b': 1 } }, true],
    ['labels["a.b"]', 1, { labels: { a: { b: 1 } } }, false],
  ]),
);

const named = { items: [{ name: 'a' }, { name: 'prod' }] };
requirement(
  '2.7/json-path-index',
  pathsEach([
    ['items[0].name', 'a', named, true],
    ['items[1].name', 'a', named, false],
    ['items[2].name', 'a', named, false],
    ['items.name', 'a', named, false],
  ]),
);

requirement(
  '2.7/json-path-template',
  pathsEach([
    ['{{ (index .result.items 0).name }}', 'a', named, true],
    ['{{ (index .result.items 0).name }}', 'b', named, false],
    ['{{ len .result.items }}', 2, named, true],
    ['{{ .result.items }}', [{ name: 'a' }, { name: 'prod' }], named, true],
    ['n={{ len .result.items }}', 'n=2', named, true],
    ['{{ eq (index .result.items 1).name .input.env }}', true, named, true],
    ['{{ .result.nope }}', 'a', named, false],
    ['{{ (index .result.items 9).name }}', 'a', named, false],
  ]),
);

describe('JSONPath in expectations', () => {
  pathsEach([
    ['$.items[1].name', 'prod', named, true],
    ['$.items[*].name', ['a', 'prod'], named, true],
    ['$..name', ['a', 'prod'], named, true],
    ['$..name', ['prod', 'a'], named, false],
    ['$..nope', [], named, false],
    ['$', named, named, true],
    // A name that starts with $.
    ['$ref', 1, { $ref: 1 }, true],
  ])();

  it('fails a search that is too large instead of answering', () => {
    const wide = Array.from({ length: 400 }, () => Array.from({ length: 400 }, () => ({ a: 1 })));
    const text = "path '$..a' leads to too many places, or more than 200 levels deep";
    expect(hasPath('$..a', 1, wide)).toBe(text);
    expect(meets({ expectNot: { jsonPath: { '$..a': 1 } } }, { result: wide })).toBe(text);
  });
});

const all = { success: true, jsonPath: { a: 1, b: 2 } };
requirement(
  '2.7/condition-expect',
  meetsEach([
    [{ expect: all }, { result: { a: 1, b: 2 } }, true],
    [{ expect: all }, { failed: true, result: { a: 1, b: 2 } }, false],
    [{ expect: all }, { result: { a: 1, b: 3 } }, false],
    [{ expect: all }, { result: { a: 1 } }, false],
  ]),
);

const both = { expect: { success: true }, expectNot: { jsonPath: { state: 'busy' } } };
requirement(
  '2.7/condition-expect-not',
  meetsEach([
    [{ expectNot: all }, { result: { a: 1, b: 2 } }, false],
    [{ expectNot: all }, { failed: true, result: { a: 1, b: 2 } }, true],
    [{ expectNot: all }, { result: { a: 1, b: 3 } }, true],
    [{ expectNot: all }, { result: {} }, true],
    [{ expectNot: { success: true } }, { failed: true }, true],
    [{ expectNot: { success: true } }, { failed: false }, false],
    [{ expectNot: { success: false } }, { failed: false }, true],
    [{ expectNot: { success: false } }, { failed: true }, false],
    [both, { result: { state: 'free' } }, true],
    [both, { result: { state: 'busy' } }, false],
    [both, { failed: true, result: { state: 'free' } }, false],
    [both, { failed: true, result: { state: 'busy' } }, false],
  ]),
);

const deep = { a: [{ 'b-c': { 'd.e': [7] } }] };
requirement(
  '9.3/shared-navigator',
  pathsEach([
    ['a[0].b-c["d.e"][0]', 7, deep, true],
    ['{{ .result.a[0].b-c["d.e"][0] }}', 7, deep, true],
    ['a[1].b-c', 7, deep, false],
    ['{{ .result.a[1].b-c }}', 7, deep, false],
  ]),
);

describe('any expectation', () => {
  const expectation: fc.Arbitrary<WrittenExpectation> = fc.record(
    {
      success: fc.boolean(),
      jsonPath: fc.dictionary(fc.constantFrom('a', 'b', '$.a', '$..b'), fc.constantFrom(1, '1', 2)),
    },
    { requiredKeys: [] },
  );
  const outcome = fc.record({
    failed: fc.boolean(),
    result: fc.oneof(anyJson, fc.dictionary(fc.constantFrom('a', 'b'), fc.constantFrom(1, '1', 2))),
  });

  test(
    'passes as expect exactly when it does not as expectNot',
    fc.tuple(expectation, outcome),
    ([of, end]) => {
      expect(meets({ expect: of }, end)).toBe(meets({ expectNot: of }, end) === false);
    },
  );

  test(
    'is AND where both are there',
    fc.tuple(expectation, expectation, outcome),
    ([wanted, not, end]) => {
      const both = meets({ expect: wanted, expectNot: not }, end);
      expect(both).toBe(
        meets({ expect: wanted }, end) === true && meets({ expectNot: not }, end) === true,
      );
    },
  );
});
