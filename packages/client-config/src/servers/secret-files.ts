/** A file with the value of a secret. */
export interface SecretFile {
  /** Relative to the configuration directory, with `/`. */
  readonly path: string;
  readonly value: string;
}

/** Characters that a key of a Secret cannot have. */
const NOT_IN_KEY = /[^-._a-zA-Z0-9]+/gu;
const MAX_KEY_CHARS = 200;

/** Returns a text that can be a key of a Secret, as similar to a name as possible. */
export const secretKeyOf = (name: string): string => {
  const key = name.replaceAll(NOT_IN_KEY, '_').slice(0, MAX_KEY_CHARS);
  return /^\.*$/u.test(key) ? `value${key}` : key;
};

/** The secrets of one server, each in a file of its own. */
export class SecretFiles {
  readonly #server: string;
  readonly #values = new Map<string, string>();

  constructor(server: string) {
    this.#server = server;
  }

  /** Adds a value and returns its key. */
  add(name: string, value: string): string {
    const wanted = secretKeyOf(name);
    let key = wanted;
    for (let count = 2; this.#values.has(key) && this.#values.get(key) !== value; count += 1)
      key = `${wanted}-${String(count)}`;
    this.#values.set(key, value);
    return key;
  }

  /** Returns the path of a key. */
  pathOf(key: string): string {
    return `secrets/${this.#server}/${key}`;
  }

  /** Adds a value and returns the placeholder that stands for it. */
  placeholder(name: string, value: string): string {
    return `\${file:${this.pathOf(this.add(name, value))}}`;
  }

  all(): readonly SecretFile[] {
    return [...this.#values].map(([key, value]) => ({ path: this.pathOf(key), value }));
  }
}
