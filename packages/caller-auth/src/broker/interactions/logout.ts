import { isOwnForm, readForm } from '@gateway/service-host';
import { formToken, isFormToken } from '../keys/broker-keys.ts';
import { logoutPage } from '../pages/form-pages.ts';
import { messagePage } from '../pages/message-page.ts';
import { sendPage } from '../pages/send-page.ts';
import { BROKER_PATHS } from '../server/broker-paths.ts';
import { accountGroup } from '../storage/model-adapter.ts';
import { browserSession, type BrowserSession } from './browser-session.ts';
import { fail, type Visit } from './interaction-context.ts';

const SIGNED_OUT = messagePage(
  'Signed out',
  'You are signed out of this gateway. Programs that you allowed have no access any more.',
);

const formSubject = ({ accountId, uid }: BrowserSession): string =>
  JSON.stringify(['logout', accountId, uid]);

/** Shows the page on which a person signs out of the gateway. */
export const askLogout = async (visit: Visit): Promise<void> => {
  const { context, response } = visit;
  const session = await browserSession(visit);
  const account = session && (await context.accounts.find(session.accountId));
  if (session === undefined || account === undefined) {
    sendPage(response, 200, SIGNED_OUT);
    return;
  }
  const form = {
    action: BROKER_PATHS.logout,
    token: formToken(context.keys, formSubject(session)),
  };
  sendPage(response, 200, logoutPage(form, account.email ?? account.name ?? account.subject));
};

/** Ends all sessions of a person, all that was granted to clients, and the tokens of the provider. */
export const decideLogout = async (visit: Visit): Promise<void> => {
  const { context, response, request } = visit;
  const session = await browserSession(visit);
  if (session === undefined) {
    sendPage(response, 200, SIGNED_OUT);
    return;
  }
  const form = isOwnForm(request, context.publicUrl) ? await readForm(request) : undefined;
  const token = form?.get('token') ?? '';
  if (!isFormToken(context.keys, formSubject(session), token)) {
    fail(visit, 'form');
    return;
  }
  await context.store.deleteGroup(accountGroup(session.accountId));
  const account = await context.accounts.find(session.accountId);
  await context.accounts.delete(session.accountId);
  if (account !== undefined) {
    const { subject, issuer } = account;
    context.observe({ code: 'signed-out', subject, issuer });
  }
  sendPage(response, 200, SIGNED_OUT);
};
