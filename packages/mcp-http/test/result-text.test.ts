import type { CallResult } from '@gateway/call-contract';
import { joinText, JsonScan, storeSourceText, RawObject } from '@gateway/mcp-wire';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  formatStampedResult,
  formatResultText,
  wrapContent,
  createStamp,
  type ResultStamp,
} from '../src/protocol/results.ts';

const STAMP = createStamp('org/by', { name: 's' });
const KEPT = createStamp('org/by', { name: 's' }, { ttlMs: 0, cacheScope: 'private' });

/** An object as a server sent it. */
const sent = (text: string): RawObject => {
  const bytes = Buffer.from(text);
  const names = ['_meta', 'resultType', 'structuredContent', 'ttlMs', 'cacheScope'];
  const members = Object.fromEntries(names.map((name) => [name, {}]));
  const scan = new JsonScan(bytes, { members });
  scan.advance();
  const raw = scan.root && RawObject.at(bytes, scan.root);
  if (raw === undefined) throw new Error('no object');
  return raw;
};

/** The text that a result is written as. */
const written = (result: CallResult, stamp: ResultStamp | undefined): string => {
  const json = formatStampedResult(result, stamp);
  return typeof json === 'string' ? json : joinText(json.between('', ''));
};

const STAMPED = '"resultType":"complete","_meta":{"org/by":{"name":"s"}}';

describe('the text of a result', () => {
  it.each<[string, ResultStamp | undefined, string]>([
    ['{ "a":1.0 }', undefined, '{ "a":1.0 }'],
    ['{"a":1.10,"_meta":{"b":1e400}}', undefined, '{"a":1.10,"_meta":{"b":1e400}}'],
    ['{\r\n}', STAMP, `{${STAMPED}\r\n}`],
    ['{"a":1.10}', STAMP, `{${STAMPED},"a":1.10}`],
    [
      '{"a":1.10,"_meta":{"b":1e400}}',
      STAMP,
      '{"resultType":"complete","a":1.10,"_meta":{"b":1e400,"org/by":{"name":"s"}}}',
    ],
    ['{"_meta":{"org/by":1.0}}', STAMP, '{"resultType":"complete","_meta":{"org/by":1.0}}'],
    ['{"_meta":7}', STAMP, '{"resultType":"complete","_meta":7}'],
    [
      '{"resultType":"input_required"}',
      STAMP,
      '{"_meta":{"org/by":{"name":"s"}},"resultType":"input_required"}',
    ],
    [
      '{"ttlMs":9.0}',
      KEPT,
      '{"resultType":"complete","cacheScope":"private","_meta":{"org/by":{"name":"s"}},"ttlMs":9.0}',
    ],
  ])('of a server keeps its bytes: %s', (text, stamp, expected) => {
    expect(written(sent(text), stamp)).toBe(expected);
  });

  it('of a value that keeps its text is that text', () => {
    const result = storeSourceText({ a: 1 }, '{"a":1.0}');
    expect(formatResultText(result, undefined)).toBe('{"a":1.0}');
    expect(formatResultText(result, STAMP)).toBe(`{${STAMPED},"a":1.0}`);
    expect(formatResultText({ a: 1 }, STAMP)).toBe(`{${STAMPED},"a":1}`);
    expect(formatResultText({}, STAMP)).toBe(`{${STAMPED}}`);
  });

  it('has what a _meta contains that changes between two results', () => {
    const _meta = { b: 2 };
    expect(formatResultText({ _meta }, undefined)).toBe('{"_meta":{"b":2}}');
    _meta.b = 3;
    expect(formatResultText({ _meta }, undefined)).toBe('{"_meta":{"b":3}}');
  });

  it.each([null, [], 'x', 7])('refuses %j, which is no object', (result) => {
    expect(() => formatResultText(result as never, undefined)).toThrow(
      'A result must be an object',
    );
  });

  it('is the same value for a text as for the value that it describes', () => {
    const key = fc.oneof(
      fc.constantFrom('resultType', 'ttlMs', '_meta', '__proto__', 'constructor', 'toJSON'),
      fc.string(),
    );
    const value = fc.oneof(
      fc.jsonValue(),
      fc.dictionary(fc.constantFrom('org/by', 'x'), fc.jsonValue()),
    );
    fc.assert(
      fc.property(
        fc.dictionary(key, value, { maxKeys: 5 }),
        fc.constantFrom(undefined, STAMP, KEPT),
        (members, stamp) => {
          const text = JSON.stringify(members);
          const parsed = JSON.parse(text) as Record<string, unknown>;
          const value: unknown = JSON.parse(formatResultText(parsed, stamp));
          expect(JSON.parse(written(sent(text), stamp))).toEqual(value);
        },
      ),
      { numRuns: 2_000, seed: 1 },
    );
  });
});

describe('structured content for clients of the 2025 revisions', () => {
  it.each([
    [
      '{"content":[],"structuredContent":[1.10]}',
      '{"content":[],"structuredContent":{"result":[1.10]}}',
    ],
    ['{"structuredContent": 1e400}', '{"structuredContent": {"result":1e400}}'],
    ['{"structuredContent":"a"}', '{"structuredContent":{"result":"a"}}'],
    ['{"structuredContent":null}', '{"structuredContent":{"result":null}}'],
    ['{"structuredContent":{"a":1.10}}', '{"structuredContent":{"a":1.10}}'],
    ['{"content":[]}', '{"content":[]}'],
  ])('is an object: %s', (text, expected) => {
    expect(written(wrapContent(sent(text)), undefined)).toBe(expected);
    const value = JSON.parse(text) as Record<string, unknown>;
    expect(wrapContent(value)).toEqual(JSON.parse(expected));
  });
});
