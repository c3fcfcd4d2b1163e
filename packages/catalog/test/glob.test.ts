import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { compileGlob } from '../src/index.ts';

const VECTORS = JSON.parse(
  readFileSync(new URL('../vectors/globs.json', import.meta.url), 'utf8'),
) as { readonly compiles: readonly string[]; readonly refused: readonly string[] };

const matches = (pattern: string, name: string, caseSensitive = true): boolean => {
  const glob = compileGlob(pattern, { caseSensitive });
  if (!glob.ok) throw new Error(`${pattern} does not compile`);
  return glob.matches(name);
};

/** Pattern -> the names it matches, and those it does not. */
const TABLE: readonly (readonly [
  pattern: string,
  yes: readonly string[],
  no: readonly string[],
])[] = [
  // plain names
  [
    'core_workflow_list',
    ['core_workflow_list'],
    ['core_workflow_lis', 'core_workflow_list2', 'Core_workflow_list'],
  ],
  ['', [''], ['a', ' ']],
  ['a', ['a'], ['', 'A', 'aa', 'b']],
  ['a/b', ['a/b'], ['a', 'b', 'a/', 'a/b/', 'a//b']],
  ['./a', ['./a'], ['a']],
  ['#a', ['#a'], ['a', '']],
  // a star
  ['*', ['', 'a', 'core_x', '.hidden', 'a/b', '/', 'a/b/c', '🚀', 'a\nb'], []],
  ['core_*', ['core_', 'core_workflow_list', 'core_*'], ['core', 'xcore_a', 'core_a/b', 'Core_a']],
  ['*_list', ['_list', 'x_k8s_list', '._list'], ['x_k8s_list_', 'a/b_list', 'x_k8s_List']],
  [
    'x_*_list',
    ['x_k8s_list', 'x__list', 'x_a_b_list', 'x_list_list'],
    ['x_list', 'x_a_lists', 'x_a/b_list'],
  ],
  ['*a*', ['a', 'ba', 'ab', 'bab', 'aaa'], ['', 'b', 'a/b', 'b/a', 'A']],
  ['*/*', ['/', 'a/', '/b', 'a/b', '.a/.b'], ['a', '', 'a/b/c']],
  ['*/b', ['a/b', '/b', '../b'], ['b', 'a/a/b', 'a/bb']],
  ['a/*', ['a/', 'a/b', 'a/.b'], ['a', 'a/b/c', 'b/a']],
  ['a*/b*', ['a/b', 'ac/bd', 'aaa/bbb'], ['a/c/b', 'ab', 'a/']],
  ['*a*b*c*', ['abc', 'xaybzc', 'aabbcc', 'abcabc'], ['acb', 'ab', 'ab/c']],
  ['*.json', ['.json', 'a.json', '..json'], ['ajson', 'a.jsonx']],
  ['a*a', ['aa', 'aba', 'aaa'], ['a', 'ab', 'a/a']],
  ['*aab', ['aab', 'aaab', 'aabaab'], ['aabb', 'aba']],
  // a run of stars is a star
  ['**', ['', 'a', '.a'], ['a/b', '/']],
  ['a**b', ['ab', 'axb', 'abb'], ['a/b', 'ba']],
  ['**/a', ['/a', 'b/a'], ['a', 'b/c/a']],
  ['***', ['a'], ['a/b']],
  // a question mark
  ['?', ['a', '.', '🚀', ' ', '\n'], ['', 'ab', '/']],
  ['a?c', ['abc', 'a.c', 'a?c', 'aüc'], ['ac', 'a/c', 'abbc']],
  ['??', ['ab', '🚀a'], ['a', 'abc', '🚀']],
  ['?*', ['a', 'ab', '.'], ['', '/a']],
  ['*?', ['a', 'ab'], ['', 'a/']],
  ['core_?*_list', ['core_a_list', 'core_ab_list'], ['core__list', 'core_list']],
  // classes
  ['[abc]', ['a', 'b', 'c'], ['d', '', 'ab', 'A', '[abc]']],
  ['[a-c]x', ['ax', 'bx', 'cx'], ['dx', '-x', 'x']],
  ['x_[a-c]*', ['x_a', 'x_bcd'], ['x_', 'x_d', 'x_A']],
  ['[a-cx-z0-9]', ['b', 'y', '5'], ['d', 'w', '-']],
  ['[^abc]', ['d', 'A', '.', '^', '🚀'], ['a', '', '/', 'de']],
  ['[^a-c]', ['d', '-'], ['a', 'b', '/']],
  ['a[^b]c', ['acc', 'a^c'], ['abc', 'a/c', 'ac']],
  ['[a^]', ['a', '^'], ['b']],
  ['[!a]', ['!', 'a'], ['b']],
  ['[/]', [], ['/', 'a', '[/]']],
  ['[.-0]', ['.', '0'], ['/', '1']],
  ['[[]', ['['], [']', '']],
  ['[a]]', ['a]'], ['a', ']']],
  ['[[:alpha:]]', [':]', 'a]', '[]'], ['a', 'b', 'b]']],
  ['[*?]', ['*', '?'], ['a', '']],
  ['[a-a]', ['a'], ['b']],
  ['[🚀-🚂]', ['🚀', '🚁', '🚂'], ['🚃', 'a']],
  ['[\\]]', [']'], ['\\', '']],
  ['[\\-a]', ['-', 'a'], ['b', '\\']],
  ['[\\^a]', ['^', 'a'], ['b']],
  ['[a\\-c]', ['a', '-', 'c'], ['b', '\\']],
  ['[\\a-\\c]', ['a', 'b', 'c'], ['\\', '-']],
  [']', [']'], ['']],
  ['a]', ['a]'], ['a']],
  ['a-b', ['a-b'], ['a', 'b']],
  // a backslash
  ['\\*', ['*'], ['a', '\\*', '']],
  ['\\?', ['?'], ['a']],
  ['\\[a]', ['[a]'], ['a']],
  ['\\\\', ['\\'], ['\\\\', '']],
  ['\\a', ['a'], ['\\a']],
  ['a\\/b', ['a/b'], ['a\\/b']],
  ['core\\_*', ['core_a'], ['core\\_a']],
  ['\\n', ['n'], ['\n']],
  // what other globs give a meaning
  ['{a,b}', ['{a,b}'], ['a', 'b']],
  ['{1..3}', ['{1..3}'], ['1', '2']],
  ['@(a|b)', ['@(a|b)'], ['a', 'b']],
  ['!(a)', ['!(a)'], ['b', '']],
  ['+(a)', ['+(a)'], ['a', 'aa']],
  ['*(a)', ['(a)', 'x(a)'], ['', 'a', 'aa']],
  ['?(a)', ['x(a)'], ['', 'a']],
  ['!a', ['!a'], ['b', 'a']],
  ['!*', ['!', '!a'], ['a', '']],
  ['(a|b)', ['(a|b)'], ['a', 'b']],
  ['a.c', ['a.c'], ['abc']],
  ['a+', ['a+'], ['aa']],
  ['^a$', ['^a$'], ['a']],
  ['$&', ['$&'], ['']],
  ['\u{1f680}*', ['🚀', '🚀x'], ['\ud83d', 'x']],
  ['\ud83d', ['\ud83d'], ['🚀']],
  ['\ud83d*', ['\ud83d', '\ud83dx'], ['🚀', '']],
  ['*\ude80', ['\ude80', 'x\ude80'], ['🚀', '']],
  ['__proto__', ['__proto__'], ['constructor']],
];

const PAIRS = TABLE.flatMap(([pattern, yes, no]) => [
  ...yes.map((name) => ({ pattern, name, expected: true })),
  ...no.map((name) => ({ pattern, name, expected: false })),
]);

describe('compileGlob over pattern and name', () => {
  it('has a table of at least 150 pairs', () => expect(PAIRS.length).toBeGreaterThan(250));
  it('treats NUL as a literal character', () => {
    expect(matches('a\0b', 'a\0b')).toBe(true);
    expect(matches('a\0b', 'ab')).toBe(false);
  });
  it.each(PAIRS)('$pattern | $name -> $expected', ({ pattern, name, expected }) =>
    expect(matches(pattern, name)).toBe(expected),
  );
});

/** The charts repeat the syntax in another language: they run the same vectors. */
describe('vectors/globs.json', () => {
  it.each(VECTORS.refused)('%j does not compile', (pattern) =>
    expect(compileGlob(pattern)).toEqual({ ok: false }),
  );
  it.each(VECTORS.compiles)('%j compiles', (pattern) => expect(compileGlob(pattern).ok).toBe(true));
  it('refuses ten million stars', () => expect(compileGlob('*'.repeat(10_000_000)).ok).toBe(false));
});

describe('without regard to case', () => {
  it.each([
    ['CORE_*', 'core_list'],
    ['core_*', 'CORE_LIST'],
    ['[A-C]', 'b'],
    ['[a-c]', 'B'],
    ['*ÜB*', 'grüber'],
  ])('%j matches %j', (pattern, name) => {
    expect(matches(pattern, name, false)).toBe(true);
    expect(matches(pattern, name)).toBe(false);
  });
  it.each([
    ['core_*', 'cor_list'],
    ['[^a]', 'A'],
    ['a*b', 'A/B'],
  ])('%j does not match %j', (pattern, name) => expect(matches(pattern, name, false)).toBe(false));
});

describe('with stars that cross a slash', () => {
  it.each([
    ['*delete*', 'admin/delete', true],
    ['x_*_delete', 'x_a/b/c_delete', true],
    ['*a*b', 'a/a/b', true],
    ['?delete', '/delete', false],
    ['[^a]delete*', '/delete', false],
    ['*delete', 'admin/delete/x', false],
  ])('%j | %j -> %s', (pattern, name, expected) => {
    const glob = compileGlob(pattern, { crossesSlashes: true });
    expect(glob.ok && glob.matches(name)).toBe(expected);
    expect(matches(pattern, name)).toBe(false);
  });
});

describe('one compiled pattern', () => {
  it('answers alike however often it is asked', () => {
    const glob = compileGlob('a*b');
    const answers = ['ab', 'ba', 'ab', 'axb', 'ab'].map((name) => glob.ok && glob.matches(name));
    expect(answers).toEqual([true, false, true, true, true]);
  });
});
