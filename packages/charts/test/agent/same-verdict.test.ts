import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  parseToolset,
  quoteText,
  type ParsedToolset,
  type ToolsetError,
} from '@gateway/toolset-grammar';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { requirement } from '../requirement.ts';
import { refusalOf, toolsetProblems, toolsOf } from './agent-chart.ts';

const VECTORS = join(import.meta.dirname, '../../../toolset-grammar/vectors/selectors.json');

/** Returns the chart's text for a refusal of the gateway, with the same selector. */
const chartText = (error: ToolsetError): string => {
  switch (error.code) {
    case 'toolset.empty':
      return 'toolset is empty: an agent without tools declares toolset: ["preset:none"]; leave toolset unset for implicit full access to everything the gateway exposes';
    case 'toolset.too-many':
      return `toolset has ${error.toolset.length.toString()} selectors, above the inline cap of 32: define a preset (gateway toolsetPresets) and select it with preset:<name>`;
    case 'toolset.reserved':
      return `toolset selector ${quoteText(error.selector)}: toolset:<name> is reserved for shared toolsets`;
    case 'toolset.label':
      return `toolset selector ${quoteText(error.selector)}: label: selectors are allowed inside presets only`;
    case 'toolset.malformed':
      return `toolset selector ${quoteText(error.selector)} is invalid: expected preset:<name>, server:<name>, workflow:<name> or tool:<name> (exact name, no whitespace or commas)`;
  }
};

const textOf = (parsed: ParsedToolset): string => (parsed.ok ? '' : chartText(parsed.error));

interface Vector {
  readonly id: string;
  readonly input: {
    readonly header?: string;
    readonly headerLines?: readonly string[];
    readonly list?: readonly string[];
  };
  readonly accepted?: object;
  readonly refused?: { readonly code: string };
}

/** A header as the list that its sender declared. */
const listOf = ({ header, headerLines, list }: Vector['input']): readonly string[] => {
  if (list !== undefined) return list;
  const value = (headerLines ?? [header ?? '']).join(',');
  return /^[ \t]*$/u.test(value) ? [] : value.split(',');
};

const trimmed = (list: readonly string[]): readonly string[] =>
  list.map((item) => item.replace(/^[ \t]+|[ \t]+$/gu, ''));

const isTrimmed = (list: readonly string[]): boolean =>
  trimmed(list).every((item, at) => item === list[at]);

const { vectors } = JSON.parse(await readFile(VECTORS, 'utf8')) as {
  readonly vectors: readonly Vector[];
};
const lists = vectors.map(({ input }) => listOf(input));
const withBlanks = lists.filter((list) => list.length <= 32 && !isTrimmed(list));

describe('the vectors of the grammar', async () => {
  const [ofTrimmed, ofGiven, ofBlanks] = await Promise.all(
    [lists.map(trimmed), lists, withBlanks].map(toolsetProblems),
  );

  requirement('7.4/refused-selector', () => {
    it('get the stated verdict after trimming, with the same quoted selector', () => {
      const verdicts = lists.map((list) => parseToolset(trimmed(list)));
      expect(vectors.map(({ id }, at) => [id, ofTrimmed?.[at]])).toEqual(
        vectors.map(({ id }, at) => [id, verdicts[at] && textOf(verdicts[at])]),
      );
      expect(verdicts.map((parsed) => (parsed.ok ? undefined : parsed.error.code))).toEqual(
        vectors.map(({ refused }) => refused?.code),
      );
    });
  });

  it('also get the untrimmed text without surrounding whitespace', () => {
    const different = lists.filter(
      (list, at) => isTrimmed(list) && ofGiven?.[at] !== ofTrimmed?.[at],
    );
    expect(different).toEqual([]);
    expect(lists.filter(isTrimmed).length).toBeGreaterThan(150);
  });

  it('are refused untrimmed, whereas the gateway trims', () => {
    expect(withBlanks.length).toBeGreaterThan(10);
    expect(ofBlanks?.filter((problem) => problem === '')).toEqual([]);
  });
});

requirement('7.4/empty', () => {
  it('is the refusal of a blank header only without selectors', async () =>
    expect(await toolsetProblems([[], [''], null])).toEqual([
      expect.stringMatching(/^toolset is empty: /u),
      expect.stringMatching(/^toolset selector "" is invalid: /u),
      '',
    ]));
});

requirement('7.4/too-many', () => {
  it('takes precedence over every other refusal, and counts duplicates', async () => {
    const many = (item: unknown, count: number) => Array.from({ length: count }, () => item);
    const toolsets = [many('toolset:x', 33), many('tool:a', 33), many(7, 40), many('tool:a', 32)];
    expect((await toolsetProblems(toolsets)).map((text) => text.split(',', 1)[0])).toEqual([
      'toolset has 33 selectors',
      'toolset has 33 selectors',
      'toolset has 40 selectors',
      '',
    ]);
  });
});

describe('the real chart, on vectors', () => {
  const list = (id: string): readonly string[] =>
    listOf(vectors.find((vector) => vector.id === id)?.input ?? {});

  it.each(['vertical-tab', 'nbsp-at-end', 'line-separator', 'fullwidth-comma'])(
    'writes %s into the header as it is',
    async (id) => {
      const [entry] = (await toolsOf({ toolset: list(id) })) ?? [];
      expect(entry?.headersFrom).toEqual([
        { name: 'X-Gateway-Toolset', value: list(id).join(',') },
      ]);
    },
  );

  it.each(['bell-in-refusal', 'astral-invisible-in-refusal', 'newline-not-trimmed'])(
    'refuses %s with the selector quoted',
    async (id) => {
      expect(await refusalOf({ toolset: list(id) })).toBe(textOf(parseToolset(list(id))));
    },
  );
});

const EXOTIC = Array.from(
  '\t\n\v\f\r ,:"\\{}$\u0000\u001b\u007f\u0085\u00a0\u1680\u2003\u2028\u2029\u202e\u202f\u200b\u2060\u3000\ufeff\uff0c\uff1aéßж世🚀',
);
const KINDS = ['preset', 'server', 'workflow', 'tool', 'toolset', 'label', 'Preset', 'tools', ''];

const text = fc.string({
  unit: fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...Array.from('abz019-_./*=')) },
    { weight: 1, arbitrary: fc.constantFrom(...EXOTIC) },
  ),
  maxLength: 12,
});
const selector = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.tuple(fc.constantFrom(...KINDS), text).map((parts) => parts.join(':')),
  },
  { weight: 1, arbitrary: text },
  {
    weight: 1,
    arbitrary: fc.tuple(text, fc.constantFrom(...KINDS), text).map(([a, b, c]) => `${a}${b}:${c}`),
  },
);

it('any selector gets the same verdict from Go and from the grammar', async () => {
  const seed = Date.now();
  const selectors = fc.sample(selector, { numRuns: 2000, seed });
  const toolsets = selectors.map((item) => trimmed([item]));
  const problems = await toolsetProblems(toolsets);
  const expected = toolsets.map((toolset) => textOf(parseToolset(toolset)));
  expect(problems, `seed ${seed.toString()}`).toEqual(expected);
  // Both verdicts occur often, so that a constant answer fails.
  expect(problems.filter((problem) => problem === '').length).toBeGreaterThan(200);
  expect(problems.filter((problem) => problem !== '').length).toBeGreaterThan(200);
});
