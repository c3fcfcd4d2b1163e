import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { validateSkills } from '../../src/arguments/reference-problem.ts';

const URL_TEXT =
  'skills.gitRefs[0].url must be an https:// or ssh:// URL, or user@host:path, without a password, query and fragment';

const formatIssue = (gitRef: object): string | undefined =>
  validateSkills({ gitRefs: [{ url: 'https://git.example/a/b', ...gitRef }] });

describe('skills from Git', () => {
  it('require an address that is not blank', () =>
    expect(validateSkills({ gitRefs: [{ url: 'https://git/a' }, { url: ' ' }] })).toBe(
      'skills.gitRefs[1].url is required',
    ));

  it('may be left out', () => {
    expect(validateSkills(undefined)).toBeUndefined();
    expect(validateSkills({ refs: ['a'] })).toBeUndefined();
    expect(validateSkills({ gitRefs: [{ url: 'https://git/a', path: '' }] })).toBeUndefined();
  });

  it.each([
    'https://git.example/team/skills',
    'https://git.example:8443/team/skills.git/',
    'https://dev.example/org/My%20Project/_git/repo',
    'https://[2001:db8::1]/a',
    'https://xn--gteway-4ve.example/a',
    'ssh://git.example/team/skills',
    'ssh://git@git.example:2222/~team/skills.git',
    'git@git.example:team/skills.git',
    'git@[::1]:team/skills',
  ])('are read from %s', (url) => expect(formatIssue({ url })).toBeUndefined());

  it.each([
    ...['ext::sh -c id', 'fd::3', 'file:///etc', '/srv/repository', './repository'],
    ...['../repository', 'http://git.example/a', 'git://git.example/a', 'ftp://git.example/a'],
    ...['data:text/plain,a', 'HTTPS://git.example/a', '--upload-pack=sh'],
    ...['https://-git.example/a', 'ssh://-oProxyCommand=sh/a', 'ssh://-o@git.example/a'],
    ...['-oProxyCommand=sh:a', '-o@git.example:a', 'git@-git.example:a', 'git@git.example:-a'],
    ...['git@git.example:a/../b', 'https://user@git.example/a'],
    ...['https://user:password@git.example/a', 'ssh://git:password@git.example/a'],
    ...['https://git.example', 'https://git.example/', 'https://git.example/../a'],
    ...['https://git.example/a/./b', 'https://git.example/a/%2E%2e/b', 'https://git.example/a%2Fb'],
    ...['https://git.example/a%00', 'https://git.example/a%0a', 'https://git.example/a?b'],
    ...['https://git.example/a#b', 'https://git.example/a b', 'https://git.example/a\n'],
    ...['https://git.example/a\\b', 'https://g\u0456t.example/a'],
    `https://git.example/${'a'.repeat(2_048)}`,
  ])('are not read from %j, which is not repeated', (url) =>
    expect(formatIssue({ url })).toBe(URL_TEXT),
  );

  it.each(['a', 'a/b', 'a/b/', '.github/skills', '...', 'ordner/f\u00e4hig'])(
    'are in the folder %s',
    (path) => expect(formatIssue({ path })).toBeUndefined(),
  );

  it.each([
    ...['..', '.', 'a/../b', '/etc', '-rf', 'a//b', 'a\\b', 'a\0', 'a\u202e', 'a'.repeat(1_025)],
  ])('are not in the folder %j', (path) =>
    expect(formatIssue({ path })).toMatch(
      / must be a folder of the repository: a relative path without "\.\." that does not start with "-"$/u,
    ),
  );

  it.each(['main', 'v1.2.3', 'feature/a', '0a1b2c3d'])('have the ref %s', (ref) =>
    expect(formatIssue({ ref })).toBeUndefined(),
  );

  it.each(['-x', '--upload-pack=sh', 'a..b', 'a b', 'a:b', 'a.lock', '/a', 'a\n'])(
    'do not have the ref %j',
    (ref) =>
      expect(formatIssue({ ref })).toMatch(/ is not the name of a branch, a tag or a commit$/u),
  );

  it.each(['..', '.', '.a', '-a', 'a/b', 'a\\b', 'a'.repeat(64)])(
    'do not have the name %j',
    (name) => expect(formatIssue({ name })).toMatch(/^skills\.gitRefs\[0\]\.name "/u),
  );

  it('have the names of folders', () =>
    expect(formatIssue({ name: 'run-books_2.0' })).toBeUndefined());
});

describe('images with skills', () => {
  it.each([
    'ghcr.io/team/skills:1.0',
    'localhost:5000/skills',
    'oci://registry.example/skills@sha256:0a',
    '',
  ])('are referred to as %j', (ref) => expect(validateSkills({ refs: [ref] })).toBeUndefined());

  it.each(['-v', 'a b', 'a\n', '../a', 'a/../b', 'file:///a b', 'a'.repeat(2_049)])(
    'are not referred to as %j',
    (ref) =>
      expect(validateSkills({ refs: ['a', ref] })).toBe(
        'skills.refs[1] must be the reference of an image, as registry/name:tag',
      ),
  );
});

it('refusals have fewer than 2,000 characters whatever the values are', () =>
  fc.assert(
    fc.property(
      fc.record({
        url: fc.oneof(fc.string({ unit: 'binary' }), fc.constant('https://git.example/a')),
        path: fc.string({ unit: 'binary', maxLength: 5_000 }),
        ref: fc.string({ unit: 'binary', maxLength: 5_000 }),
        name: fc.string({ unit: 'binary', maxLength: 5_000 }),
      }),
      (gitRef) => {
        expect((validateSkills({ gitRefs: [gitRef] }) ?? '').length).toBeLessThan(2_000);
      },
    ),
  ));
