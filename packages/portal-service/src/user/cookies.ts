import { parse, serialize } from 'cookie';
import { createHash, randomBytes, createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { PendingSignIn } from './sessions.ts';
import { deflateRawSync, inflateRawSync } from 'node:zlib';

const CIPHER = 'aes-256-gcm';
const [SALT_BYTES, KEY_BYTES, NONCE_BYTES, TAG_BYTES] = [16, 32, 12, 16];
const LABEL = 'sign-in of the portal';
/** More than the longest record: the address of a page is bounded. */
const MAX_BYTES = 64 * 1_024;

/** A sign-in that waits, and its start in milliseconds since the epoch. */
export interface StartedSignIn extends PendingSignIn {
  readonly startedAt: number;
}

/** Anybody can start any number of sign-ins: each has a key and a nonce of its own, derived from a random salt. RFC 5869 */
const deriveKeys = (key: Uint8Array, salt: Uint8Array) => {
  const derived = Buffer.from(hkdfSync('sha256', key, salt, LABEL, KEY_BYTES + NONCE_BYTES));
  return [derived.subarray(0, KEY_BYTES), derived.subarray(KEY_BYTES)] as const;
};

/** Compresses and encrypts a sign-in with AES-256-GCM. @param context text that is authenticated and not stored: the name of the cookie */
const sealSignIn = (started: StartedSignIn, context: string, key: Uint8Array): string => {
  const salt = randomBytes(SALT_BYTES);
  const [secret, nonce] = deriveKeys(key, salt);
  const cipher = createCipheriv(CIPHER, secret, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(context));
  const text = deflateRawSync(JSON.stringify(started));
  return Buffer.concat([salt, cipher.update(text), cipher.final(), cipher.getAuthTag()]).toString(
    'base64url',
  );
};

/** Returns a sealed sign-in; undefined when it was changed, or has another context or key. */
const openSignIn = (
  sealed: string,
  context: string,
  key: Uint8Array,
): StartedSignIn | undefined => {
  const bytes = Buffer.from(sealed, 'base64url');
  if (bytes.length < SALT_BYTES + TAG_BYTES) return undefined;
  const [secret, nonce] = deriveKeys(key, bytes.subarray(0, SALT_BYTES));
  const decipher = createDecipheriv(CIPHER, secret, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(context));
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  try {
    const text = decipher.update(bytes.subarray(SALT_BYTES, -TAG_BYTES));
    const record = inflateRawSync(Buffer.concat([text, decipher.final()]), {
      maxOutputLength: MAX_BYTES,
    });
    // The tag says that this portal wrote it.
    return JSON.parse(record.toString()) as StartedSignIn;
  } catch {
    return undefined;
  }
};

/** A request with its cookies. */
type CookieRequest = Pick<IncomingMessage, 'headers'>;

/** The name of a cookie, and who gets it. Scripts cannot read it, and other sites cannot send it with requests that change something. */
interface CookieScope {
  readonly name: string;
  readonly attributes: {
    readonly httpOnly: true;
    readonly secure: boolean;
    readonly sameSite: 'lax';
    readonly path: string;
  };
}

const PORTAL_DIGEST_CHARS = 16;

/** Several portals of one host have one path, and names of their own. */
const computePortalName = (pathname: string): string =>
  pathname === '/'
    ? 'portal'
    : `portal-${createHash('sha256').update(pathname).digest('base64url').slice(0, PORTAL_DIGEST_CHARS)}`;

/**
 * Returns the scope of a cookie of a portal. With https it is sent on secure connections only, and browsers let no other host write it
 * (`__Host-`, RFC 6265bis §4.1.3), which requires the path of the whole host. With http it is bound to the path.
 *
 * @param path the path below that of the portal
 */
const createCookieScope = (
  { protocol, pathname }: URL,
  { suffix, path }: { readonly suffix: string; readonly path: string },
): CookieScope => {
  const secure = protocol === 'https:';
  return {
    name: secure ? `__Host-${computePortalName(pathname)}${suffix}` : `portal${suffix}`,
    attributes: {
      httpOnly: true,
      secure,
      sameSite: 'lax',
      path: secure ? '/' : `${pathname}${path}`,
    },
  };
};

/** Milliseconds in which a sign-in must be completed. */
const PENDING_MS = 10 * 60_000;
/** Characters of a cookie: browsers refuse more than 4,096 with the name. */
const MAX_CHARS = 3_072;
/** Characters of all these cookies of a browser, so that a request stays below the limit of 16 KB for its headers. */
const MAX_ALL_CHARS = 6_144;
const DIGEST_CHARS = 22;

/** The parts of {@link SignInCookies}. */
interface SignInCookieParts {
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

/** The sign-ins that wait in a browser: each in a cookie of its own, which only the portal can read and write. */
class SignInCookies {
  readonly #parts: SignInCookieParts;
  readonly #prefix: string;

  constructor(parts: SignInCookieParts) {
    this.#parts = parts;
    this.#prefix = `${parts.scope.name}-`;
  }

  /** Returns the values of `set-cookie` that keep a sign-in, and remove the oldest ones that are too many. */
  keep(request: CookieRequest, pending: PendingSignIn): readonly string[] {
    const { scope, now, firstPage } = this.#parts;
    const started = { ...pending, startedAt: now() };
    const name = this.#toName(pending.state);
    const whole = this.#seal(started, name);
    const value =
      whole.length <= MAX_CHARS ? whole : this.#seal({ ...started, returnTo: firstPage }, name);
    const written = serialize(name, value, { ...scope.attributes, maxAge: PENDING_MS / 1_000 });
    const removed = this.#tooMany(request, MAX_ALL_CHARS - name.length - value.length);
    return [...removed.map((one) => this.#formatRemoval(one.name)), written];
  }

  /** Returns the sign-in of a `state`; undefined when this browser has none, or started it too long ago. */
  read({ headers }: CookieRequest, state: string): PendingSignIn | undefined {
    const name = this.#toName(state);
    const value = parse(headers.cookie ?? '')[name];
    const started = value === undefined ? undefined : this.#open(value, name);
    const isWaiting =
      started?.state === state && this.#parts.now() - started.startedAt <= PENDING_MS;
    return isWaiting ? started : undefined;
  }

  /** Returns the value of `set-cookie` that removes the sign-in of a `state`. */
  remove(state: string): string {
    return this.#formatRemoval(this.#toName(state));
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

  #formatRemoval(name: string): string {
    return serialize(name, '', { ...this.#parts.scope.attributes, maxAge: 0 });
  }

  #toName(state: string): string {
    const digest = createHash('sha256').update(state).digest('base64url');
    return `${this.#prefix}${digest.slice(0, DIGEST_CHARS)}`;
  }
}

const ID_BYTES = 32;
const ID = /^[\w-]{43}$/;

/** The cookie that holds the id of a session. */
export interface SessionCookie {
  /** Returns the id of a request; undefined without a cookie of the right form. */
  readonly read: (request: CookieRequest) => string | undefined;
  /** Returns the value of `set-cookie` that stores an id, or removes it. */
  readonly write: (id: string | undefined) => string;
}

/** The cookies of a portal. */
export interface PortalCookies {
  /** Of a user who is signed in. */
  readonly session: SessionCookie;
  /** Of a browser in which sign-ins have started. A sign-in that fails changes no session. */
  readonly signIn: SignInCookies;
}

/** Returns a new id: 256 random bits. */
export const createSessionId = (): string => randomBytes(ID_BYTES).toString('base64url');

const createSessionCookie = (publicUrl: URL): SessionCookie => {
  const { name, attributes } = createCookieScope(publicUrl, { suffix: '', path: '' });
  return {
    read: ({ headers }) => {
      const value = parse(headers.cookie ?? '')[name];
      return value !== undefined && ID.test(value) ? value : undefined;
    },
    write: (id) =>
      id === undefined
        ? serialize(name, '', { ...attributes, maxAge: 0 })
        : serialize(name, id, attributes),
  };
};

/** The parts of {@link createPortalCookies}. */
interface PortalCookieParts {
  readonly publicUrl: URL;
  /** The key of the portal. */
  readonly key: Uint8Array;
  readonly now: () => number;
}

/** Creates the cookies of a portal. */
export const createPortalCookies = ({ publicUrl, key, now }: PortalCookieParts): PortalCookies => ({
  session: createSessionCookie(publicUrl),
  signIn: new SignInCookies({
    scope: createCookieScope(publicUrl, { suffix: '-sign-in', path: 'auth/' }),
    key,
    now,
    firstPage: publicUrl.href,
  }),
});
