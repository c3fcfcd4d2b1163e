/** A member of an object in a text, with the offsets of its parts. */
export interface JsonMember {
  readonly key: string;
  readonly keyStart: number;
  readonly valueStart: number;
  readonly valueEnd: number;
}

/** An object in a text. */
export interface JsonExtent {
  /** Offset of `{`. */
  readonly start: number;
  /** Offset of `}`. */
  readonly end: number;
  readonly members: readonly JsonMember[];
  /** True when a comma follows the last member. */
  readonly hasTrailingComma: boolean;
}

/** A part of the text that is neither white space nor a comment. */
interface Token {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const SKIPPED = /(?:\s+|\/\/[^\n]*|\/\*[^*]*(?:\*(?!\/)[^*]*)*\*\/)*/y;
const TOKEN = /"[^"\\]*(?:\\[^][^"\\]*)*"|[{}[\]:,]|[^\s{}[\]:,"/]+/y;

const matchEnd = (pattern: RegExp, text: string, at: number): number | undefined => {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
};

/** Reads tokens one after the other. */
class Tokens {
  readonly #text: string;
  #at: number;

  constructor(text: string, at: number) {
    this.#text = text;
    this.#at = at;
  }

  next(): Token | undefined {
    const start = matchEnd(SKIPPED, this.#text, this.#at) ?? this.#at;
    const end = matchEnd(TOKEN, this.#text, start);
    if (end === undefined) return undefined;
    this.#at = end;
    return { text: this.#text.slice(start, end), start, end };
  }
}

/** Returns the end of the value that begins with a token. */
const valueEnd = (first: Token, tokens: Tokens): number | undefined => {
  let depth = 0;
  for (let token: Token | undefined = first; token !== undefined; token = tokens.next()) {
    if (token.text === '{' || token.text === '[') depth += 1;
    else if (token.text === '}' || token.text === ']') depth -= 1;
    if (depth === 0) return token.end;
  }
  return undefined;
};

const keyOf = ({ text }: Token): string | undefined =>
  text.startsWith('"') ? String(JSON.parse(text)) : undefined;

const memberFrom = (name: Token, tokens: Tokens): JsonMember | undefined => {
  const key = keyOf(name);
  const colon = tokens.next();
  const first = tokens.next();
  if (key === undefined || colon?.text !== ':' || first === undefined) return undefined;
  const end = valueEnd(first, tokens);
  return end === undefined
    ? undefined
    : { key, keyStart: name.start, valueStart: first.start, valueEnd: end };
};

/**
 * Returns the object that begins at an offset of a text with comments and trailing commas; `undefined` when there is none.
 *
 * @param text a text that is JSON without its comments and trailing commas
 */
export const jsonExtent = (text: string, at: number): JsonExtent | undefined => {
  const tokens = new Tokens(text, at);
  const open = tokens.next();
  if (open?.text !== '{') return undefined;
  const members: JsonMember[] = [];
  let hasTrailingComma = false;
  for (let token = tokens.next(); token !== undefined; token = tokens.next()) {
    if (token.text === '}')
      return { start: open.start, end: token.start, members, hasTrailingComma };
    hasTrailingComma = token.text === ',';
    if (hasTrailingComma) continue;
    const member = memberFrom(token, tokens);
    if (member === undefined) return undefined;
    members.push(member);
  }
  return undefined;
};
