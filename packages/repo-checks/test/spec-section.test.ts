import { describe, expect, it } from 'vitest';
import { parseSpecSections } from '../src/spec-section.ts';
import { hasOmission, parseNotShownSections } from '../src/spec-section.ts';

const SPEC = `# Title

Preface.

## 1. What it does

1. First thing.
2. Second thing:

| a | b |
|---|---|

## 2. Container

### 2.1 Inline selector

A list of selectors.

## 3. States

Not shown.
`;

describe('the sections of a spec', () => {
  it('are its numbered headings, and the items of a numbered list one by one', () => {
    expect(parseSpecSections(SPEC)).toEqual([
      { id: '1.1', title: 'What it does', text: '1. First thing.' },
      { id: '1.2', title: 'What it does', text: '2. Second thing:\n\n| a | b |\n|---|---|' },
      { id: '2.1', title: 'Inline selector', text: 'A list of selectors.' },
      { id: '3', title: 'States', text: 'Not shown.' },
    ]);
  });

  it('are none in a text without numbered headings', () => {
    expect(parseSpecSections('# Title\n\n## Words\n\ntext\n')).toEqual([]);
  });
});

describe('docs/spec/not-shown.md', () => {
  it('answers the sections in the first column of its tables', () => {
    const page =
      '| §    | What |\n|------|---|\n| §3   | a |\n| §4.3 | b |\n| §3 | c |\n\n§9 in prose\n';
    expect(parseNotShownSections(page)).toEqual(['3', '4.3']);
  });
});

describe('a section of the spec', () => {
  it('leaves something out when it says "not shown"', () => {
    expect(hasOmission('Transitions: not shown.')).toBe(true);
    expect(hasOmission('Transitions: shown.')).toBe(false);
  });
});
