import {
  expectedIssuerOf,
  type ClientCredentialsSecretRef,
  type EnabledTokenExchange,
} from '@gateway/crd-schemas';
import { GuardedFetchError, type GuardedFetch } from '@gateway/guarded-fetch';
import type { SecretSource } from '../ports/secret-source.ts';
import { mayReceiveTokens } from '../id-tokens/token-target.ts';
import { unverifiedClaimsOf } from '../id-tokens/unverified-claims.ts';
import type { ExchangeFailure } from './exchange-failure.ts';
import type { ClientCredentials } from '@gateway/service-host';
import { readClientCredentials } from '../clients/client-credentials.ts';
import { exchangeRequest, exchangeScopes } from './exchange-request.ts';
import { readExchangeResponse, type ExchangeResult } from './exchange-response.ts';

/** A token exchange for one person. */
export interface TokenExchangeInput {
  readonly exchange: EnabledTokenExchange;
  readonly requiredAudiences: readonly string[];
  /** The ID token of the person. Secret. */
  readonly subjectToken: string;
}

/** The dependencies of a token exchange. */
export interface ExchangeDependencies {
  /** Bounds the size and the duration of a request. */
  readonly fetch: GuardedFetch;
  readonly secrets: SecretSource;
  /** The current time, in milliseconds since the epoch. */
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

/** Returns the field with a URL that tokens must not be sent to or come from. */
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

/**
 * Exchanges the ID token of a person for a token of the remote identity provider. Sends nothing when a precondition fails. Never rejects.
 *
 * @spec §2.6 tokenExchange; RFC 8693 §2
 */
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
    ...{ scope: scopes.scope, connectorId, subjectToken },
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
