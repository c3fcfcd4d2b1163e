const TOKEN = /"[^"\\]*(?:\\[^][^"\\]*)*"|[{}[\]:,]/g;

/** One object or list that the scan is inside of. */
interface Level {
  readonly isObject: boolean;
  /** The key whose value is being read; `undefined` while the key itself is awaited. */
  key: string | undefined;
  readonly seen: Set<string>;
}

const keyOf = (token: string): string => String(JSON.parse(token));

/** The names of objects at a path, collected while the tokens of a text pass. */
class NameScan {
  readonly repeated = new Set<string>();
  readonly #levels: Level[] = [];
  readonly #parent: string;

  constructor(parent: string) {
    this.#parent = parent;
  }

  take(token: string): void {
    if (token === '{' || token === '[')
      this.#levels.push({ isObject: token === '{', key: undefined, seen: new Set() });
    else if (token === '}' || token === ']') this.#levels.pop();
    else this.#takeMember(token);
  }

  #takeMember(token: string): void {
    const level = this.#levels.at(-1);
    if (level?.isObject !== true) return;
    if (token === ',') level.key = undefined;
    else if (token !== ':' && level.key === undefined) this.#takeKey(level, keyOf(token));
  }

  #takeKey(level: Level, key: string): void {
    level.key = key;
    const [root] = this.#levels;
    if (this.#levels.length !== 2 || root?.key !== this.#parent) return;
    if (level.seen.has(key)) this.repeated.add(key);
    level.seen.add(key);
  }
}

/**
 * Returns the names that occur more than once in the object that is the value of a key of the top level; `JSON.parse` keeps the last of
 * them only.
 *
 * @param json valid JSON
 */
export const repeatedNames = (json: string, parent: string): ReadonlySet<string> => {
  const scan = new NameScan(parent);
  for (const [token] of json.matchAll(TOKEN)) scan.take(token);
  return scan.repeated;
};
