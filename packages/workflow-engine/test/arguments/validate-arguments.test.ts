import { describe, expect, it } from 'vitest';
import { validateArguments } from '../../src/model/execution-tool.ts';
import { anyJson, fc, test } from '../fast-check.ts';
import { requirement } from '../requirement.ts';
import { workflowOf } from '../run-harness.ts';

const steps = [{ id: 'a', tool: 'x_git_log' }];

const withArgs = (args: unknown) => workflowOf({ args, steps });

/** The refusal, or the arguments. */
const taken = (args: unknown, given: unknown) => {
  const answer = validateArguments(withArgs(args), given);
  return answer.ok ? answer.input : answer.error;
};

/** Definitions of arguments, arguments, and the refusal or what is taken. */
const takesEach =
  (cases: readonly (readonly [args: unknown, given: unknown, taken: unknown])[]) => (): void => {
    it.each(cases)('%j takes %j as %j', (args, given, expected) => {
      const refusal =
        typeof expected === 'string' ? `input validation failed: ${expected}` : expected;
      expect(taken(args, given)).toEqual(refusal);
    });
  };

const repo = { repo: { type: 'string', required: true }, depth: { type: 'integer' } };
const several = {
  zone: { type: 'string', required: true },
  area: { type: 'string', required: true },
};
requirement(
  '2.7/argument-required',
  takesEach([
    [repo, { depth: 3 }, "required field 'repo' is missing"],
    [repo, undefined, "required field 'repo' is missing"],
    [repo, { repo: 'gateway' }, { repo: 'gateway' }],
    [repo, { repo: '' }, { repo: '' }],
    [{ depth: { type: 'integer' } }, undefined, {}],
    // The first of several in the order of the document.
    [several, {}, "required field 'zone' is missing"],
    [several, { zone: 1 }, "field 'zone' has wrong type, expected string"],
    [several, { zone: 'z' }, "required field 'area' is missing"],
    [{ toString: { type: 'string', required: true } }, {}, "required field 'toString' is missing"],
  ]),
);

const tags = ['a', { b: null }];
const defaults = {
  depth: { type: 'integer', default: 10 },
  tags: { type: 'array', default: tags },
};
requirement(
  '2.7/argument-default',
  takesEach([
    [defaults, { tags: [] }, { depth: 10, tags: [] }],
    [defaults, {}, { depth: 10, tags }],
    [defaults, { depth: 0, tags: [] }, { depth: 0, tags: [] }],
    [defaults, { depth: null }, "field 'depth' has wrong type, expected integer"],
  ]),
);

describe('types of arguments', () => {
  const fits: Readonly<Record<string, readonly unknown[]>> = {
    string: ['', 'text'],
    integer: [0, -3, 5.0, 9007199254740991],
    boolean: [true, false],
    number: [0, 1.5, -1e300],
    object: [{}, { a: 1 }],
    array: [[], [null]],
  };
  const everything = [null, true, 'text', '5', 5, 1.5, {}, []];
  const fitting: Readonly<Record<string, readonly unknown[]>> = {
    string: ['text', '5'],
    integer: [5],
    boolean: [true],
    number: [5, 1.5],
    object: [{}],
    array: [[]],
  };

  it.each(Object.entries(fits))('takes %s as it is, and converts nothing to it', (type, values) => {
    for (const value of values) expect(taken({ a: { type } }, { a: value })).toEqual({ a: value });
    const accepted = everything.filter(
      (value) => typeof taken({ a: { type } }, { a: value }) !== 'string',
    );
    expect(accepted).toEqual(fitting[type]);
  });
});

describe('arguments that nobody declared', () => {
  takesEach([
    [{}, { extra: { deep: [1] } }, { extra: { deep: [1] } }],
    [{}, null, {}],
    [{}, undefined, {}],
    ...[[], 'text', 5, true].map((given) => [{}, given, 'arguments must be an object'] as const),
  ])();

  it('may have the names of prototypes', () => {
    const text = '{"__proto__":{"a":1},"constructor":2}';
    expect(JSON.stringify(taken({}, JSON.parse(text)))).toBe(text);
  });
});

describe('_debug', () => {
  it.each<[given: unknown, asks: boolean, input: unknown]>([
    [{ _debug: true, a: 1 }, true, { a: 1 }],
    [{ _debug: 'true' }, true, {}],
    ...[false, 'false', 1, null, {}].map((_debug): [unknown, boolean, unknown] => [
      { _debug },
      false,
      {},
    ]),
    [{}, false, {}],
  ])('%j asks for every result: %j', (given, asks, expected) => {
    const { debug, input } = validateArguments(withArgs({}), given);
    expect([debug, input]).toEqual([asks, expected]);
  });

  it('is known of a call that is refused, too', () => {
    expect(validateArguments(withArgs(repo), { _debug: true, b: 2 })).toEqual({
      ok: false,
      debug: true,
      input: { b: 2 },
      error: "input validation failed: required field 'repo' is missing",
    });
  });
});

describe('arguments that nest deeply', () => {
  const nested = (levels: number): unknown => {
    let value: unknown = 1;
    for (let level = 0; level < levels; level += 1) value = [value];
    return value;
  };

  it('are taken up to 500 levels, the object of all arguments included', () => {
    const refusal = 'input validation failed: arguments are nested more than 500 levels deep';
    expect(typeof taken({}, { a: nested(499) })).toBe('object');
    expect(taken({}, { a: nested(500) })).toBe(refusal);
    expect(taken({}, { a: nested(200_000) })).toBe(refusal);
  });
});

describe('any arguments', () => {
  test(
    'come back equal where nothing is declared',
    fc.dictionary(fc.string(), anyJson),
    (given) => {
      const { _debug, ...rest } = given;
      expect(taken({}, given)).toEqual(rest);
    },
  );

  test('are never changed', fc.dictionary(fc.string(), anyJson), (given) => {
    const before = JSON.stringify(given);
    taken({ a: { type: 'string', default: 'x' } }, given);
    expect(JSON.stringify(given)).toBe(before);
  });
});
