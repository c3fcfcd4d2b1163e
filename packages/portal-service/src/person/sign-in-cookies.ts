import { createHash } from 'node:crypto';
import { parse, serialize } from 'cookie';
import type { CookieScope, CookieRequest } from './cookie-scope.ts';
import type { PendingSignIn } from './session-record.ts';
import { openSignIn, sealSignIn, type StartedSignIn } from './sealed-sign-in.ts';

/** Milliseconds in which a sign-in must be completed. */
const PENDING_MS = 10 * 60_000;
/** Characters of a cookie: browsers refuse more than 4,096 with the name. */
const MAX_CHARS = 3_072;
/** Characters of all these cookies of a browser, so that a request stays below the limit of 16 KB for its headers. */
const MAX_ALL_CHARS = 6_144;
const DIGEST_CHARS = 22;

/** The sign-ins that wait in a browser: each in a cookie of its own, which only the portal can read and write. */
export interface SignInCookies {
  /** Returns the values of `set-cookie` that keep a sign-in, and remove the oldest ones that are too many. */
  readonly keep: (request: CookieRequest, pending: PendingSignIn) => readonly string[];
  /** Returns the sign-in of a `state`; undefined when this browser has none, or started it too long ago. */
  readonly read: (request: CookieRequest, state: string) => PendingSignIn | undefined;
  /** Returns the value of `set-cookie` that removes the sign-in of a `state`. */
  readonly remove: (state: string) => string;
}

/** The parts of {@link createSignInCookies}. */
export interface SignInCookieParts {
  readonly scope: CookieScope;
  /** The key of the portal. */
  readonly key: Uint8Array;
  /** The page that a sign-in leads to when the address of the page before is too long for a cookie. */
  readonly firstPage: string;
  readonly now: () => number;
}

interface KeptCookie {
  readonly name: string;
  readonly chars: number;
  /** 0 for a cookie that is not of this portal, as of another one on the same loopback address. */
  readonly startedAt: number;
}

class SealedCookies implements SignInCookies {
  readonly #parts: SignInCookieParts;
  readonly #prefix: string;

  constructor(parts: SignInCookieParts) {
    this.#parts = parts;
    this.#prefix = `${parts.scope.name}-`;
  }

  keep(request: CookieRequest, pending: PendingSignIn): readonly string[] {
    const { scope, now, firstPage } = this.#parts;
    const started = { ...pending, startedAt: now() };
    const name = this.#nameOf(pending.state);
    const whole = this.#seal(started, name);
    const value =
      whole.length <= MAX_CHARS ? whole : this.#seal({ ...started, returnTo: firstPage }, name);
    const written = serialize(name, value, { ...scope.attributes, maxAge: PENDING_MS / 1_000 });
    const removed = this.#tooMany(request, MAX_ALL_CHARS - name.length - value.length);
    return [...removed.map((one) => this.#removed(one.name)), written];
  }

  read({ headers }: CookieRequest, state: string): PendingSignIn | undefined {
    const name = this.#nameOf(state);
    const value = parse(headers.cookie ?? '')[name];
    const started = value === undefined ? undefined : this.#open(value, name);
    const isWaiting =
      started?.state === state && this.#parts.now() - started.startedAt <= PENDING_MS;
    return isWaiting ? started : undefined;
  }

  remove(state: string): string {
    return this.#removed(this.#nameOf(state));
  }

  #tooMany({ headers }: CookieRequest, maxChars: number): readonly KeptCookie[] {
    const kept = Object.entries(parse(headers.cookie ?? ''))
      .filter(([name]) => name.startsWith(this.#prefix))
      .map(([name, value = '']) => ({
        name,
        chars: name.length + value.length,
        startedAt: this.#open(value, name)?.startedAt ?? 0,
      }))
      .sort((one, other) => other.startedAt - one.startedAt);
    let chars = 0;
    return kept.filter((one) => (chars += one.chars) > maxChars);
  }

  #seal(started: StartedSignIn, name: string): string {
    return sealSignIn(started, name, this.#parts.key);
  }

  #open(value: string, name: string): StartedSignIn | undefined {
    return openSignIn(value, name, this.#parts.key);
  }

  #removed(name: string): string {
    return serialize(name, '', { ...this.#parts.scope.attributes, maxAge: 0 });
  }

  #nameOf(state: string): string {
    const digest = createHash('sha256').update(state).digest('base64url');
    return `${this.#prefix}${digest.slice(0, DIGEST_CHARS)}`;
  }
}

/** Creates the cookies of sign-ins that wait. */
export const createSignInCookies = (parts: SignInCookieParts): SignInCookies =>
  new SealedCookies(parts);
