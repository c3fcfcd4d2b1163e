import { describe, expect, it } from 'vitest';
import { formatToolset } from '../src/index.ts';

describe('formatToolset', () => {
  it('prints selectors in order without blanks, duplicates kept', () =>
    expect(formatToolset(['tool:b', 'tool:a', 'tool:b'])).toBe('[tool:b,tool:a,tool:b]'));
  it('prints one selector', () => expect(formatToolset(['preset:none'])).toBe('[preset:none]'));
  it('prints no selector', () => expect(formatToolset([])).toBe('[]'));
});
