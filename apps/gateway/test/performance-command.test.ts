import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
// The programs of the benchmark are plain JavaScript.
// @ts-expect-error -- it has no declarations
import { commitFacts, environmentOutsideGit } from '../bench/performance/facts.mjs';
// @ts-expect-error -- it has no declarations
import { commandOf, earlyAnswer, HELP } from '../bench/performance/options.mjs';
// @ts-expect-error -- it has no declarations
import { checkoutOfRun, recordProblem } from '../bench/performance/record.mjs';

const commandFor = commandOf as (args: readonly string[]) => string;
const answerTo = earlyAnswer as (args: readonly string[]) => object | undefined;
const problemOf = recordProblem as (checkout: object, options: object) => string | undefined;
const withoutGitVariables = environmentOutsideGit as () => NodeJS.ProcessEnv;

describe('a command that measures nothing', () => {
  it('is answered', () => {
    expect(answerTo(['--help', '--peers'])).toEqual({ code: 0, text: HELP });
    const refused = (problem: string) => ({
      code: 2,
      text: `${problem}\nSee npm run bench -- --help\n`,
    });
    expect(answerTo(['--rounds', '0'])).toEqual(
      refused('--rounds must be a whole number from 1 to 100, not 0'),
    );
    expect(answerTo(['--node', '/absent'])).toEqual(
      refused('--node /absent does not run: spawnSync /absent ENOENT'),
    );
    expect(answerTo(['--gateway', '/absent'])).toEqual(refused('--gateway /absent does not exist'));
    expect(answerTo(['--json', '/absent/x'])).toEqual(
      refused('--json /absent/x: the folder does not exist or cannot be written'),
    );
  });
});

describe('the recorded command', () => {
  it('has every option, and a placeholder for each path', () => {
    expect(commandFor([])).toBe('npm run bench');
    expect(
      commandFor(['--rows', 'rest', '--peers', '--node=/a/node', '--node', '/b', '--json', '/c']),
    ).toBe('npm run bench -- --rows rest --peers --node <path> --node <path> --json <file>');
  });
});

describe('the commit of the page', () => {
  const clean = { commit: '0123456789ab', changed: [], isOnMain: true };
  const built = { isBuilt: true, isOther: false, dirty: false };

  it('is one of the main branch without changes', () => {
    expect(problemOf(clean, built)).toBeUndefined();
    const changed = { ...clean, changed: ['a.ts', 'b.ts', 'c.ts', 'd.ts'] };
    expect(problemOf(changed, built)).toBe(
      'tracked files differ from commit 0123456789ab (a.ts, b.ts, c.ts, …): commit them, or add --dirty, and the page says so',
    );
    expect(problemOf(changed, { ...built, dirty: true })).toBeUndefined();
    expect(problemOf({ ...clean, isOnMain: false }, { ...built, dirty: true })).toContain(
      'commit 0123456789ab is not on the main branch',
    );
    expect(problemOf({ ...clean, commit: undefined }, built)).toContain('no Git checkout');
    expect(problemOf(clean, { ...built, isBuilt: false })).toContain('only npm run bench');
    expect(problemOf(clean, { ...built, isOther: true })).toContain('--gateway measures');
  });

  it('counts what changes during the run', () => {
    const between = checkoutOfRun as (start: object, end: object) => { changed: string[] };
    expect(between(clean, clean)).toEqual(clean);
    expect(between(clean, { ...clean, changed: ['a.ts'] }).changed).toEqual(['a.ts']);
    expect(between(clean, { ...clean, commit: 'ba9876543210' })).toEqual({
      ...clean,
      changed: ['HEAD, which is ba9876543210 now'],
    });
  });

  it('is read from the checkout, without the files that a run writes', () => {
    const folder = mkdtempSync(join(tmpdir(), 'performance-checkout-'));
    const git = (...args: readonly string[]) =>
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.example', ...args], {
        cwd: folder,
        env: withoutGitVariables(),
        stdio: 'pipe',
      });
    const facts = () => (commitFacts as (cwd: string) => object)(folder);
    try {
      expect(facts()).toEqual({ commit: undefined, changed: [], isOnMain: true });
      git('init', '--quiet', '--initial-branch=main');
      mkdirSync(join(folder, 'docs/reference'), { recursive: true });
      const page = join(folder, 'docs/reference/performance.md');
      for (const file of [page, join(folder, 'a.ts')]) writeFileSync(file, 'one');
      git('add', '.');
      git('commit', '--quiet', '--message=One');
      writeFileSync(page, 'two');
      expect(facts()).toMatchObject({ changed: [], isOnMain: true });
      writeFileSync(join(folder, 'a.ts'), 'two');
      expect(facts()).toMatchObject({ changed: ['a.ts'], isOnMain: true });
      git('checkout', '--quiet', '-b', 'topic');
      git('commit', '--quiet', '--all', '--message=Two');
      expect(facts()).toMatchObject({
        commit: expect.stringMatching(/^[0-9a-f]{12}$/u),
        changed: [],
        isOnMain: false,
      });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
