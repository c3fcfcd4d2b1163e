import { createHash, randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { StateKey } from '@gateway/state-store';
import { isSessionError } from './create-provider.ts';
import {
  BROKER_PATHS,
  resolveCookieNames,
  fail,
  finishDenied,
  type Interaction,
  redirect,
  type Visit,
} from './server-context.ts';
import { toPrincipal } from './upstream-account.ts';
import type { LoginPrompt, UpstreamLogin, UpstreamProvider } from './upstream-provider.ts';
import { isSameSecret, readCookie } from '@gateway/service-host';

/** Lifetime of a sign-in at the provider, in milliseconds. */
const LOGIN_MS = 10 * 60_000;

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Returns the cookie name of a sign-in, which is unique because a browser can run several sign-ins at the same time. */
const formatCookieName = (state: string, publicUrl: URL): string =>
  resolveCookieNames(publicUrl).login + digest(state).subarray(0, 9).toString('base64url');

const formatCookieAttributes = (publicUrl: URL, maxAgeSeconds: number): string => {
  const { isSecure } = resolveCookieNames(publicUrl);
  // The prefix `__Host-` requires the path `/`.
  const path = isSecure ? '/; Secure' : BROKER_PATHS.callback;
  return `Max-Age=${maxAgeSeconds}; Path=${path}; HttpOnly; SameSite=Lax`;
};

/** Returns the cookie that binds a sign-in to the browser that started it. */
const formatLoginCookie = (state: string, secret: string, publicUrl: URL): string =>
  `${formatCookieName(state, publicUrl)}=${secret}; ${formatCookieAttributes(publicUrl, LOGIN_MS / 1000)}`;

const formatRemovedLoginCookie = (state: string, publicUrl: URL): string =>
  `${formatCookieName(state, publicUrl)}=; ${formatCookieAttributes(publicUrl, 0)}`;

/** Returns whether a request comes from the browser that started a sign-in. */
const isSameBrowser = (
  request: IncomingMessage,
  { state, secret }: { readonly state: string; readonly secret: string },
  publicUrl: URL,
): boolean => isSameSecret(readCookie(request, formatCookieName(state, publicUrl)), secret);

/** A sign-in at the provider that has started; stored until its callback. */
interface StoredLogin extends UpstreamLogin {
  /** The interaction that continues afterwards. */
  readonly uid: string;
  /** Value of the cookie of the browser that started it. */
  readonly secret: string;
}

/** The result of a sign-in at the provider, stored until the interaction continues. */
type LoginResult = { readonly accountId: string } | { readonly denied: true };

/** Lifetime of the result of a sign-in, in milliseconds. */
const RESULT_MS = 2 * 60_000;

const MAX_STATE_CHARS = 128;

const toLoginKey = (state: string): StateKey => ['broker-login', state];
const toInteractionLoginKey = (uid: string): StateKey => ['broker-login-of', uid];
const toLoginResultKey = (uid: string): StateKey => ['broker-login-result', uid];

const createLoginSecret = (): string => randomBytes(32).toString('base64url');

const formatInteractionPath = (uid: string): string => `${BROKER_PATHS.interaction}/${uid}`;

const PROMPTS = ['login', 'select_account'] as const;

/** Returns the prompt that the client requests, regardless of the session at the provider. */
const readPrompt = ({ params: { prompt } }: Interaction): LoginPrompt | undefined => {
  const prompts = typeof prompt === 'string' ? prompt.split(' ') : [];
  return PROMPTS.findLast((name) => prompts.includes(name));
};

/** Returns the sign-in of an interaction. Reloads of its page reuse the sign-in, so that they do not fill the store. */
const resolveLogin = async ({ context: { store } }: Visit, uid: string): Promise<StoredLogin> => {
  const login: StoredLogin = {
    state: createLoginSecret(),
    nonce: createLoginSecret(),
    verifier: createLoginSecret(),
    secret: createLoginSecret(),
    uid,
  };
  const key = toInteractionLoginKey(uid);
  if (await store.add(key, JSON.stringify(login), { ttlMs: LOGIN_MS })) return login;
  const known = await store.get(key);
  return known === undefined ? login : (JSON.parse(known) as StoredLogin);
};

const startLogin = async (visit: Visit, interaction: Interaction): Promise<void> => {
  const { context, response } = visit;
  const login = await resolveLogin(visit, interaction.uid);
  const target = await context.upstream.authorizationUrl(login, {
    audiences: context.requiredAudiences(),
    prompt: readPrompt(interaction),
  });
  if (!target.ok) {
    fail(visit, 'unavailable');
    return;
  }
  await context.store.set(toLoginKey(login.state), JSON.stringify(login), { ttlMs: LOGIN_MS });
  response.appendHeader(
    'set-cookie',
    formatLoginCookie(login.state, login.secret, context.publicUrl),
  );
  redirect(visit, target.value.href);
};

/**
 * Ends the browser session when another user signs in, so that the new sign-in starts a new session. Replaces the page of the
 * library, which needs a script.
 */
const endOtherSession = async (
  { provider }: Visit,
  interaction: Interaction,
  accountId: string,
): Promise<void> => {
  const { session } = interaction;
  if (session === undefined || session.accountId === accountId) return;
  const previous = await provider.Session.findByUid(session.uid);
  await previous?.destroy();
  delete interaction.session;
  await interaction.persist();
};

/** Starts a sign-in at the provider, or continues with its result. */
export const continueLogin = async (visit: Visit, interaction: Interaction): Promise<void> => {
  const { context, provider, request, response } = visit;
  const stored = await context.store.take(toLoginResultKey(interaction.uid));
  if (stored === undefined) return startLogin(visit, interaction);
  const result = JSON.parse(stored) as LoginResult;
  if ('denied' in result) return finishDenied(visit);
  await endOtherSession(visit, interaction, result.accountId);
  await provider.interactionFinished(
    request,
    response,
    { login: { accountId: result.accountId }, select_account: {} },
    { mergeWithLastSubmission: false },
  );
};

const storeResult = async ({ context }: Visit, uid: string, result: LoginResult): Promise<void> => {
  await context.store.set(toLoginResultKey(uid), JSON.stringify(result), { ttlMs: RESULT_MS });
};

/** Returns the value of a parameter; undefined when it is missing or repeated. */
const findSingleValue = (query: URLSearchParams, name: string): string | undefined => {
  const values = query.getAll(name);
  return values.length === 1 ? values[0] : undefined;
};

/** Takes the sign-in of a callback, once, and only for the browser that started it. */
const takeLogin = async (visit: Visit, state: string): Promise<StoredLogin | undefined> => {
  const { context, request, response } = visit;
  const stored = await context.store.take(toLoginKey(state));
  if (stored === undefined) {
    fail(visit, 'expired');
    return undefined;
  }
  const login = JSON.parse(stored) as StoredLogin;
  await context.store.delete(toInteractionLoginKey(login.uid));
  response.appendHeader('set-cookie', formatRemovedLoginCookie(state, context.publicUrl));
  if (isSameBrowser(request, login, context.publicUrl)) return login;
  fail(visit, 'invalid');
  return undefined;
};

/** Reports the end of a sign-in at the provider. */
const observe = (
  { context }: Visit,
  outcome: Awaited<ReturnType<UpstreamProvider['exchange']>>,
): void => {
  if (outcome.ok) {
    const { subject, issuer } = outcome.value;
    context.observe({ code: 'signed-in', subject, issuer });
  } else context.observe({ code: 'sign-in-failed', problem: outcome.code });
};

/** Handles the redirect of the provider back to the gateway. */
export const handleCallback = async (visit: Visit): Promise<void> => {
  const { context, request } = visit;
  const callback = new URL(request.url ?? '', context.publicUrl);
  const state = findSingleValue(callback.searchParams, 'state');
  const isComplete = ['code', 'error'].some(
    (name) => findSingleValue(callback.searchParams, name) !== undefined,
  );
  if (state === undefined || state.length > MAX_STATE_CHARS || !isComplete) {
    fail(visit, 'missing');
    return;
  }
  const login = await takeLogin(visit, state);
  if (login === undefined) return;
  const outcome = await context.upstream.exchange(callback, login);
  observe(visit, outcome);
  if (outcome.ok) {
    const account = { ...outcome.value, checkedAt: context.now() };
    const accountId = await context.accounts.save(account);
    await context.onSignedIn(toPrincipal(account));
    await storeResult(visit, login.uid, { accountId });
  } else if (outcome.code === 'denied') await storeResult(visit, login.uid, { denied: true });
  else {
    fail(visit, outcome.code === 'unavailable' ? 'unavailable' : 'failed');
    return;
  }
  redirect(visit, formatInteractionPath(login.uid));
};

/** Returns the interaction of a request. Sends an error page and returns undefined when the browser has no interaction with this id. */
export const findInteraction = async (
  visit: Visit,
  uid: string,
): Promise<Interaction | undefined> => {
  try {
    const interaction = await visit.provider.interactionDetails(visit.request, visit.response);
    if (interaction.uid === uid) return interaction;
  } catch (error) {
    if (!isSessionError(error)) throw error;
  }
  fail(visit, 'expired');
  return undefined;
};
