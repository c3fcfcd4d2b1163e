import { describe, expect } from 'vitest';
import { FUNCTION_TABLE } from '../../src/functions/function-table.ts';
import type { TemplateFunction, TemplateValue } from '../../src/values/template-value.ts';
import { anyJson, fc, test } from '../fast-check.ts';
import { TEST_NOW } from './render-function.ts';

const context = { now: () => TEST_NOW, spend: () => true };

const called = (name: keyof typeof FUNCTION_TABLE, ...args: readonly TemplateValue[]) => {
  const { call }: { readonly call: TemplateFunction } = FUNCTION_TABLE[name];
  return call(args, context);
};

const wellFormed = fc.string({ unit: 'grapheme', maxLength: 30 });

describe('functions that undo one another', () => {
  test('toJson and mustFromJson', anyJson, (value) => {
    expect(called('mustFromJson', called('toJson', value) as string)).toEqual(value);
    expect(called('mustFromJson', called('toPrettyJson', value) as string)).toEqual(value);
  });

  test('b64enc and b64dec, b32enc and b32dec', wellFormed, (value) => {
    expect(called('b64dec', called('b64enc', value) as string)).toBe(value);
    expect(called('b32dec', called('b32enc', value) as string)).toBe(value);
  });

  test('splitList and join', wellFormed, (value) => {
    expect(called('join', ',', called('splitList', ',', value) as string[])).toBe(value);
  });

  test('date and toDate', fc.integer({ min: 0, max: 4_000_000_000 }), (seconds) => {
    const layout = 'Monday, 02 January 2006 03:04:05 PM -0700';
    const shown = called('date', layout, seconds) as string;
    expect(called('unixEpoch', called('mustToDate', layout, shown) as TemplateValue)).toBe(
      String(seconds),
    );
  });

  test(
    'urlParse and urlJoin',
    fc.webUrl({ withFragments: true, withQueryParameters: true }),
    (url) => {
      const parts = called('urlParse', url) as TemplateValue;
      const again = called('urlParse', called('urlJoin', parts) as string);
      expect(again).toEqual(parts);
    },
  );
});

describe('functions that agree with one another', () => {
  test('a quoted text matches itself', wellFormed, (value) => {
    expect(called('regexFind', `^${called('regexQuoteMeta', value) as string}$`, value)).toBe(
      value,
    );
  });

  test('equal values are one of a kind', anyJson, (value) => {
    expect(called('deepEqual', value, structuredClone(value))).toBe(true);
    expect(called('uniq', [value, structuredClone(value)])).toEqual([value]);
    expect(called('has', value, [structuredClone(value)])).toBe(true);
    expect(called('without', [value, 'other'], structuredClone(value))).toEqual(
      value === 'other' ? [] : ['other'],
    );
  });
});
