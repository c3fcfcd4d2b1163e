import { describe, expect, it } from 'vitest';
import { hasMoreValues } from '../src/http/json-values.ts';

describe('the number of members, objects and arrays of JSON text', () => {
  it.each([
    ['', 0, false],
    ['[1]', 0, true],
    ['[1]', 1, false],
    ['[1,2,"a",null]', 1, false],
    ['{"a":1,"b":2}', 2, true],
    ['{"a":1,"b":2}', 3, false],
    ['[[],[]]', 2, true],
    ['[[],[]]', 3, false],
    ['"[:::{"', 0, false],
    ['"\\"[:::{"', 0, false],
  ])('of %j, compared with %i', (text, limit, isMore) => {
    expect(hasMoreValues(Buffer.from(text), limit)).toBe(isMore);
  });
});
