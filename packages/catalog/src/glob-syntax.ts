/** What stands between two stars of a glob. It matches a fixed number of characters. */
export interface GlobPiece {
  /** The piece as a regular expression, flag `u`. */
  readonly source: string;
  /** The text that the piece is, when it holds neither a question mark nor a class. */
  readonly text: string | undefined;
}

interface Read {
  readonly source: string;
  readonly text: string | undefined;
  /** The index of the first character after what was read. */
  readonly next: number;
}

type Characters = readonly string[];

const EMPTY: GlobPiece = { source: '', text: '' };

const codeOf = (character: string): number => character.codePointAt(0) ?? 0;

/** One character as a regular expression that means nothing else. */
const literal = (character: string): string => `\\u{${codeOf(character).toString(16)}}`;

/** One end of a range inside a class. `-` and `]` stand for themselves only after a `\`. */
const readClassEnd = (
  characters: Characters,
  at: number,
): { readonly character: string; readonly next: number } | undefined => {
  if (characters[at] === '-' || characters[at] === ']') return undefined;
  const index = characters[at] === '\\' ? at + 1 : at;
  const character = characters[index];
  return character === undefined ? undefined : { character, next: index + 1 };
};

/** `a` or `a-z`; a range that runs backwards is a mistake. */
const readClassMember = (
  characters: Characters,
  at: number,
): { readonly source: string; readonly next: number } | undefined => {
  const low = readClassEnd(characters, at);
  if (low === undefined) return undefined;
  if (characters[low.next] !== '-') return { source: literal(low.character), next: low.next };
  const high = readClassEnd(characters, low.next + 1);
  if (high === undefined || codeOf(low.character) > codeOf(high.character)) return undefined;
  return { source: `${literal(low.character)}-${literal(high.character)}`, next: high.next };
};

/** What follows a `[`: at least one member, then `]`. No class matches a `/`. */
const readClass = (characters: Characters, at: number): Read | undefined => {
  const negated = characters[at] === '^';
  let members = '';
  let next = negated ? at + 1 : at;
  do {
    const member = readClassMember(characters, next);
    if (member === undefined) return undefined;
    members += member.source;
    next = member.next;
  } while (characters[next] !== ']');
  const source = negated ? `[^${members}/]` : `(?!/)[${members}]`;
  return { source, text: undefined, next: next + 1 };
};

/** One part of a piece: anything but a star. */
const readPart = (characters: Characters, at: number): Read | undefined => {
  if (characters[at] === '?') return { source: '[^/]', text: undefined, next: at + 1 };
  if (characters[at] === '[') return readClass(characters, at + 1);
  const index = characters[at] === '\\' ? at + 1 : at;
  const text = characters[index];
  return text === undefined ? undefined : { source: literal(text), text, next: index + 1 };
};

const joined = (piece: GlobPiece, part: GlobPiece): GlobPiece => ({
  source: piece.source + part.source,
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
