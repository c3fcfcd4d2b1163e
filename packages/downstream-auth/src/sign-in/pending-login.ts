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

const createLoginKey = (state: string): StateKey => ['login', state];
const createOpenKey = ({
  server,
  principalKey,
}: Pick<PendingLogin, 'server' | 'principalKey'>): StateKey => [
  'login-opened',
  server,
  principalKey,
];
const createBrowserKey = (state: string): StateKey => ['login-browser', state];
const createReportKey = (state: string, report: SignInReport): StateKey => [
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
export const createRandomText = (): string => randomBytes(32).toString('base64url');

type SignInReport = 'other-user' | 'redirect';

/** Creates the sign-ins in progress, by state. They survive a restart when the store does. Methods reject with failures of the store. */
export const createPendingLogins = (store: StateStore) => ({
  save: (state: string, login: PendingLogin): Promise<void> => {
    const { kind, clientId, method } = login.client;
    // The secret of a client that the operator registered stays in its source.
    const client = kind === 'pre-registered' ? { kind, clientId, method } : login.client;
    return store.set(createLoginKey(state), JSON.stringify({ ...login, client }), {
      ttlMs: LOGIN_MS,
    });
  },
  get: async (state: string): Promise<PendingLogin | undefined> =>
    STATE.test(state) ? parse(await store.get(createLoginKey(state))) : undefined,
  /** Remembers for a day that a browser opened a sign-in, until `answered`. */
  opened: (login: PendingLogin): Promise<void> =>
    store.set(createOpenKey(login), login.client.clientId, { ttlMs: UNANSWERED_MS }),
  answered: (login: PendingLogin) => store.delete(createOpenKey(login)),
  /** Returns the client ID of the last sign-in to a server that a browser opened and that was not answered. */
  unanswered: (user: Pick<PendingLogin, 'server' | 'principalKey'>): Promise<string | undefined> =>
    store.get(createOpenKey(user)),
  /** Returns whether a fact about a sign-in is not reported yet, and marks it as reported. */
  report: (state: string, report: SignInReport): Promise<boolean> =>
    store.add(createReportKey(state, report), '1', { ttlMs: LOGIN_MS }),
  setRedirect: (state: string, redirect: string): Promise<void> =>
    store.set(redirectKey(state), redirect, { ttlMs: LOGIN_MS }),
  /** Binds a sign-in to the browser in which a user confirmed it. Returns whether it belongs to this browser. */
  confirm: async (state: string, browser: string): Promise<boolean> =>
    (await store.add(createBrowserKey(state), browser, { ttlMs: LOGIN_MS })) ||
    isSameSecret(browser, await store.get(createBrowserKey(state))),
  /** Returns and removes a sign-in, with the URL that it ends at and the cookie of its browser: a state is used once. */
  take: async (state: string) => {
    if (!STATE.test(state)) return undefined;
    const login = parse(await store.take(createLoginKey(state)));
    if (login === undefined) return undefined;
    const [redirect, browser] = await Promise.all([
      store.take(redirectKey(state)),
      store.take(createBrowserKey(state)),
    ]);
    return { login, redirect, browser };
  },
});

export type PendingLogins = ReturnType<typeof createPendingLogins>;

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

export const formatBrowserCookie = (signIn: BrowserSignIn, secret: string): string =>
  `${formatCookieName(signIn)}=${secret}; Max-Age=${LOGIN_MS / 1_000}; ${formatAttributes(signIn)}`;

export const formatRemovalCookie = (signIn: BrowserSignIn): string =>
  `${formatCookieName(signIn)}=; Max-Age=0; ${formatAttributes(signIn)}`;

const SECRET = /^[\w-]{43}$/;

/** Returns the value of the cookie of a sign-in; `undefined` when the browser has none of the right form. */
export const readBrowserSecret = (
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

export const computeConfirmationToken = ({ formKey, browser }: ConfirmationForm): string =>
  createHmac('sha256', formKey).update(browser).digest('base64url');

export const isConfirmationToken = (form: ConfirmationForm, token: string | undefined): boolean =>
  isSameSecret(token, computeConfirmationToken(form));
