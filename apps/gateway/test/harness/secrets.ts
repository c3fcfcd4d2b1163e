import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Returns a value that is nowhere else; it fits where a short code of an error belongs. */
export const newSecret = (): string => `canary-${randomBytes(9).toString('hex')}`;

/** Returns a token with these claims, which no key signed. */
export const unsignedToken = (claims: object): string =>
  [{ alg: 'RS256' }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .concat('signature')
    .join('.');

/** The ways in which a text can carry a secret. */
const formsOf = (secret: string): readonly string[] => [
  secret,
  Buffer.from(secret).toString('base64').replace(/=+$/u, ''),
  Buffer.from(secret).toString('hex'),
];

/** Returns whether a text contains a secret, as it is or encoded. */
export const carries = (text: string, secret: string): boolean =>
  formsOf(secret).some((form) => text.includes(form));

/** Returns all files below a folder. */
export const filesBelow = (path: string): readonly string[] =>
  readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

/** Returns the texts of the files below a folder. */
export const textsBelow = (path: string): readonly string[] =>
  filesBelow(path).map((file) => readFileSync(file, 'utf8'));

/** The secrets that a test saw. */
export class Secrets {
  readonly #kinds = new Map<string, string>();

  /** Notes a value and what it is. Short values are no secrets. */
  note(kind: string, value: unknown): void {
    if (typeof value === 'string' && value.length >= 16) this.#kinds.set(value, kind);
  }

  /** Notes a token, and each of its parts that can be used. */
  noteToken(kind: string, token: string): void {
    this.note(kind, token);
    for (const part of token.split('.').slice(1)) this.note(`part of ${kind}`, part);
  }

  /** Returns what was noted. */
  get kinds(): readonly string[] {
    return [...this.#kinds.values()];
  }

  /** Returns what a text contains: noted secrets, and anything that looks like a JWT. */
  foundIn(text: string): readonly string[] {
    const found = [...this.#kinds].filter(([secret]) => text.includes(secret));
    const tokens = text.match(/eyJ[\w-]{10,}\.eyJ/gu) ?? [];
    return [...found.map(([, kind]) => kind), ...tokens];
  }
}
