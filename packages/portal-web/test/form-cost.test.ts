import type { JsonObject } from '@gateway/call-contract';
import { describe, expect, it } from 'vitest';
import { isTooLargeForForm } from '../src/form/form-cost.ts';

const object = (properties: JsonObject): JsonObject => ({ type: 'object', properties });

const numbered = <T>(count: number, of: (at: number) => T): Readonly<Record<string, T>> =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`d${at}`, of(at)]));

const nestedAlternatives = (depth: number): JsonObject =>
  depth === 0
    ? { type: 'string' }
    : { oneOf: [object({ a: nestedAlternatives(depth - 1) }), { type: 'number' }] };

describe('a form is shown for', () => {
  it.each<[string, JsonObject]>([
    ['no fields', object({})],
    ['400 fields', object(numbered(400, () => ({ type: 'string' })))],
    ['a choice of 1,000 values', object({ a: { enum: Array.from({ length: 1_000 }, String) } })],
    [
      'lists of themselves',
      {
        ...object({ tree: { $ref: '#/$defs/node' } }),
        $defs: { node: object({ children: { type: 'array', items: { $ref: '#/$defs/node' } } }) },
      },
    ],
    ['alternatives in alternatives', object({ a: nestedAlternatives(3) })],
    ['an unknown reference', object({ a: { $ref: '#/$defs/__proto__' } })],
  ])('%s', (_, schema) => {
    expect(isTooLargeForForm(schema)).toBe(false);
  });
});

describe('a form is not shown for', () => {
  it.each<[string, JsonObject]>([
    ['600 fields', object(numbered(600, () => ({ type: 'string' })))],
    ['a choice of 20,000 values', object({ a: { enum: Array.from({ length: 20_000 }, String) } })],
    ['a default with 20,000 values', object({ a: { default: Array(20_000).fill({}) } })],
    [
      'a field that contains itself',
      {
        ...object({ f: { $ref: '#/$defs/f' } }),
        $defs: { f: { oneOf: [object({ left: { $ref: '#/$defs/f' } }), { type: 'number' }] } },
      },
    ],
    [
      'references that double at each of 23 levels',
      {
        ...object({ a: { $ref: '#/$defs/d22' } }),
        $defs: numbered(23, (at) =>
          at === 0
            ? { type: 'string' }
            : object({ a: { $ref: `#/$defs/d${at - 1}` }, b: { $ref: `#/$defs/d${at - 1}` } }),
        ),
      },
    ],
    ['14 levels of alternatives', object({ a: nestedAlternatives(14) })],
    ['a reference that is not encoded', object({ a: { $ref: '#/%' } })],
  ])('%s', (_, schema) => {
    expect(isTooLargeForForm(schema)).toBe(true);
  });
});
