import { describe, expect, it } from 'vitest';
import { specSections } from '../src/spec-section.ts';

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
    expect(specSections(SPEC)).toEqual([
      { id: '1.1', title: 'What it does', text: '1. First thing.' },
      { id: '1.2', title: 'What it does', text: '2. Second thing:\n\n| a | b |\n|---|---|' },
      { id: '2.1', title: 'Inline selector', text: 'A list of selectors.' },
      { id: '3', title: 'States', text: 'Not shown.' },
    ]);
  });

  it('are none in a text without numbered headings', () => {
    expect(specSections('# Title\n\n## Words\n\ntext\n')).toEqual([]);
  });
});
