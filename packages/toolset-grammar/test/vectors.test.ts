import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseToolset, parseToolsetHeader, formatError } from '../src/index.ts';
import type { ParsedToolset, Selector } from '../src/index.ts';

type Input =
  | { readonly header: string }
  | { readonly headerLines: readonly string[] }
  | { readonly list: readonly string[] };

interface Vector {
  readonly id: string;
  readonly group: string;
  readonly why: string;
  readonly input: Input;
  readonly accepted?: { readonly text: string; readonly selectors: readonly Selector[] };
  readonly refused?: { readonly code: string; readonly text: string; readonly selector?: string };
}

const file = new URL('../vectors/selectors.json', import.meta.url);
const { vectors } = JSON.parse(readFileSync(file, 'utf8')) as { vectors: readonly Vector[] };

const parse = (input: Input): ParsedToolset => {
  if ('header' in input) return parseToolsetHeader([input.header]);
  return 'list' in input ? parseToolset(input.list) : parseToolsetHeader(input.headerLines);
};

const outcomeOf = (parsed: ParsedToolset): Pick<Vector, 'accepted' | 'refused'> => {
  if (parsed.ok) return { accepted: parsed.value };
  const { error } = parsed;
  const selector = 'selector' in error ? { selector: error.selector } : {};
  return { refused: { code: error.code, text: formatError(error), ...selector } };
};

describe('vectors/selectors.json', () => {
  it('holds 187 vectors with ids of their own', () => {
    expect(vectors).toHaveLength(187);
    expect(new Set(vectors.map(({ id }) => id)).size).toBe(187);
  });
  it.each(vectors)('$group/$id: $why', ({ input, accepted, refused }) => {
    const expected = accepted === undefined ? { refused } : { accepted };
    expect(outcomeOf(parse(input))).toEqual(expected);
  });
});
