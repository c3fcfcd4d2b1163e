import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { resultText, type ResultStamp } from '../src/protocol/result-text.ts';

const STAMP: ResultStamp = { metaKey: 'org/by', metaValue: { name: 's' } };
const KEPT: ResultStamp = { ...STAMP, members: { ttlMs: 0, cacheScope: 'private' } };

const textOf = (result: object, json?: string, stamp?: ResultStamp): string =>
  resultText({ ok: true, result: result as never, ...(json !== undefined && { json }) }, stamp);

describe('the text of a result', () => {
  const CASES: readonly [string, object, string | undefined, ResultStamp | undefined, string][] = [
    ['none given', { a: 1 }, undefined, undefined, '{"a":1}'],
    ['given', { a: 1 }, '{ "a":1.0 }', undefined, '{ "a":1.0 }'],
    ['with _meta', { a: 1, _meta: { b: 2 } }, '{"a":1}', undefined, '{"_meta":{"b":2},"a":1}'],
    ['empty, with _meta', { _meta: { b: 2 } }, '{}', undefined, '{"_meta":{"b":2}}'],
    [
      'empty',
      {},
      ' {\r\n} ',
      STAMP,
      '{"resultType":"complete","_meta":{"org/by":{"name":"s"}}\r\n} ',
    ],
    [
      'stamped',
      { a: 1 },
      undefined,
      STAMP,
      '{"resultType":"complete","_meta":{"org/by":{"name":"s"}},"a":1}',
    ],
    [
      'empty, written here',
      {},
      undefined,
      STAMP,
      '{"resultType":"complete","_meta":{"org/by":{"name":"s"}}}',
    ],
    [
      'of another type',
      { resultType: 'input_required' },
      '{"resultType":"input_required"}',
      STAMP,
      '{"_meta":{"org/by":{"name":"s"}},"resultType":"input_required"}',
    ],
    [
      'with its own stamp',
      { _meta: { 'org/by': 1 } },
      '{}',
      STAMP,
      '{"resultType":"complete","_meta":{"org/by":1}}',
    ],
    ['with a malformed _meta', { _meta: 7 }, '{}', STAMP, '{"resultType":"complete","_meta":7}'],
    [
      'kept by itself',
      { ttlMs: 9 },
      '{"ttlMs":9}',
      KEPT,
      '{"resultType":"complete","cacheScope":"private","_meta":{"org/by":{"name":"s"}},"ttlMs":9}',
    ],
  ];

  it.each(CASES)('%s', (...[, result, json, stamp, text]) => {
    expect(textOf(result, json, stamp)).toBe(text);
  });

  it.each([
    [undefined, '{"_meta":{"b":2},"a":1}'],
    [STAMP, '{"resultType":"complete","_meta":{"org/by":{"name":"s"},"b":2},"a":1}'],
    [
      KEPT,
      '{"resultType":"complete","ttlMs":0,"cacheScope":"private","_meta":{"org/by":{"name":"s"},"b":2},"a":1}',
    ],
  ])('has a frozen _meta that several results share, for each stamp: %j', (stamp, text) => {
    const _meta = Object.freeze({ b: 2 });
    const answers = [1, 2].map((a) => textOf({ a, _meta }, `{"a":${a}}`, stamp));
    expect(answers).toEqual([text, text.replace('"a":1', '"a":2')]);
  });

  it('has what a _meta contains that changes between two results', () => {
    const _meta = { b: 2 };
    expect(textOf({ _meta }, '{}')).toBe('{"_meta":{"b":2}}');
    _meta.b = 3;
    expect(textOf({ _meta }, '{}')).toBe('{"_meta":{"b":3}}');
  });

  it.each([null, [], 'x', 7])('refuses %j, which is no object', (result) => {
    expect(() => textOf(result as never)).toThrow('A result must be an object');
  });

  it('is the same value with a text as without one', () => {
    const key = fc.oneof(
      fc.constantFrom('resultType', 'ttlMs', 'cacheScope', '__proto__', 'constructor', 'toJSON'),
      fc.string(),
    );
    const members = fc.dictionary(key, fc.jsonValue(), { maxKeys: 5 }).map((given) => {
      const { _meta, ...rest } = given;
      return rest;
    });
    const meta = fc.option(
      fc.oneof(fc.dictionary(fc.oneof(fc.constant('org/by'), key), fc.jsonValue()), fc.jsonValue()),
      { nil: undefined },
    );
    const space = fc.constantFrom('', ' ', '\n', '\r\n\t');
    fc.assert(
      fc.property(
        members,
        meta,
        fc.constantFrom(undefined, STAMP, KEPT),
        space,
        (rest, own, stamp, gap) => {
          const json = JSON.stringify(rest).replace('{', `${gap}{${gap}`);
          const whole = JSON.parse(JSON.stringify(rest)) as object;
          const result = own === undefined ? whole : { ...whole, _meta: own };
          const written: unknown = JSON.parse(textOf(result, undefined, stamp));
          expect(JSON.parse(textOf(result, json, stamp))).toEqual(written);
          expect(written).toMatchObject(JSON.parse(JSON.stringify(rest)) as object);
        },
      ),
      { numRuns: 2_000, seed: 1 },
    );
  });
});
