import fc from 'fast-check';
import { parseMcpServer } from '@gateway/crd-schemas';
import micromatch from 'micromatch';
import { describe, expect, it } from 'vitest';
import { compileGlob } from '../src/index.ts';

const matches = (pattern: string, name: string): boolean | undefined => {
  const glob = compileGlob(pattern);
  return glob.ok ? glob.matches(name) : undefined;
};

/** The options that leave micromatch with stars, question marks and classes. */
const PATH_STYLE = {
  dot: true,
  nobrace: true,
  noextglob: true,
  noglobstar: true,
  nonegate: true,
} as const;

const pattern = fc
  .array(fc.constantFrom('a', 'b', '_', '-', '*', '?', '[ab]', '[^a]', '[a-c]', '[^b-c_]'), {
    minLength: 1,
    maxLength: 10,
  })
  .map((parts) => parts.join('').replaceAll(/\*+/g, '*'))
  .filter((text) => text !== '*');
const name = fc
  .array(fc.constantFrom('a', 'b', 'c', 'd', '_', '-', '/'), { minLength: 1, maxLength: 12 })
  .map((parts) => parts.join(''))
  // micromatch lets a name end with a slash that the pattern does not have.
  .filter((text) => !text.endsWith('/'));

describe('against micromatch', () => {
  it('agrees on stars, question marks and classes', () =>
    fc.assert(
      fc.property(pattern, name, (glob, text) => {
        expect(matches(glob, text)).toBe(micromatch.isMatch(text, glob, PATH_STYLE));
      }),
      { numRuns: 3000 },
    ));
});

describe('against the patterns of servers', () => {
  const isAccepted = (pattern: string): boolean =>
    parseMcpServer({
      apiVersion: 'gateway.internal/v1alpha1',
      kind: 'MCPServer',
      metadata: { name: 'a' },
      spec: { type: 'stdio', command: 'run', tools: [{ pattern }] },
    }).ok;
  const parts = [
    'a',
    'z',
    '-',
    '^',
    '[',
    ']',
    '\\',
    '*',
    '?',
    '/',
    '\ufffd',
    '😀',
    'x'.repeat(250),
  ];
  const written = fc
    .array(fc.constantFrom(...parts), { minLength: 1, maxLength: 9 })
    .map((characters) => characters.join(''));

  it('compiles those that a server can have', () =>
    fc.assert(
      fc.property(written, (glob) => {
        expect(isAccepted(glob)).toBe(compileGlob(glob).ok);
      }),
      { numRuns: 3000 },
    ));
});

describe('for every text', () => {
  it('compiles or refuses, and answers', () =>
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (glob, text) => {
        expect([true, false, undefined]).toContain(matches(glob, text));
      }),
    ));
  it('matches itself, and no other, once escaped', () =>
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 60 }),
        fc.string({ unit: 'binary', maxLength: 60 }),
        (text, other) => {
          const escaped = Array.from(text, (character) => `\\${character}`).join('');
          expect(matches(escaped, text)).toBe(true);
          expect(matches(escaped, other)).toBe(other === text);
        },
      ),
    ));
  it('matches any text of one segment with a star', () =>
    fc.assert(
      fc.property(fc.string(), fc.string(), (head, tail) => {
        const middle = head.replaceAll('/', '');
        expect(matches('x*y', `x${middle}y`)).toBe(true);
        expect(matches('x*y', `x${middle}/${tail}y`)).toBe(false);
      }),
    ));
});

describe('bounded work', () => {
  const LONG = 20_000;
  const MILLISECONDS = 1_000;
  it.each([
    ['*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*b', 'a'.repeat(LONG)],
    [`${'*a'.repeat(127)}*b`, 'a'.repeat(LONG)],
    [`${'*?'.repeat(127)}*b`, 'a'.repeat(LONG)],
    [`${'*[^b]'.repeat(42)}*b`, 'a'.repeat(LONG)],
    [`${'*ab'.repeat(80)}*c`, 'ab'.repeat(LONG)],
    [`*${'a'.repeat(120)}*${'a'.repeat(120)}b`, 'a'.repeat(LONG)],
    [`${'?'.repeat(100)}*${'?'.repeat(100)}*b`, 'a'.repeat(LONG)],
    [`${'*'.repeat(255)}b`, 'a'.repeat(LONG)],
  ])('%j says no to a long name within a second', (glob, text) => {
    const start = performance.now();
    expect(matches(glob, text)).toBe(false);
    expect(performance.now() - start).toBeLessThan(MILLISECONDS);
  });
  it('accepts a name of ten million characters', () => {
    const text = 'a'.repeat(10_000_000);
    expect(matches('*a*b', text)).toBe(false);
    expect(matches('a*a*a', text)).toBe(true);
    expect(matches('[^b]*', text)).toBe(true);
  });
});
