import { expect, it } from 'vitest';
import { parseToolset, formatError } from '../src/index.ts';
import { requirement } from './requirement.ts';

const textOf = (items: readonly string[]): string | undefined => {
  const parsed = parseToolset(items);
  return parsed.ok ? undefined : formatError(parsed.error);
};

requirement('7.1/empty', () => {
  it('refuses an empty list', () =>
    expect(textOf([])).toBe('toolset [] is empty; use "preset:none" for an agent without tools'));
  it('accepts preset:none', () => expect(textOf(['preset:none'])).toBeUndefined());
});

requirement('7.1/reserved', () => {
  it('refuses toolset:x', () =>
    expect(textOf(['toolset:x'])).toBe(
      'toolset [toolset:x] selector "toolset:x" is reserved for shared toolsets',
    ));
  it('accepts preset:x', () => expect(textOf(['preset:x'])).toBeUndefined());
});

requirement('7.1/label', () => {
  it('refuses label:team=a inline', () =>
    expect(textOf(['label:team=a'])).toBe(
      'toolset [label:team=a] selector "label:team=a" is allowed inside presets only',
    ));
  it('accepts tool:label as a tool name', () => expect(textOf(['tool:label'])).toBeUndefined());
});

requirement('7.1/malformed', () => {
  it('refuses any other selector', () =>
    expect(textOf(['x_k8s_list'])).toBe(
      'toolset [x_k8s_list] selector "x_k8s_list" is malformed; expected preset:<name>, server:<name>, workflow:<name> or tool:<name>',
    ));
  it('accepts the same name with its kind', () =>
    expect(textOf(['tool:x_k8s_list'])).toBeUndefined());
});

requirement('7.1/too-many', () => {
  const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJ'.split('').map((name) => `tool:${name}`);
  it('names the whole list and its count', () =>
    expect(textOf(letters.slice(0, 33))).toBe(
      'toolset [tool:a,tool:b,tool:c,tool:d,tool:e,tool:f,tool:g,tool:h,tool:i,tool:j,tool:k,tool:l,tool:m,tool:n,tool:o,tool:p,tool:q,tool:r,tool:s,tool:t,tool:u,tool:v,tool:w,tool:x,tool:y,tool:z,tool:A,tool:B,tool:C,tool:D,tool:E,tool:F,tool:G] has 33 selectors, more than the 32 allowed inline; define a preset',
    ));
  it('counts 36', () =>
    expect(textOf(letters)).toMatch(
      / has 36 selectors, more than the 32 allowed inline; define a preset$/,
    ));
  it('accepts 32', () => expect(textOf(letters.slice(0, 32))).toBeUndefined());
});

requirement('7.1/names-toolset-and-selector', () => {
  it('prints the trimmed toolset without blanks, in order, duplicates kept', () =>
    expect(textOf([' tool:b ', 'tool:a', 'tool:b', '\tbad'])).toBe(
      'toolset [tool:b,tool:a,tool:b,bad] selector "bad" is malformed; expected preset:<name>, server:<name>, workflow:<name> or tool:<name>',
    ));
});
