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

const codeOf = (character: string): number => character.codePointAt(0) ?? 0;

/** Characters that mean something in a glob, in a class or in the expression that a glob becomes. */
const MEANS_SOMETHING = /[\\^$.*+?()[\]{}|/-]/u;

/** micromatch drops this character unless it is spelled out. */
const NUL = '\0';

const escaped = (character: string): string => {
  if (character === NUL) return '\\u{0}';
  return MEANS_SOMETHING.test(character) ? `\\${character}` : character;
};

/** One character that means nothing but itself; a `-` outside a class needs no help. */
const literal = (character: string): string => (character === '-' ? '-' : escaped(character));

const SLASH = codeOf('/');

/** The characters from `low` to `high` without the `/`, which no class matches. */
const range = (low: number, high: number): string => {
  if (low > high) return '';
  if (low <= SLASH && SLASH <= high) return range(low, SLASH - 1) + range(SLASH + 1, high);
  const first = escaped(String.fromCodePoint(low));
  return low === high ? first : `${first}-${escaped(String.fromCodePoint(high))}`;
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
  const first = codeOf(low.character);
  if (characters[low.next] !== '-') return { glob: range(first, first), next: low.next };
  const high = readClassEnd(characters, low.next + 1);
  if (high === undefined || first > codeOf(high.character)) return undefined;
  return { glob: range(first, codeOf(high.character)), next: high.next };
};

/** A class that lost its only member, the `/`, matches nothing, and its negation every character of a segment. */
const classOf = (members: string, negated: boolean): string => {
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
  return { glob: classOf(members, negated), text: undefined, next: next + 1 };
};

/** One part of a piece: anything but a star. */
const readPart = (characters: Characters, at: number): Read | undefined => {
  if (characters[at] === '?') return { glob: '?', text: undefined, next: at + 1 };
  if (characters[at] === '[') return readClass(characters, at + 1);
  const index = characters[at] === '\\' ? at + 1 : at;
  const text = characters[index];
  return text === undefined ? undefined : { glob: literal(text), text, next: index + 1 };
};

const joined = (piece: GlobPiece, part: GlobPiece): GlobPiece => ({
  glob: piece.glob + part.glob,
  text: piece.text === undefined || part.text === undefined ? undefined : piece.text + part.text,
});

/**
 * Reads a glob as the pieces between its stars; a run of stars is one, and a pattern without a star is one piece.
 *
 * @returns nothing when the pattern has a syntax error
 */
export const readGlob = (pattern: string): readonly GlobPiece[] | undefined => {
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
      piece = joined(piece, part);
      at = part.next;
    }
  }
  return [...pieces, piece];
};
