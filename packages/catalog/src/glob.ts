import { expressionOf } from './glob-expression.ts';
import { readGlob, type GlobPiece } from './glob-syntax.ts';

/** The longest pattern that compiles, in UTF-16 code units. */
export const MAX_GLOB_LENGTH = 256;

type Matches = (name: string) => boolean;

/** A compiled pattern, or the fact that the pattern does not compile. */
export type CompiledGlob =
  { readonly ok: true; readonly matches: Matches } | { readonly ok: false };

/** Options of the comparison of a pattern with names. */
export interface GlobOptions {
  /** Distinguishes upper and lower case. Default `true`. */
  readonly caseSensitive?: boolean;
  /** Lets `*` match across `/`; for hints about patterns, never for a selection. Default `false`. */
  readonly crossesSlashes?: boolean;
}

/** The pattern that is the whole catalog, names with `/` included. @spec §2.2 */
const WHOLE_CATALOG = '*';

/**
 * One regular expression for the pieces between the stars. A piece has a fixed length, and a star and a piece never
 * cross a `/` other than the piece's own, so that the first place where a piece fits is as good as any later one.
 * The group in the lookahead takes that place and, unlike a plain star, never gives it up: the work is at most the
 * length of the name times the length of the pattern.
 */
const sourceOf = (pieces: readonly GlobPiece[], star: string): string => {
  const [first = '', ...others] = pieces.map(({ glob }) => expressionOf(glob));
  const last = others.pop();
  if (last === undefined) return `^${first}$`;
  const placed = others.map((piece, index) => `(?=(${star}${piece}))\\${index + 1}`);
  return `^${first}${placed.join('')}${star}${last}$`;
};

/** Returns whether the name contains the texts in order between two indexes. */
const standBetween = (
  name: string,
  texts: readonly string[],
  { start, end }: { readonly start: number; readonly end: number },
): boolean => {
  let at = start;
  for (const text of texts) {
    const found = name.indexOf(text, at);
    if (found === -1) return false;
    at = found + text.length;
  }
  return at <= end;
};

/**
 * Returns a function that reports whether a name contains the texts in order, the first at its start and the last at its end. It runs
 * over whole catalogs: the last character of either end rejects most names at a fraction of the cost.
 */
const standInOrder = (texts: readonly string[]): Matches => {
  const head = texts[0] ?? '';
  const tail = texts.at(-1) ?? '';
  const between = texts.slice(1, -1);
  const headAt = head.length - 1;
  const headCode = head.charCodeAt(headAt);
  const tailCode = tail.charCodeAt(tail.length - 1);
  const shortest = head.length + tail.length;
  return (name) => {
    const { length } = name;
    if (length < shortest) return false;
    if (head !== '' && (name.charCodeAt(headAt) !== headCode || !name.startsWith(head)))
      return false;
    if (tail !== '' && (name.charCodeAt(length - 1) !== tailCode || !name.endsWith(tail)))
      return false;
    if (between.length === 0) return true;
    return standBetween(name, between, { start: head.length, end: length - tail.length });
  };
};

/** Half a character; only the regular expression knows that it is no part of a whole one. */
const LONE_SURROGATE = /\p{Surrogate}/u;

/**
 * Most patterns are plain texts between stars, and most names have no `/` that a star could cross: such a name is
 * matched as text, several times faster than by the expression.
 */
const matcherOf = (
  pieces: readonly GlobPiece[],
  { caseSensitive = true, crossesSlashes = false }: GlobOptions,
): Matches => {
  const star = crossesSlashes ? '[^]*?' : '[^/]*?';
  const expression = new RegExp(sourceOf(pieces, star), caseSensitive ? 'u' : 'iu');
  const texts = pieces.flatMap(({ text }) => (text === undefined ? [] : [text]));
  const plain = texts.length === pieces.length && !texts.some((text) => LONE_SURROGATE.test(text));
  if (!caseSensitive || !plain || pieces.length === 1) return (name) => expression.test(name);
  const asText = standInOrder(texts);
  return (name) => asText(name) && (!name.includes('/') || expression.test(name));
};

/**
 * Compiles a path-style glob over whole names. `*` and `?` match within a path segment, a lone `*` everything;
 * `[a-z]` and `[^a-z]` match one character of a segment, `\x` the character `x`; every other character is literal, including a
 * leading dot, braces and extglobs. Matching time is linear in the length of the name.
 *
 * @returns `ok: false` for a syntax error and for a pattern longer than {@link MAX_GLOB_LENGTH}
 * @spec §2.2 rule `pattern`
 */
export const compileGlob = (pattern: string, options: GlobOptions = {}): CompiledGlob => {
  if (pattern === WHOLE_CATALOG) return { ok: true, matches: () => true };
  const pieces = pattern.length > MAX_GLOB_LENGTH ? undefined : readGlob(pattern);
  if (pieces === undefined) return { ok: false };
  return { ok: true, matches: matcherOf(pieces, options) };
};
