import { createHash, randomBytes } from 'node:crypto';
import { isOwnForm, readForm, sendFormPage } from '@gateway/service-host';
import type { BrowserUser } from '../auth-backend.ts';
import { BROWSER_CLIENT } from '../auth-settings.ts';
import { computeFormToken, isFormToken } from './broker-keys.ts';
import { toAccountGroup } from './model-adapter.ts';
import { createLogoutPage, createMessagePage } from './pages.ts';
import { BROKER_PATHS, fail, type ServerContext, type Visit } from './server-context.ts';
import { computeAccountId } from './upstream-account.ts';

/** The browser session of a user. */
interface BrowserSession {
  readonly accountId: string;
  readonly uid: string;
}

/** Returns the session of the requesting browser; `undefined` when no user is signed in. */
const findBrowserSession = async ({
  provider,
  request,
  response,
}: Visit): Promise<BrowserSession | undefined> => {
  const { accountId, uid } = await provider.Session.get(provider.createContext(request, response));
  return accountId === undefined ? undefined : { accountId, uid };
};

/** Returns the sign-in URL. Discards the PKCE verifier, so that no client can redeem the code. */
const formatBrowserSignInUrl = ({ issuer, returnUri }: ServerContext, state: string): string => {
  const challenge = createHash('sha256').update(randomBytes(32)).digest('base64url');
  const query = new URLSearchParams({
    client_id: BROWSER_CLIENT,
    redirect_uri: returnUri,
    response_type: 'code',
    scope: 'openid',
    state,
    code_challenge: challenge,
    code_challenge_method: 'S256',
  });
  return `${issuer}${BROKER_PATHS.authorize}?${query.toString()}`;
};

/** Returns whether the browser is signed in as the principal with the key. Rejects when the store fails. */
export const resolveBrowserUser = async (
  visit: Visit,
  { principalKey, state }: { readonly principalKey: string; readonly state: string },
): Promise<BrowserUser> => {
  const session = await findBrowserSession(visit);
  if (session === undefined)
    return { kind: 'signed-out', signInUrl: formatBrowserSignInUrl(visit.context, state) };
  return { kind: session.accountId === computeAccountId(principalKey) ? 'same' : 'other' };
};

const SIGNED_OUT = createMessagePage(
  'Signed out',
  'You are signed out of this gateway. Programs that you allowed have no access any more.',
);

const formatLogoutSubject = ({ accountId, uid }: BrowserSession): string =>
  JSON.stringify(['logout', accountId, uid]);

/** Shows the page on which a user signs out of the gateway. */
export const askLogout = async (visit: Visit): Promise<void> => {
  const { context, response } = visit;
  const session = await findBrowserSession(visit);
  const account = session && (await context.accounts.find(session.accountId));
  if (session === undefined || account === undefined) {
    sendFormPage(response, 200, SIGNED_OUT);
    return;
  }
  const form = {
    action: BROKER_PATHS.logout,
    token: computeFormToken(context.keys, formatLogoutSubject(session)),
  };
  sendFormPage(
    response,
    200,
    createLogoutPage(form, account.email ?? account.name ?? account.subject),
  );
};

/** Ends all sessions of a user, and deletes the grants of clients and the tokens of the provider. */
export const decideLogout = async (visit: Visit): Promise<void> => {
  const { context, response, request } = visit;
  const session = await findBrowserSession(visit);
  if (session === undefined) {
    sendFormPage(response, 200, SIGNED_OUT);
    return;
  }
  const form = isOwnForm(request, context.publicUrl) ? await readForm(request) : undefined;
  const token = form?.get('token') ?? '';
  if (!isFormToken(context.keys, formatLogoutSubject(session), token)) {
    fail(visit, 'form');
    return;
  }
  await context.store.deleteGroup(toAccountGroup(session.accountId));
  const account = await context.accounts.find(session.accountId);
  await context.accounts.delete(session.accountId);
  if (account !== undefined) {
    const { subject, issuer } = account;
    context.observe({ code: 'signed-out', subject, issuer });
  }
  sendFormPage(response, 200, SIGNED_OUT);
};
