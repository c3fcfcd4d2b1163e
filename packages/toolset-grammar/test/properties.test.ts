import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  formatToolset,
  parseSelector,
  parseToolset,
  parseToolsetHeader,
  formatError,
} from '../src/index.ts';

const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
  fc.string({
    unit: fc.constantFrom(
      'p',
      'r',
      'e',
      's',
      't',
      'o',
      'l',
      'a',
      'b',
      ':',
      ',',
      ' ',
      '\t',
      '\n',
      '\u00a0',
      '\ud800',
    ),
  }),
);
const selector = fc
  .tuple(
    fc.constantFrom('preset', 'server', 'workflow', 'tool'),
    fc.string({ unit: 'binary', minLength: 1 }).filter((name) => !/[\t\n\f\r ,]/.test(name)),
  )
  .map(([kind, name]) => `${kind}:${name}`);
const toolset = fc.array(selector, { minLength: 1, maxLength: 32 });

describe('for every text', () => {
  it('parsing a selector is defined and agrees with the grammar of the specification', () =>
    fc.assert(
      fc.property(fc.oneof(anyText, selector), (text) => {
        const parsed = parseSelector(text);
        const trimmed = text.replace(/^[ \t]+/, '').replace(/[ \t]+$/, '');
        expect(parsed.ok).toBe(/^(preset|server|workflow|tool):[^\t\n\f\r ,]+$/.test(trimmed));
      }),
    ));
  it('parsing a header gives a toolset or a text that begins with the toolset', () =>
    fc.assert(
      fc.property(fc.array(anyText, { maxLength: 40 }), (lines) => {
        const parsed = parseToolsetHeader(lines);
        if (parsed.ok) expect(parsed.value.selectors.length).toBeGreaterThan(0);
        else expect(formatError(parsed.error)).toMatch(/^toolset \[/);
      }),
    ));
  it('parsing a list never takes more or less than the whole list', () =>
    fc.assert(
      fc.property(fc.array(fc.oneof(anyText, selector), { maxLength: 40 }), (items) => {
        const parsed = parseToolset(items);
        if (parsed.ok) expect(parsed.value.selectors).toHaveLength(items.length);
        else expect(items.length === 0).toBe(parsed.error.code === 'toolset.empty');
      }),
    ));
});

describe('round trip', () => {
  it('reads back what it prints', () =>
    fc.assert(
      fc.property(toolset, (items) => {
        const parsed = parseToolset(items);
        const texts = parsed.ok ? parsed.value.selectors.map(({ text }) => text) : [];
        expect(texts).toEqual(items);
        expect(parsed).toMatchObject({ value: { text: formatToolset(items) } });
        expect(parseToolsetHeader([formatToolset(items).slice(1, -1)])).toEqual(parsed);
      }),
    ));
  it('is the same as a list, as one line and as several lines', () =>
    fc.assert(
      fc.property(toolset, fc.nat(31), (items, cut) => {
        const lines = [items.slice(0, cut), items.slice(cut)].filter((part) => part.length > 0);
        const asList = parseToolset(items);
        expect(parseToolsetHeader([items.join(' ,\t')])).toEqual(asList);
        expect(parseToolsetHeader(lines.map((line) => line.join(', ')))).toEqual(asList);
      }),
    ));
});
