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

requirement('2.7/argument-required', () => {
  const args = { repo: { type: 'string', required: true }, depth: { type: 'integer' } };

  it('refuses a call without it', () => {
    expect(taken(args, { depth: 3 })).toBe(
      "input validation failed: required field 'repo' is missing",
    );
    expect(taken(args, undefined)).toBe(
      "input validation failed: required field 'repo' is missing",
    );
  });

  it('takes a call with it, and one without an argument that is not required', () => {
    expect(taken(args, { repo: 'gateway' })).toEqual({ repo: 'gateway' });
    expect(taken({ depth: { type: 'integer' } }, undefined)).toEqual({});
  });

  it('takes a blank text for a text', () => {
    expect(taken(args, { repo: '' })).toEqual({ repo: '' });
  });

  it('names the first of several in the order of the document', () => {
    const several = {
      zone: { type: 'string', required: true },
      area: { type: 'string', required: true },
    };
    expect(taken(several, {})).toBe("input validation failed: required field 'zone' is missing");
    expect(taken(several, { zone: 1 })).toBe(
      "input validation failed: field 'zone' has wrong type, expected string",
    );
    expect(taken(several, { zone: 'z' })).toBe(
      "input validation failed: required field 'area' is missing",
    );
  });
});

requirement('2.7/argument-default', () => {
  const args = {
    depth: { type: 'integer', default: 10 },
    tags: { type: 'array', default: ['a', { b: null }] },
  };

  it('stands in for what is left out', () => {
    expect(taken(args, { tags: [] })).toEqual({ depth: 10, tags: [] });
    expect(taken(args, {})).toEqual({ depth: 10, tags: ['a', { b: null }] });
  });

  it('does not stand in for what is there', () => {
    expect(taken(args, { depth: 0, tags: [] })).toEqual({ depth: 0, tags: [] });
  });

  it('does not stand in for null, which is of no type', () => {
    expect(taken(args, { depth: null })).toBe(
      "input validation failed: field 'depth' has wrong type, expected integer",
    );
  });
});

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

  for (const [type, values] of Object.entries(fits)) {
    it(`takes ${type} as it is`, () => {
      for (const value of values)
        expect(taken({ a: { type } }, { a: value })).toEqual({ a: value });
    });

    it(`converts nothing to ${type}`, () => {
      const refused = everything.filter(
        (value) => typeof taken({ a: { type } }, { a: value }) === 'string',
      );
      const others = everything.filter(
        (value) => !fitting[type]!.some((one) => JSON.stringify(one) === JSON.stringify(value)),
      );
      expect(refused).toEqual(others);
    });
  }
});

describe('arguments that nobody declared', () => {
  it('stay', () => {
    expect(taken({}, { extra: { deep: [1] } })).toEqual({ extra: { deep: [1] } });
  });

  it('may have the names of prototypes', () => {
    const given = JSON.parse('{"__proto__": {"a": 1}, "constructor": 2}') as unknown;
    const input = taken({}, given);
    expect(JSON.stringify(input)).toBe('{"__proto__":{"a":1},"constructor":2}');
  });

  it('do not pass for declared ones by their prototype', () => {
    expect(taken({ toString: { type: 'string', required: true } }, {})).toBe(
      "input validation failed: required field 'toString' is missing",
    );
  });
});

describe('_debug', () => {
  const answer = (given: unknown) => {
    const { debug, input } = validateArguments(withArgs({}), given);
    return [debug, input];
  };

  it('asks for every result with true or "true"', () => {
    expect(answer({ _debug: true, a: 1 })).toEqual([true, { a: 1 }]);
    expect(answer({ _debug: 'true' })).toEqual([true, {}]);
  });

  it('asks for nothing with anything else, and is removed all the same', () => {
    for (const value of [false, 'false', 1, null, {}]) {
      expect(answer({ _debug: value })).toEqual([false, {}]);
    }
    expect(answer({})).toEqual([false, {}]);
  });

  it('is known of a call that is refused, too', () => {
    const args = { repo: { type: 'string', required: true } };
    expect(validateArguments(withArgs(args), { _debug: true, b: 2 })).toEqual({
      ok: false,
      debug: true,
      input: { b: 2 },
      error: "input validation failed: required field 'repo' is missing",
    });
  });
});

describe('arguments that are no object', () => {
  it('are refused', () => {
    for (const given of [[], 'text', 5, true]) {
      expect(taken({}, given)).toBe('input validation failed: arguments must be an object');
    }
  });

  it('are no arguments when there are none', () => {
    expect(taken({}, null)).toEqual({});
    expect(taken({}, undefined)).toEqual({});
  });
});

describe('arguments that nest deeply', () => {
  const nested = (levels: number): unknown => {
    let value: unknown = 1;
    for (let level = 0; level < levels; level += 1) value = [value];
    return value;
  };

  it('are taken up to 500 levels, the object of all arguments included', () => {
    expect(typeof taken({}, { a: nested(499) })).toBe('object');
    expect(taken({}, { a: nested(500) })).toBe(
      'input validation failed: arguments are nested more than 500 levels deep',
    );
  });

  it('are refused however deep they are', () => {
    const deep = JSON.parse('['.repeat(200_000) + ']'.repeat(200_000)) as unknown;
    expect(taken({}, { a: deep })).toBe(
      'input validation failed: arguments are nested more than 500 levels deep',
    );
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
