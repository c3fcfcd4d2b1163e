import { expect, it } from 'vitest';
import { parseToolset, parseToolsetHeader, TOOLSET_HEADER } from '../src/index.ts';
import { requirement } from './requirement.ts';

requirement('4.1/comma-separated', () => {
  it('is called X-Gateway-Toolset', () => expect(TOOLSET_HEADER).toBe('X-Gateway-Toolset'));
  it('separates at commas', () =>
    expect(parseToolsetHeader(['server:a,tool:b'])).toEqual(parseToolset(['server:a', 'tool:b'])));
  it('does not separate the items of a list', () =>
    expect(parseToolset(['server:a,tool:b']).ok).toBe(false));
  it('combines repeated lines in order', () =>
    expect(parseToolsetHeader(['server:a, server:b', 'tool:c'])).toMatchObject({
      value: { text: '[server:a,server:b,tool:c]' },
    }));
  it('keeps empty items, which are malformed', () =>
    expect(parseToolsetHeader(['server:a,,tool:b'])).toMatchObject({
      error: { code: 'toolset.malformed', selector: '', toolset: ['server:a', '', 'tool:b'] },
    }));
});

requirement('4.1/trimmed', () => {
  it('trims around each selector', () =>
    expect(parseToolsetHeader([' server:a \t,\ttool:b '])).toMatchObject({
      value: { text: '[server:a,tool:b]' },
    }));
  it('does not trim inside a selector', () =>
    expect(parseToolsetHeader(['server: a'])).toMatchObject({
      error: { code: 'toolset.malformed', selector: 'server: a' },
    }));
});

requirement('3/no-state', () => {
  it('gives every request what its own header says', () => {
    const first = parseToolsetHeader(['server:a']);
    const second = parseToolsetHeader(['server:b']);
    expect(first).toMatchObject({ value: { text: '[server:a]' } });
    expect(second).toMatchObject({ value: { text: '[server:b]' } });
    expect(parseToolsetHeader(['server:a'])).toEqual(first);
  });
});

requirement('3/not-sticky', () => {
  it('takes a toolset after a refused one', () => {
    expect(parseToolsetHeader(['bad']).ok).toBe(false);
    expect(parseToolsetHeader(['server:a']).ok).toBe(true);
  });
});

requirement('3/absence-alone-unscopes', () => {
  it.each([[[]], [['']], [[' \t']]])('refuses the present but blank header %j', (lines) =>
    expect(parseToolsetHeader(lines)).toEqual({ ok: false, error: { code: 'toolset.empty' } }),
  );
  it('scopes to nothing only when told so', () =>
    expect(parseToolsetHeader(['preset:none']).ok).toBe(true));
});
