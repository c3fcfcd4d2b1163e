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

requirement('2.7/expectation-success', () => {
  it('true passes for a call that succeeded, and for no other', () => {
    expect(meets({ expect: { success: true } }, { failed: false })).toBe(true);
    expect(meets({ expect: { success: true } }, { failed: true })).toBe(false);
  });

  it('false passes for a call that failed, and for no other', () => {
    expect(meets({ expect: { success: false } }, { failed: true })).toBe(true);
    expect(meets({ expect: { success: false } }, { failed: false })).toBe(false);
  });

  it('absent does not matter', () => {
    const expectation = { expect: { jsonPath: { a: 1 } } };
    expect(meets(expectation, { failed: false, result: { a: 1 } })).toBe(true);
    expect(meets(expectation, { failed: true, result: { a: 1 } })).toBe(true);
  });
});

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
  it('passes when every path leads to its value', () => {
    const expectation = { expect: { jsonPath: { state: 'up', 'meta.zone': 'a' } } };
    expect(meets(expectation, { result: { state: 'up', meta: { zone: 'a' } } })).toBe(true);
    expect(meets(expectation, { result: { state: 'up', meta: { zone: 'b' } } })).toBe(false);
    expect(meets(expectation, { result: { state: 'down', meta: { zone: 'a' } } })).toBe(false);
  });

  it('does not pass when a path leads nowhere', () => {
    expect(hasPath('state', 'up', {})).toBe(false);
    expect(hasPath('state', null as JsonValue, {})).toBe(false);
    expect(hasPath('state', 'up', 'up')).toBe(false);
    expect(hasPath('state', 'up', null)).toBe(false);
  });

  it('compares JSON, or what is printed', () => {
    expect(hasPath('n', 5, { n: 5 })).toBe(true);
    expect(hasPath('n', '5', { n: 5 })).toBe(true);
    expect(hasPath('n', 5, { n: '5' })).toBe(true);
    expect(hasPath('n', [1, { b: 2, a: 1 }], { n: [1, { a: 1, b: 2 }] })).toBe(true);
    expect(hasPath('n', null as JsonValue, { n: null })).toBe(true);
    expect(hasPath('n', 5, { n: 6 })).toBe(false);
    expect(hasPath('n', true, { n: 1 })).toBe(false);
  });

  it('takes values from templates, with their type', () => {
    expect(hasPath('env', '{{ .input.env }}', { env: 'prod' })).toBe(true);
    expect(hasPath('env', '{{ .input.env }}', { env: 'test' })).toBe(false);
    expect(hasPath('n', '{{ .input.count }}', { n: 2 })).toBe(true);
    expect(hasPath('at', { name: '{{ .input.path.name }}-1' }, { at: { name: 'x-1' } })).toBe(true);
    expect(hasPath('ok', '{{ .results.first.ok }}', { ok: true })).toBe(true);
  });

  it('cannot be said when an expected value cannot be rendered', () => {
    const text = hasPath('env', '{{ .input.nope }}', { env: 'prod' });
    expect(text).toContain('nope');
    const not = meets({ expectNot: { jsonPath: { env: '{{ .input.nope }}' } } }, { result: {} });
    expect(not).toBe(text);
  });

  it('looks at own members only', () => {
    expect(hasPath('constructor.name', 'Object', {})).toBe(false);
    expect(hasPath('__proto__', {}, {})).toBe(false);
    expect(hasPath('constructor', 'x', { constructor: 'x' })).toBe(true);
  });
});

requirement('2.7/json-path-dotted', () => {
  it('leads through objects', () => {
    expect(hasPath('status.phase', 'Ready', { status: { phase: 'Ready' } })).toBe(true);
    expect(hasPath('status.phase', 'Ready', { 'status.phase': 'Ready' })).toBe(false);
  });

  it('takes dashes, and keys in quotes', () => {
    expect(hasPath('my-id.x', 1, { 'my-id': { x: 1 } })).toBe(true);
    expect(hasPath('labels["a.b"]', 1, { labels: { 'a.b': 1 } })).toBe(true);
    expect(hasPath('labels["a.b"]', 1, { labels: { a: { b: 1 } } })).toBe(false);
  });
});

requirement('2.7/json-path-index', () => {
  const result = { items: [{ name: 'a' }, { name: 'b' }] };

  it('items[0].name leads to the first name', () => {
    expect(hasPath('items[0].name', 'a', result)).toBe(true);
    expect(hasPath('items[1].name', 'a', result)).toBe(false);
  });

  it('beyond the end there is nothing', () => {
    expect(hasPath('items[2].name', 'a', result)).toBe(false);
    expect(hasPath('items.name', 'a', result)).toBe(false);
  });
});

requirement('2.7/json-path-template', () => {
  const result = { items: [{ name: 'a' }, { name: 'prod' }] };

  it('sees the result as .result', () => {
    expect(hasPath('{{ (index .result.items 0).name }}', 'a', result)).toBe(true);
    expect(hasPath('{{ (index .result.items 0).name }}', 'b', result)).toBe(false);
  });

  it('keeps the type of what one action gives', () => {
    expect(hasPath('{{ len .result.items }}', 2, result)).toBe(true);
    expect(hasPath('{{ .result.items }}', [{ name: 'a' }, { name: 'prod' }], result)).toBe(true);
    expect(hasPath('n={{ len .result.items }}', 'n=2', result)).toBe(true);
  });

  it('sees everything else as well', () => {
    expect(hasPath('{{ eq (index .result.items 1).name .input.env }}', true, result)).toBe(true);
  });

  it('does not pass when it leads nowhere', () => {
    expect(hasPath('{{ .result.nope }}', 'a', result)).toBe(false);
    expect(hasPath('{{ (index .result.items 9).name }}', 'a', result)).toBe(false);
  });
});

describe('JSONPath in expectations', () => {
  const result = { items: [{ name: 'a' }, { name: 'b' }] };

  it('starts with $', () => {
    expect(hasPath('$.items[1].name', 'b', result)).toBe(true);
    expect(hasPath('$.items[*].name', ['a', 'b'], result)).toBe(true);
    expect(hasPath('$..name', ['a', 'b'], result)).toBe(true);
    expect(hasPath('$..name', ['b', 'a'], result)).toBe(false);
    expect(hasPath('$..nope', [], result)).toBe(false);
    expect(hasPath('$', result, result)).toBe(true);
  });

  it('is no JSONPath when a name follows', () => {
    expect(hasPath('$ref', 1, { $ref: 1 })).toBe(true);
  });

  it('fails a search that is too large instead of answering', () => {
    const wide = Array.from({ length: 400 }, () => Array.from({ length: 400 }, () => ({ a: 1 })));
    const text = "path '$..a' leads to too many places, or more than 200 levels deep";
    expect(hasPath('$..a', 1, wide)).toBe(text);
    expect(meets({ expectNot: { jsonPath: { '$..a': 1 } } }, { result: wide })).toBe(text);
  });
});

requirement('2.7/condition-expect', () => {
  it('passes when all that it says holds', () => {
    const expectation = { expect: { success: true, jsonPath: { a: 1, b: 2 } } };
    expect(meets(expectation, { result: { a: 1, b: 2 } })).toBe(true);
    expect(meets(expectation, { failed: true, result: { a: 1, b: 2 } })).toBe(false);
    expect(meets(expectation, { result: { a: 1, b: 3 } })).toBe(false);
    expect(meets(expectation, { result: { a: 1 } })).toBe(false);
  });
});

requirement('2.7/condition-expect-not', () => {
  it('passes when not all that it says holds', () => {
    const expectation = { expectNot: { success: true, jsonPath: { a: 1, b: 2 } } };
    expect(meets(expectation, { result: { a: 1, b: 2 } })).toBe(false);
    expect(meets(expectation, { failed: true, result: { a: 1, b: 2 } })).toBe(true);
    expect(meets(expectation, { result: { a: 1, b: 3 } })).toBe(true);
    expect(meets(expectation, { result: {} })).toBe(true);
  });

  it('of success alone is the opposite of success', () => {
    expect(meets({ expectNot: { success: true } }, { failed: true })).toBe(true);
    expect(meets({ expectNot: { success: true } }, { failed: false })).toBe(false);
    expect(meets({ expectNot: { success: false } }, { failed: false })).toBe(true);
    expect(meets({ expectNot: { success: false } }, { failed: true })).toBe(false);
  });

  it('must not hold where expect must', () => {
    const both = { expect: { success: true }, expectNot: { jsonPath: { state: 'busy' } } };
    expect(meets(both, { result: { state: 'free' } })).toBe(true);
    expect(meets(both, { result: { state: 'busy' } })).toBe(false);
    expect(meets(both, { failed: true, result: { state: 'free' } })).toBe(false);
    expect(meets(both, { failed: true, result: { state: 'busy' } })).toBe(false);
  });
});

requirement('9.3/shared-navigator', () => {
  it('finds the same by jsonPath and by a template', () => {
    const result = { a: [{ 'b-c': { 'd.e': [7] } }] };
    const path = 'a[0].b-c["d.e"][0]';
    expect(hasPath(path, 7, result)).toBe(true);
    expect(hasPath(`{{ .result.${path} }}`, 7, result)).toBe(true);
    expect(hasPath('a[1].b-c', 7, result)).toBe(false);
    expect(hasPath('{{ .result.a[1].b-c }}', 7, result)).toBe(false);
  });
});

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
