/** Deeper than any body of an operation, so that what is read here is bounded by more than the size of the body. */
const MAX_DEPTH = 64;

/** What is wrong with a JSON text besides its syntax. */
export type JsonTextProblem =
  | { readonly code: 'json.repeated-field'; readonly field: string }
  | { readonly code: 'json.too-deep'; readonly maximum: number };

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;

/** Where the string that opens at an index is closed. */
const endOfString = (json: string, opening: number): number => {
  let index = opening + 1;
  while (json.charCodeAt(index) !== QUOTE) index += json.charCodeAt(index) === BACKSLASH ? 2 : 1;
  return index;
};

/** The string between two quotes, its escapes resolved. */
const stringAt = (json: string, opening: number, closing: number): string => {
  const raw = json.slice(opening + 1, closing);
  return raw.includes('\\') ? (JSON.parse(`"${raw}"`) as string) : raw;
};

/** Follows a JSON text with the names of every object that is still open. */
class OpenObjects {
  readonly #json: string;
  readonly #open: (Set<string> | undefined)[] = [];
  /** The last string: a name, if a colon follows. */
  #opening = 0;
  #closing = 0;

  constructor(json: string) {
    this.#json = json;
  }

  /** Takes what stands at an index. @returns a problem, or the next index to look at */
  take(index: number): JsonTextProblem | number {
    switch (this.#json.charCodeAt(index)) {
      case QUOTE:
        this.#opening = index;
        this.#closing = endOfString(this.#json, index);
        return this.#closing + 1;
      case COLON:
        return this.#name() ?? index + 1;
      case 0x7b: // {
        return this.#enter(new Set()) ?? index + 1;
      case 0x5b: // [
        return this.#enter(undefined) ?? index + 1;
      case 0x7d: // }
      case 0x5d: // ]
        this.#open.pop();
        return index + 1;
      default:
        return index + 1;
    }
  }

  #enter(names: Set<string> | undefined): JsonTextProblem | undefined {
    this.#open.push(names);
    return this.#open.length > MAX_DEPTH
      ? { code: 'json.too-deep', maximum: MAX_DEPTH }
      : undefined;
  }

  #name(): JsonTextProblem | undefined {
    const field = stringAt(this.#json, this.#opening, this.#closing);
    const names = this.#open.at(-1);
    if (names?.has(field) === true) return { code: 'json.repeated-field', field };
    names?.add(field);
    return undefined;
  }
}

/**
 * What readers of JSON disagree on, or `undefined`: an object that has a name twice (RFC 8259 §4), and what is nested deeper than a
 * reader may go.
 *
 * @param json a text that parses
 */
export const jsonTextProblem = (json: string): JsonTextProblem | undefined => {
  const objects = new OpenObjects(json);
  let index = 0;
  while (index < json.length) {
    const taken = objects.take(index);
    if (typeof taken !== 'number') return taken;
    index = taken;
  }
  return undefined;
};
