import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findThreatRowProblems, type ThreatTests } from '../src/threat-rows.ts';

const root = resolve(import.meta.dirname, '../../..');
const PAGE = 'docs/security.md';
const TESTS = 'packages/repo-checks/threat-tests.json';

const problemsOf = (tests: ThreatTests): readonly string[] =>
  findThreatRowProblems(
    {
      file: PAGE,
      text: '# S\n\n## Defences\n\n| Threat | Defence |\n| --- | --- |\n| t | d |\n\n## Not defended\n\n| x | y |\n',
    },
    tests,
    (file) =>
      file === 'packages/a/test/b.test.ts' ? "it('refuses a body\\'s end', () => x)" : undefined,
  );

describe('the threat model', () => {
  it('has the title of an existing test for each defence', () => {
    const textOf = (file: string) =>
      existsSync(join(root, file)) ? readFileSync(join(root, file), 'utf8') : undefined;
    const page = { file: PAGE, text: textOf(PAGE) ?? '' };
    const tests = JSON.parse(textOf(TESTS) ?? '') as ThreatTests;
    expect(findThreatRowProblems(page, tests, textOf)).toEqual([]);
  });
});

describe('a row of the threat model', () => {
  const accepted = "packages/a/test/b.test.ts: refuses a body's";
  it.each<[what: string, tests: ThreatTests, problems: readonly string[]]>([
    ['is accepted with a part of the title of a test', { t: [accepted] }, []],
    [
      'is refused with another title',
      { t: ['packages/a/test/b.test.ts: accepts'] },
      ['packages/a/test/b.test.ts has no title with "accepts"'],
    ],
    [
      'is refused with a file that does not exist',
      { t: ['packages/a/test/c.test.ts: refuses'] },
      ['packages/a/test/c.test.ts is not an existing test'],
    ],
    ['is refused without a test', {}, ['docs/security.md: no test of "t"']],
    ['is refused with an empty list of tests', { t: [] }, ['docs/security.md: no test of "t"']],
    [
      'is required for each test',
      { t: [accepted], u: [accepted] },
      ['docs/security.md has no row for "u"'],
    ],
  ])('%s', (_what, tests, problems) => {
    expect(problemsOf(tests)).toEqual(problems);
  });

  it('is required', () =>
    expect(findThreatRowProblems({ file: PAGE, text: '# S\n' }, {}, () => '')).toEqual([
      'docs/security.md has no rows below "Defences"',
    ]));
});
