import { createHash, createHmac, randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { StateKey, StateStore } from '@gateway/state-store';
import * as z from 'zod/mini';
import { type ClientIdentity, parseClientIdentity } from '../clients/identify-client.ts';
import { parseJson } from '../storage/state.ts';
import { isSameSecret, readCookie } from '@gateway/service-host';

const text = z.string();

const pendingLogin = z.object({
  server: text,
  serverUrl: text,
  principalKey: text,
  issuer: text,
  resource: text,
  scope: text,
  verifier: text,
  redirectUri: text,
  authorizationUrl: text,
  /** Key of the tokens of the forms that confirm the sign-in. */
  formKey: text,
  askedBy: z.object({ name: text, issuer: z.exactOptional(text) }),
  accountPrompt: text,
  client: z.unknown(),
});

export interface PendingLogin extends Omit<z.output<typeof pendingLogin>, 'client'> {
  readonly client: ClientIdentity;
}

/** A sign-in must be completed within this time, in milliseconds. */
const LOGIN_MS = 10 * 60_000;

/** How long an unanswered sign-in is remembered, in milliseconds. */
const UNANSWERED_MS = 24 * 60 * 60_000;

const STATE = /^[\w-]{43}$/;

const loginKey = (state: string): StateKey => ['login', state];
const openedKey = ({
  server,
  principalKey,
}: Pick<PendingLogin, 'server' | 'principalKey'>): StateKey => [
  'login-opened',
  server,
  principalKey,
];
const browserKey = (state: string): StateKey => ['login-browser', state];
const reportedKey = (state: string, report: SignInReport): StateKey => [
  'login-reported',
  state,
  report,
];
const redirectKey = (state: string): StateKey => ['login-redirect', state];

const parse = (value: string | undefined): PendingLogin | undefined => {
  const login = pendingLogin.safeParse(parseJson(value)).data;
  const client = parseClientIdentity(login?.client);
  return login === undefined || client === undefined ? undefined : { ...login, client };
};

/** Returns a random text of 43 characters with 256 bits. */
export const randomText = (): string => randomBytes(32).toString('base64url');

interface TakenLogin {
  readonly login: PendingLogin;
  readonly redirect: string | undefined;
  /** Value of the cookie of the browser in which it was confirmed. */
  readonly browser: string | undefined;
}

type SignInReport = 'other-user' | 'redirect';

/** Sign-ins in progress, by state. Methods reject with failures of the store. */
export interface PendingLogins {
  save(state: string, login: PendingLogin): Promise<void>;
  get(state: string): Promise<PendingLogin | undefined>;
  /** Remembers for a day that a browser opened a sign-in, until `answered`. */
  opened(login: PendingLogin): Promise<void>;
  answered(login: PendingLogin): Promise<void>;
  /** Returns the client ID of the last sign-in to a server that a browser opened and that was not answered. */
  unanswered(user: Pick<PendingLogin, 'server' | 'principalKey'>): Promise<string | undefined>;
  /** Returns whether a fact about a sign-in is not reported yet, and marks it as reported. */
  report(state: string, report: SignInReport): Promise<boolean>;
  setRedirect(state: string, redirect: string): Promise<void>;
  /** Binds a sign-in to the browser in which a user confirmed it. Returns whether it belongs to this browser. */
  confirm(state: string, browser: string): Promise<boolean>;
  /** Returns and removes a sign-in: a state is used once. */
  take(state: string): Promise<TakenLogin | undefined>;
}

/** Creates the sign-ins in progress. They survive a restart when the store does. */
export const createPendingLogins = (store: StateStore): PendingLogins => ({
  save: (state, login) => {
    const { kind, clientId, method } = login.client;
    // The secret of a client that the operator registered stays in its source.
    const client = kind === 'pre-registered' ? { kind, clientId, method } : login.client;
    return store.set(loginKey(state), JSON.stringify({ ...login, client }), { ttlMs: LOGIN_MS });
  },
  get: async (state) => (STATE.test(state) ? parse(await store.get(loginKey(state))) : undefined),
  opened: (login) => store.set(openedKey(login), login.client.clientId, { ttlMs: UNANSWERED_MS }),
  answered: (login) => store.delete(openedKey(login)),
  unanswered: (user) => store.get(openedKey(user)),
  report: (state, report) => store.add(reportedKey(state, report), '1', { ttlMs: LOGIN_MS }),
  setRedirect: (state, redirect) => store.set(redirectKey(state), redirect, { ttlMs: LOGIN_MS }),
  confirm: async (state, browser) =>
    (await store.add(browserKey(state), browser, { ttlMs: LOGIN_MS })) ||
    isSameSecret(browser, await store.get(browserKey(state))),
  take: async (state) => {
    if (!STATE.test(state)) return undefined;
    const login = parse(await store.take(loginKey(state)));
    if (login === undefined) return undefined;
    const [redirect, browser] = await Promise.all([
      store.take(redirectKey(state)),
      store.take(browserKey(state)),
    ]);
    return { login, redirect, browser };
  },
});

const PAGES_PATH = '/oauth/proxy/';

interface BrowserSignIn {
  readonly state: string;
  readonly callback: URL;
}

const isSecure = ({ callback }: BrowserSignIn): boolean => callback.protocol === 'https:';

const digestState = ({ state }: BrowserSignIn): string =>
  createHash('sha256').update(state).digest('hex').slice(0, 16);

/** Each sign-in has its own cookie, so that several can run in one browser. With `__Host-`, other hosts of the domain cannot set it. */
const formatCookieName = (signIn: BrowserSignIn): string =>
  `${isSecure(signIn) ? '__Host-' : ''}gateway-sign-in-${digestState(signIn)}`;

/** `__Host-` demands the path `/`. */
const formatAttributes = (signIn: BrowserSignIn): string =>
  `Path=${isSecure(signIn) ? '/' : PAGES_PATH}; HttpOnly; SameSite=Lax${isSecure(signIn) ? '; Secure' : ''}`;

export const browserCookie = (signIn: BrowserSignIn, secret: string): string =>
  `${formatCookieName(signIn)}=${secret}; Max-Age=${LOGIN_MS / 1_000}; ${formatAttributes(signIn)}`;

export const removedCookie = (signIn: BrowserSignIn): string =>
  `${formatCookieName(signIn)}=; Max-Age=0; ${formatAttributes(signIn)}`;

const SECRET = /^[\w-]{43}$/;

/** Returns the value of the cookie of a sign-in; `undefined` when the browser has none of the right form. */
export const browserSecret = (
  request: IncomingMessage,
  signIn: BrowserSignIn,
): string | undefined => {
  const sent = readCookie(request, formatCookieName(signIn));
  return sent !== undefined && SECRET.test(sent) ? sent : undefined;
};

interface ConfirmationForm {
  readonly formKey: string;
  readonly browser: string;
}

export const confirmationToken = ({ formKey, browser }: ConfirmationForm): string =>
  createHmac('sha256', formKey).update(browser).digest('base64url');

export const isConfirmationToken = (form: ConfirmationForm, token: string | undefined): boolean =>
  isSameSecret(token, confirmationToken(form));
