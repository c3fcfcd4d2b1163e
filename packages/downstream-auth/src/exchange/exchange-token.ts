import {
  type ClientCredentialsSecretRef,
  type EnabledTokenExchange,
  expectedIssuerOf,
} from '@gateway/crd-schemas';
import { createGuardedFetch, type GuardedFetch, GuardedFetchError } from '@gateway/guarded-fetch';
import { basicAuthorization, type ClientCredentials } from '@gateway/service-host';
import { readClientCredentials } from '../clients/client-identity.ts';
import { audienceScope, mayReceiveTokens, unverifiedClaimsOf } from '../id-tokens/id-token.ts';
import type { SecretSource } from '../ports/credentials.ts';
import {
  type ExchangeFailure,
  type ExchangeResult,
  readExchangeResponse,
} from './exchange-response.ts';

const MAX_BYTES = 256 * 1024;
const TIMEOUT_MS = 30_000;

/** Returns the `fetch` for token endpoints. The operator writes their URLs, so that they may have private addresses. */
export const createExchangeFetch = (): GuardedFetch =>
  createGuardedFetch({ allowPrivate: true, maxBytes: MAX_BYTES, timeoutMs: TIMEOUT_MS });

/** RFC 8693 §2.1 */
const GRANT_TYPE = 'urn:ietf:params:oauth:grant-type:token-exchange';
/** RFC 8693 §3 */
const ID_TOKEN = 'urn:ietf:params:oauth:token-type:id_token';

interface ExchangeFacts {
  readonly scope: string;
  readonly connectorId: string;
  readonly subjectToken: string;
  readonly client?: ClientCredentials;
}

/** Returns the scopes of the exchanged token, each once: those of the settings, then one for each audience. @spec §2.6 scopes */
const exchangeScopes = (
  { scopes }: Pick<EnabledTokenExchange, 'scopes'>,
  audiences: readonly string[],
):
  | { readonly ok: true; readonly scope: string }
  | { readonly ok: false; readonly failure: ExchangeFailure } => {
  const wrong = audiences.find((audience) => audienceScope(audience) === undefined);
  if (wrong !== undefined)
    return { ok: false, failure: { code: 'exchange.audience', audience: wrong } };
  const all = [...scopes.split(' '), ...audiences.map((each) => audienceScope(each) ?? '')];
  return { ok: true, scope: [...new Set(all)].join(' ') };
};

/** Returns the request of a token exchange. RFC 8693 §2.1 @spec §2.6 tokenExchange */
const exchangeRequest = ({
  scope,
  connectorId,
  subjectToken,
  client,
}: ExchangeFacts): {
  readonly method: 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
} => ({
  method: 'POST',
  headers: {
    'content-type': 'application/x-www-form-urlencoded',
    accept: 'application/json',
    ...(client !== undefined && { authorization: basicAuthorization(client) }),
  },
  body: new URLSearchParams({
    grant_type: GRANT_TYPE,
    subject_token: subjectToken,
    subject_token_type: ID_TOKEN,
    requested_token_type: ID_TOKEN,
    connector_id: connectorId,
    scope,
  }).toString(),
});

interface TokenExchangeInput {
  readonly exchange: EnabledTokenExchange;
  readonly requiredAudiences: readonly string[];
  /** The ID token of the user. Secret. */
  readonly subjectToken: string;
}

export interface ExchangeDependencies {
  readonly fetch: GuardedFetch;
  readonly secrets: SecretSource;
  readonly now: () => number;
}

type Client =
  | { readonly ok: true; readonly client?: ClientCredentials }
  | { readonly ok: false; readonly failure: ExchangeFailure };

/** Reads both parts of the credentials. A referenced Secret that cannot be read stops the exchange. @spec §2.6 */
const readClient = async (
  ref: ClientCredentialsSecretRef | undefined,
  secrets: SecretSource,
): Promise<Client> => {
  if (ref === undefined) return { ok: true };
  const read = await readClientCredentials(ref, secrets);
  if (read.ok) return { ok: true, client: read.credentials };
  return { ok: false, failure: { code: 'exchange.credentials', reason: read.reason } };
};

const failed = (failure: ExchangeFailure): ExchangeResult => ({ ok: false, failure });

const insecureField = (exchange: EnabledTokenExchange): ExchangeFailure | undefined => {
  if (!mayReceiveTokens(exchange.dexTokenEndpoint))
    return { code: 'exchange.insecure', field: 'dexTokenEndpoint' };
  return mayReceiveTokens(expectedIssuerOf(exchange))
    ? undefined
    : { code: 'exchange.insecure', field: 'expectedIssuer' };
};

const isExpired = (token: string, now: number): boolean =>
  (unverifiedClaimsOf(token)?.expiresAt ?? now) <= now;

const secretsOf = (subjectToken: string, client: ClientCredentials | undefined) => [
  subjectToken,
  ...subjectToken.split('.'),
  ...(client === undefined ? [] : [client.clientSecret]),
];

/** Exchanges the ID token of a user. Sends nothing when a precondition fails. Never rejects. @spec §2.6 tokenExchange; RFC 8693 §2 */
export const exchangeToken = async (
  { exchange, requiredAudiences, subjectToken }: TokenExchangeInput,
  { fetch, secrets, now }: ExchangeDependencies,
): Promise<ExchangeResult> => {
  const insecure = insecureField(exchange);
  if (insecure !== undefined) return failed(insecure);
  const scopes = exchangeScopes(exchange, requiredAudiences);
  if (!scopes.ok) return scopes;
  if (isExpired(subjectToken, now()))
    return failed({ code: 'exchange.id-token', problem: { code: 'expired' } });
  const read = await readClient(exchange.clientCredentialsSecretRef, secrets);
  if (!read.ok) return read;
  const { client } = read;
  const { connectorId, dexTokenEndpoint } = exchange;
  const request = exchangeRequest({
    scope: scopes.scope,
    connectorId,
    subjectToken,
    ...(client !== undefined && { client }),
  });
  try {
    const response = await fetch(dexTokenEndpoint, request);
    return readExchangeResponse(
      { status: response.status, body: await response.text() },
      {
        issuer: expectedIssuerOf(exchange),
        now: now(),
        secrets: secretsOf(subjectToken, client),
      },
    );
  } catch (error) {
    // Messages of other errors could repeat parts of the request.
    const reason = error instanceof GuardedFetchError ? error.message : 'the request failed';
    return failed({ code: 'exchange.unreachable', reason });
  }
};
