import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findThreatRowProblems } from '../src/threat-rows.ts';

const root = resolve(import.meta.dirname, '../../..');
const PAGE = 'docs/security.md';

const problemsOf = (test: string): readonly string[] =>
  findThreatRowProblems(
    {
      file: PAGE,
      text: `# S\n\n## Defences\n\n| Boundary | Threat | Test |\n| --- | --- | --- |\n| b | t | ${test} |\n\n## Not defended\n\n| x | y |\n`,
    },
    (file) =>
      file === 'packages/a/test/b.test.ts' ? "it('refuses a body\\'s end', () => x)" : undefined,
  );

describe('the threat model', () => {
  it('links each defence to the title of an existing test', () => {
    const textOf = (file: string) =>
      existsSync(join(root, file)) ? readFileSync(join(root, file), 'utf8') : undefined;
    const page = { file: PAGE, text: readFileSync(join(root, PAGE), 'utf8') };
    expect(findThreatRowProblems(page, textOf)).toEqual([]);
  });
});

describe('a row of the threat model', () => {
  it('is accepted with a part of the title of a test', () =>
    expect(problemsOf("[refuses a body's](../packages/a/test/b.test.ts)")).toEqual([]));

  it('is refused with another title', () =>
    expect(problemsOf('[accepts](../packages/a/test/b.test.ts)')).toEqual([
      'docs/security.md: ../packages/a/test/b.test.ts has no title with "accepts"',
    ]));

  it('is refused with a file that does not exist', () =>
    expect(problemsOf('[refuses](../packages/a/test/c.test.ts)')).toEqual([
      'docs/security.md: ../packages/a/test/c.test.ts is not an existing test',
    ]));

  it('is refused without a link', () =>
    expect(problemsOf('by hand')).toEqual([
      'docs/security.md: no link to a test in "| b | t | by hand |"',
    ]));

  it('is required', () =>
    expect(findThreatRowProblems({ file: PAGE, text: '# S\n' }, () => '')).toEqual([
      'docs/security.md has no rows below "Defences"',
    ]));
});
