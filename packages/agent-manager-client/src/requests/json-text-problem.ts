/** Deeper than any body of an operation, so that what is read here is bounded by more than the size of the body. */
const MAX_DEPTH = 64;

/** What is wrong with a JSON text besides its syntax. */
export type JsonTextProblem =
  | { readonly code: 'json.repeated-field'; readonly field: string }
  | { readonly code: 'json.too-deep'; readonly maximum: number };

const STRING_OR_MARK = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]/g;

/** Follows the marks of a JSON text, with the names of every object that is still open. */
class OpenObjects {
  readonly #open: (Set<string> | undefined)[] = [];
  #text = '';

  get depth(): number {
    return this.#open.length;
  }

  /** Takes the next mark or string. @returns the name that the innermost object has already */
  take(token: string): string | undefined {
    if (token === '{') this.#open.push(new Set());
    else if (token === '[') this.#open.push(undefined);
    else if (token === '}' || token === ']') this.#open.pop();
    else if (token === ':') return this.#name();
    else if (token !== ',') this.#text = token;
    return undefined;
  }

  #name(): string | undefined {
    const name = JSON.parse(this.#text) as string;
    const names = this.#open.at(-1);
    if (names?.has(name) === true) return name;
    names?.add(name);
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
  const objects = new OpenObjects();
  for (const [token] of json.matchAll(STRING_OR_MARK)) {
    const field = objects.take(token);
    if (field !== undefined) return { code: 'json.repeated-field', field };
    if (objects.depth > MAX_DEPTH) return { code: 'json.too-deep', maximum: MAX_DEPTH };
  }
  return undefined;
};
