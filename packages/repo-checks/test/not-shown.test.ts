import { describe, expect, it } from 'vitest';
import { leavesOut, notShownSections } from '../src/not-shown.ts';

describe('docs/spec/not-shown.md', () => {
  it('answers the sections in the first column of its tables', () => {
    const page =
      '| §    | What |\n|------|---|\n| §3   | a |\n| §4.3 | b |\n| §3 | c |\n\n§9 in prose\n';
    expect(notShownSections(page)).toEqual(['3', '4.3']);
  });
});

describe('a section of the spec', () => {
  it('leaves something out when it says "not shown"', () => {
    expect(leavesOut('Transitions: not shown.')).toBe(true);
    expect(leavesOut('Transitions: shown.')).toBe(false);
  });
});
