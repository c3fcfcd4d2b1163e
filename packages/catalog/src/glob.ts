import micromatch from 'micromatch';

/** Options that leave micromatch with question marks, classes and escapes. The published types declare `flags` as a boolean by mistake. */
const PLAIN = {
  dot: true,
  fastpaths: false,
  flags: 'u',
  keepQuotes: true,
  literalBrackets: false,
  nobrace: true,
  noextglob: true,
  noglobstar: true,
  nonegate: true,
  posix: false,
  strictSlashes: true,
} as unknown as micromatch.Options;

const START = '^(?:';
const END = ')$';

/**
 * Returns the regular expression, for flag `u` and without anchors, of a glob without stars.
 *
 * micromatch compiles the pieces between the stars only: the expressions that it creates for stars backtrack without bound.
 */
const toExpression = (glob: string): string =>
  glob === '' ? '' : micromatch.makeRe(glob, PLAIN).source.slice(START.length, -END.length);

/** The part of a glob between two stars. It matches a fixed number of characters. */
export interface GlobPiece {
  /**
   * The piece in a normal form that glob libraries agree on: question marks, classes that cannot match a `/`,
   * and characters; special characters are escaped with `\\`.
   */
  readonly glob: string;
  /** The text that the piece is, when it holds neither a question mark nor a class. */
  readonly text: string | undefined;
}

interface Read {
  readonly glob: string;
  readonly text: string | undefined;
  /** The index of the first character after the parsed part. */
  readonly next: number;
}

type Characters = readonly string[];

/** A class without members other than every character. */
const NOTHING = '[^\\u{0}-\\u{10ffff}]';

const EMPTY: GlobPiece = { glob: '', text: '' };

const readCodePoint = (character: string): number => character.codePointAt(0) ?? 0;

/** Characters that mean something in a glob, in a class or in the expression that a glob becomes. */
const MEANS_SOMETHING = /[\\^$.*+?()[\]{}|/-]/u;

/** micromatch drops this character unless it is spelled out. */
const NUL = '\0';

const escapeCharacter = (character: string): string => {
  if (character === NUL) return '\\u{0}';
  return MEANS_SOMETHING.test(character) ? `\\${character}` : character;
};

/** One character that means nothing but itself; a `-` outside a class needs no help. */
const formatLiteral = (character: string): string =>
  character === '-' ? '-' : escapeCharacter(character);

const SLASH = readCodePoint('/');

/** The characters from `low` to `high` without the `/`, which no class matches. */
const formatRange = (low: number, high: number): string => {
  if (low > high) return '';
  if (low <= SLASH && SLASH <= high)
    return formatRange(low, SLASH - 1) + formatRange(SLASH + 1, high);
  const first = escapeCharacter(String.fromCodePoint(low));
  return low === high ? first : `${first}-${escapeCharacter(String.fromCodePoint(high))}`;
};

/** Parses one end of a range inside a class. `-` and `]` are literal only after a `\`. */
const readClassEnd = (
  characters: Characters,
  at: number,
): { readonly character: string; readonly next: number } | undefined => {
  if (characters[at] === '-' || characters[at] === ']') return undefined;
  const index = characters[at] === '\\' ? at + 1 : at;
  const character = characters[index];
  return character === undefined ? undefined : { character, next: index + 1 };
};

/** Parses `a` or `a-z`. A reversed range is a syntax error. */
const readClassMember = (
  characters: Characters,
  at: number,
): { readonly glob: string; readonly next: number } | undefined => {
  const low = readClassEnd(characters, at);
  if (low === undefined) return undefined;
  const first = readCodePoint(low.character);
  if (characters[low.next] !== '-') return { glob: formatRange(first, first), next: low.next };
  const high = readClassEnd(characters, low.next + 1);
  if (high === undefined || first > readCodePoint(high.character)) return undefined;
  return { glob: formatRange(first, readCodePoint(high.character)), next: high.next };
};

/** A class that lost its only member, the `/`, matches nothing, and its negation every character of a segment. */
const formatClass = (members: string, negated: boolean): string => {
  if (members !== '') return negated ? `[^${members}]` : `[${members}]`;
  return negated ? '?' : NOTHING;
};

/** Parses a class after its `[`: at least one member, then `]`. No class matches a `/`. */
const readClass = (characters: Characters, at: number): Read | undefined => {
  const negated = characters[at] === '^';
  let members = '';
  let next = negated ? at + 1 : at;
  do {
    const member = readClassMember(characters, next);
    if (member === undefined) return undefined;
    members += member.glob;
    next = member.next;
  } while (characters[next] !== ']');
  return { glob: formatClass(members, negated), text: undefined, next: next + 1 };
};

/** One part of a piece: anything but a star. */
const readPart = (characters: Characters, at: number): Read | undefined => {
  if (characters[at] === '?') return { glob: '?', text: undefined, next: at + 1 };
  if (characters[at] === '[') return readClass(characters, at + 1);
  const index = characters[at] === '\\' ? at + 1 : at;
  const text = characters[index];
  return text === undefined ? undefined : { glob: formatLiteral(text), text, next: index + 1 };
};

const mergeParts = (piece: GlobPiece, part: GlobPiece): GlobPiece => ({
  glob: piece.glob + part.glob,
  text: piece.text === undefined || part.text === undefined ? undefined : piece.text + part.text,
});

/**
 * Reads a glob as the pieces between its stars; a run of stars is one, and a pattern without a star is one piece.
 *
 * @returns nothing when the pattern has a syntax error
 */
const readGlob = (pattern: string): readonly GlobPiece[] | undefined => {
  const characters = Array.from(pattern);
  const pieces: GlobPiece[] = [];
  let piece = EMPTY;
  let at = 0;
  while (at < characters.length) {
    if (characters[at] === '*') {
      pieces.push(piece);
      piece = EMPTY;
      while (characters[at] === '*') at += 1;
    } else {
      const part = readPart(characters, at);
      if (part === undefined) return undefined;
      piece = mergeParts(piece, part);
      at = part.next;
    }
  }
  return [...pieces, piece];
};

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
const formatSource = (pieces: readonly GlobPiece[], star: string): string => {
  const [first = '', ...others] = pieces.map(({ glob }) => toExpression(glob));
  const last = others.pop();
  if (last === undefined) return `^${first}$`;
  const placed = others.map((piece, index) => `(?=(${star}${piece}))\\${index + 1}`);
  return `^${first}${placed.join('')}${star}${last}$`;
};

/** Returns whether the name contains the texts in order between two indexes. */
const hasTexts = (
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
const createOrderMatcher = (texts: readonly string[]): Matches => {
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
    return hasTexts(name, between, { start: head.length, end: length - tail.length });
  };
};

/** Half a character; only the regular expression knows that it is no part of a whole one. */
const LONE_SURROGATE = /\p{Surrogate}/u;

/**
 * Most patterns are plain texts between stars, and most names have no `/` that a star could cross: such a name is
 * matched as text, several times faster than by the expression.
 */
const createMatcher = (
  pieces: readonly GlobPiece[],
  { caseSensitive = true, crossesSlashes = false }: GlobOptions,
): Matches => {
  const star = crossesSlashes ? '[^]*?' : '[^/]*?';
  const expression = new RegExp(formatSource(pieces, star), caseSensitive ? 'u' : 'iu');
  const texts = pieces.flatMap(({ text }) => (text === undefined ? [] : [text]));
  const plain = texts.length === pieces.length && !texts.some((text) => LONE_SURROGATE.test(text));
  if (!caseSensitive || !plain || pieces.length === 1) return (name) => expression.test(name);
  const asText = createOrderMatcher(texts);
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
  return { ok: true, matches: createMatcher(pieces, options) };
};
