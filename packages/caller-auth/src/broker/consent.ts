import { createHash } from 'node:crypto';
import { isOwnForm, readForm, sendFormPage } from '@gateway/service-host';
import type { StateKey } from '@gateway/state-store';
import type { Provider } from 'oidc-provider';
import { BROWSER_CLIENT } from '../auth-settings.ts';
import { computeFormToken, isFormToken } from './broker-keys.ts';
import { parseRedirect, type RedirectFacts } from './clients.ts';
import { toClientKey } from './model-adapter.ts';
import { type PageClient, createConsentPage, isGatewayScope } from './pages.ts';
import {
  BROKER_PATHS,
  fail,
  finishDenied,
  type Interaction,
  filterScopes,
  type Visit,
} from './server-context.ts';
import type { Account } from './upstream-account.ts';

type Client = NonNullable<Awaited<ReturnType<Provider['Client']['find']>>>;

/** The facts of a request for consent. */
interface ConsentRequest {
  readonly interaction: Interaction;
  readonly account: Account;
  readonly accountId: string;
  readonly client: Client;
  readonly identity: PageClient;
  readonly redirect: RedirectFacts | undefined;
  readonly requested: readonly string[];
  /** The requested scopes that the user may have. */
  readonly permitted: readonly string[];
}

const readTexts = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];

const readResourceScopes = ({ prompt }: Interaction, resource: string): readonly string[] => {
  const missing = prompt.details['missingResourceScopes'];
  if (typeof missing !== 'object' || missing === null || !Object.hasOwn(missing, resource))
    return [];
  return readTexts((missing as Readonly<Record<string, unknown>>)[resource]);
};

const readIdentity = ({ context }: Visit, client: Client): PageClient => {
  const { clientId } = client;
  if (clientId.startsWith('https://')) return { kind: 'document', host: new URL(clientId).host };
  const isKnown =
    context.settings.clients.some((known) => known.clientId === clientId) ||
    client.clientIdIssuedAt === undefined;
  return { kind: isKnown ? 'known' : 'registered' };
};

const readRedirect = ({ params, deviceCode }: Interaction): RedirectFacts | undefined => {
  const { redirect_uri: uri } = params;
  return deviceCode === undefined && typeof uri === 'string' ? parseRedirect(uri) : undefined;
};

const readRequest = async (
  visit: Visit,
  interaction: Interaction,
): Promise<ConsentRequest | undefined> => {
  const { context, provider } = visit;
  const accountId = interaction.session?.accountId;
  const { client_id: clientId } = interaction.params;
  const [account, client] = await Promise.all([
    accountId === undefined ? undefined : context.accounts.find(accountId),
    provider.Client.find(String(clientId)),
  ]);
  if (accountId === undefined || account === undefined || client === undefined) return undefined;
  const requested = [
    ...new Set([
      ...readResourceScopes(interaction, context.resource),
      ...readTexts(interaction.prompt.details['missingOIDCScope']),
    ]),
  ];
  return {
    interaction,
    account,
    accountId,
    client,
    identity: readIdentity(visit, client),
    redirect: readRedirect(interaction),
    requested,
    permitted: filterScopes(requested, account, context.adminGroups),
  };
};

/**
 * Returns the key of a stored consent; undefined when the user must consent each time. Consent is not stored for clients with an unverified
 * name, nor for redirects to a program or a device, because another program can claim to be the client (RFC 8252 §8.6).
 */
const findConsentKey = (request: ConsentRequest): StateKey | undefined => {
  const { accountId, client, identity, redirect, permitted } = request;
  if (identity.kind === 'registered' || redirect?.kind !== 'site') return undefined;
  const facts = [accountId, client.clientId, redirect.host, ...permitted.toSorted()];
  const digest = createHash('sha256').update(JSON.stringify(facts)).digest('base64url');
  return ['broker-consented-scopes', digest];
};

/** @param allowed the permitted scopes that the user gives to the client */
const createGrant = (
  { context, provider }: Visit,
  { accountId, client, interaction, requested }: ConsentRequest,
  allowed: readonly string[],
): InstanceType<Provider['Grant']> => {
  const grant = new provider.Grant({ accountId, clientId: client.clientId });
  const withheld = requested.filter((scope) => !allowed.includes(scope));
  const openidScopes = readTexts(interaction.prompt.details['missingOIDCScope']);
  const scopes = allowed.join(' ');
  if (openidScopes.length > 0) grant.addOIDCScope(scopes);
  grant.addResourceScope(context.resource, scopes);
  for (const scope of withheld) {
    grant.rejectOIDCScope(scope);
    grant.rejectResourceScope(context.resource, scope);
  }
  return grant;
};

/** Extends the lifetime of a self-registered client, because a user has allowed it. */
const keepClient = async (
  { context }: Visit,
  { identity, client }: ConsentRequest,
): Promise<void> => {
  if (identity.kind !== 'registered') return;
  const key = toClientKey(client.clientId);
  const stored = await context.store.get(key);
  const ttlMs = context.settings.refreshTokenSeconds * 1000;
  if (stored !== undefined) await context.store.set(key, stored, { ttlMs });
};

const observe = (
  { context }: Visit,
  { account: { subject, issuer }, client: { clientId: client } }: ConsentRequest,
  code: 'consent-given' | 'consent-refused',
): void => context.observe({ code, subject, issuer, client });

const allow = async (
  visit: Visit,
  request: ConsentRequest,
  allowed: readonly string[],
): Promise<void> => {
  const { provider, request: message, response } = visit;
  await keepClient(visit, request);
  const grantId = await createGrant(visit, request, allowed).save();
  observe(visit, request, 'consent-given');
  await provider.interactionFinished(
    message,
    response,
    { consent: { grantId } },
    { mergeWithLastSubmission: true },
  );
};

/** Binds a form to one interaction of one user. */
const formatConsentSubject = ({ interaction, accountId }: ConsentRequest): string =>
  JSON.stringify(['consent', interaction.uid, accountId]);

const showPage = ({ context, response }: Visit, request: ConsentRequest): void => {
  const { interaction, account, client, identity, redirect, requested, permitted } = request;
  const page = createConsentPage({
    name: client.clientName ?? client.clientId,
    identity,
    redirect,
    user: account.email ?? account.name ?? account.subject,
    scopes: permitted,
    withheld: requested.filter((scope) => !permitted.includes(scope)),
    action: `${BROKER_PATHS.interaction}/${interaction.uid}`,
    token: computeFormToken(context.keys, formatConsentSubject(request)),
  });
  sendFormPage(response, 200, page);
};

/** Shows the consent page, or continues when the same consent is stored. */
export const askConsent = async (visit: Visit, interaction: Interaction): Promise<void> => {
  const request = await readRequest(visit, interaction);
  if (request === undefined) {
    fail(visit, 'expired');
    return;
  }
  const key = findConsentKey(request);
  const remembered = key && (await visit.context.store.get(key));
  const { prompt } = interaction.params;
  const isPromptRequired = typeof prompt === 'string' && prompt.split(' ').includes('consent');
  if (request.client.clientId === BROWSER_CLIENT) return allow(visit, request, request.permitted);
  if (remembered !== undefined && !isPromptRequired)
    return allow(visit, request, remembered.split(' '));
  showPage(visit, request);
};

/** Returns the permitted scopes without those of the gateway that the user has unchecked. */
const readAllowedScopes = (
  { permitted }: ConsentRequest,
  form: URLSearchParams,
): readonly string[] => permitted.filter((scope) => !isGatewayScope(scope) || form.has(scope));

/** Handles the form of the consent page. */
export const decideConsent = async (visit: Visit, interaction: Interaction): Promise<void> => {
  const { context } = visit;
  const request = await readRequest(visit, interaction);
  if (request === undefined) {
    fail(visit, 'expired');
    return;
  }
  const form = isOwnForm(visit.request, context.publicUrl)
    ? await readForm(visit.request)
    : undefined;
  const token = form?.get('token') ?? '';
  if (form === undefined || !isFormToken(context.keys, formatConsentSubject(request), token)) {
    fail(visit, 'form');
    return;
  }
  if (form.get('decision') !== 'allow') {
    observe(visit, request, 'consent-refused');
    return finishDenied(visit);
  }
  const allowed = readAllowedScopes(request, form);
  const key = findConsentKey(request);
  const ttlMs = context.settings.refreshTokenSeconds * 1000;
  if (key !== undefined) await context.store.set(key, allowed.join(' '), { ttlMs });
  await allow(visit, request, allowed);
};
