import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Interaction, InteractionResults, Provider } from 'oidc-provider';
import { readBody } from '../http/body.ts';
import type { Accounts } from './accounts.ts';

const escape = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

const page = (title: string, form: string): string =>
  `<!doctype html><html lang="en"><title>${title}</title><h1>${title}</h1><form method="post">${form}</form></html>`;

const loginPage = (problem = ''): string =>
  page(
    'Sign in',
    `<p role="alert">${problem}</p>
    <p><label>Name <input name="login" type="text" autocomplete="username"></label></p>
    <p><label>Password <input name="password" type="password"></label></p>
    <p><button type="submit">Sign in</button></p>`,
  );

const textOf = (value: unknown): string => (typeof value === 'string' ? escape(value) : '');

const consentPage = ({ params }: Interaction): string =>
  page(
    'Consent',
    `<p>${textOf(params['client_id'])} asks for: ${textOf(params['scope'])}</p>
    <p><button name="decision" value="allow">Allow</button> <button name="decision" value="deny">Deny</button></p>`,
  );

/** The scopes that a grant does not have yet: details of the prompt `consent`. */
interface Missing {
  readonly missingOIDCScope?: readonly string[];
  readonly missingResourceScopes?: Readonly<Record<string, readonly string[]>>;
}

/** Grants everything that the client asked for. */
const grantAll = async (provider: Provider, details: Interaction): Promise<string> => {
  const { grantId, session, params, prompt } = details;
  const known = grantId === undefined ? undefined : await provider.Grant.find(grantId);
  const grant =
    known ??
    new provider.Grant({
      ...(session !== undefined && { accountId: session.accountId }),
      clientId: String(params['client_id']),
    });
  const missing = prompt.details as Missing;
  if (missing.missingOIDCScope !== undefined)
    grant.addOIDCScope(missing.missingOIDCScope.join(' '));
  for (const [resource, scopes] of Object.entries(missing.missingResourceScopes ?? {}))
    grant.addResourceScope(resource, scopes.join(' '));
  return grant.save();
};

const decide = async (
  provider: Provider,
  details: Interaction,
  decision: string | null,
): Promise<InteractionResults> =>
  decision === 'allow'
    ? { consent: { grantId: await grantAll(provider, details) } }
    : { error: 'access_denied', error_description: 'The person refused.' };

const showPage = (response: ServerResponse, text: string, status = 200): void => {
  response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' });
  response.end(text);
};

/** Serves the pages on which a person signs in and consents: `/interaction/<uid>`. */
export const serveInteraction = async (
  { provider, accounts }: { readonly provider: Provider; readonly accounts: Accounts },
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  const details = await provider.interactionDetails(request, response);
  const isLogin = details.prompt.name === 'login';
  if (request.method !== 'POST') {
    showPage(response, isLogin ? loginPage() : consentPage(details));
    return;
  }
  const form = new URLSearchParams(await readBody(request));
  const finish = (result: InteractionResults, mergeWithLastSubmission: boolean): Promise<void> =>
    provider.interactionFinished(request, response, result, { mergeWithLastSubmission });
  if (!isLogin) return finish(await decide(provider, details, form.get('decision')), true);
  const accountId = accounts.verify(form.get('login') ?? '', form.get('password') ?? '');
  if (accountId !== undefined) return finish({ login: { accountId } }, false);
  showPage(response, loginPage('Wrong name or password.'), 401);
};
