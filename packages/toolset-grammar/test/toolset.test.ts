import { describe, expect, it } from 'vitest';
import { MAX_INLINE_SELECTORS, parseToolset } from '../src/index.ts';
import { requirement } from './requirement.ts';

const tools = (count: number): string[] => Array.from({ length: count }, () => 'tool:a');

requirement('2.1/max-inline', () => {
  it('allows 32', () => expect(MAX_INLINE_SELECTORS).toBe(32));
  it('takes 32 selectors', () => expect(parseToolset(tools(32)).ok).toBe(true));
  it('refuses 33 selectors', () =>
    expect(parseToolset(tools(33))).toEqual({
      ok: false,
      error: { code: 'toolset.too-many', toolset: tools(33) },
    }));
});

requirement('8/inline-selectors', () => {
  it('counts duplicates', () => expect(parseToolset(tools(33)).ok).toBe(false));
  it('counts malformed items', () =>
    expect(parseToolset([...tools(32), ''])).toMatchObject({
      error: { code: 'toolset.too-many' },
    }));
  it('sees the shape of 32 items', () =>
    expect(parseToolset([...tools(31), ''])).toMatchObject({
      error: { code: 'toolset.malformed', selector: '' },
    }));
});

requirement('7.1/never-partial', () => {
  it('keeps nothing of a list with one offender', () =>
    expect(parseToolset(['server:a', 'bad', 'tool:b'])).toEqual({
      ok: false,
      error: {
        code: 'toolset.malformed',
        toolset: ['server:a', 'bad', 'tool:b'],
        selector: 'bad',
      },
    }));
  it('keeps all of a list without', () =>
    expect(parseToolset(['server:a', 'tool:b'])).toEqual({
      ok: true,
      value: {
        text: '[server:a,tool:b]',
        selectors: [
          { kind: 'server', name: 'a', text: 'server:a' },
          { kind: 'tool', name: 'b', text: 'tool:b' },
        ],
      },
    }));
});

describe('order of checks', () => {
  it('is empty before anything else', () =>
    expect(parseToolset([])).toEqual({ ok: false, error: { code: 'toolset.empty' } }));
  it('finds the first offender in order', () =>
    expect(parseToolset(['tool:a', 'label:b=c', 'toolset:d', 'e'])).toMatchObject({
      error: { code: 'toolset.label', selector: 'label:b=c' },
    }));
  it('finds another first offender in another order', () =>
    expect(parseToolset(['tool:a', 'toolset:d', 'label:b=c', 'e'])).toMatchObject({
      error: { code: 'toolset.reserved', selector: 'toolset:d' },
    }));
});

describe('the given list', () => {
  it('is not changed', () => {
    const items = Object.freeze([' server:a ', 'tool:b']);
    expect(parseToolset(items)).toMatchObject({ value: { text: '[server:a,tool:b]' } });
    expect(items).toEqual([' server:a ', 'tool:b']);
  });
});
