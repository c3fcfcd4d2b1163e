const TOKEN = /"[^"\\]*(?:\\[^][^"\\]*)*"|[{}[\]:,]/g;

/** One object or list that the scan is inside of. */
interface Level {
  readonly isObject: boolean;
  /** The key whose value is being read; `undefined` while the key itself is awaited. */
  key: string | undefined;
  readonly seen: Set<string>;
}

const keyOf = (token: string): string => String(JSON.parse(token));

/** Returns a text that is the same for the same path only. */
const pathText = (path: readonly (string | undefined)[]): string => JSON.stringify(path);

/** The names of objects at paths, collected while the tokens of a text pass. */
class NameScan {
  readonly repeated: ReadonlyMap<string, Set<string>>;
  readonly #depths: ReadonlySet<number>;
  readonly #levels: Level[] = [];

  constructor(paths: readonly (readonly string[])[]) {
    this.repeated = new Map(paths.map((path) => [pathText(path), new Set<string>()]));
    this.#depths = new Set(paths.map(({ length }) => length));
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
    const depth = this.#levels.length - 1;
    if (!this.#depths.has(depth)) return;
    const repeated = this.repeated.get(
      pathText(this.#levels.slice(0, depth).map((outer) => outer.key)),
    );
    if (repeated === undefined) return;
    if (level.seen.has(key)) repeated.add(key);
    level.seen.add(key);
  }
}

/** Returns whether a key occurs more than once in the object at a path. */
export type RepeatedNames = (path: readonly string[], key: string) => boolean;

/**
 * Finds the keys that occur more than once in objects of a text; `JSON.parse` keeps the last of them only.
 *
 * @param json valid JSON
 * @param paths the keys that lead to each object
 */
export const repeatedNames = (
  json: string,
  paths: readonly (readonly string[])[],
): RepeatedNames => {
  const scan = new NameScan(paths);
  for (const [token] of json.matchAll(TOKEN)) scan.take(token);
  return (path, key) => scan.repeated.get(pathText(path))?.has(key) === true;
};
