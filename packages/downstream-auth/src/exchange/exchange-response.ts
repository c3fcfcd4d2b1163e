import { isJsonObject } from '@gateway/call-contract';
import { parseJson } from '@gateway/mcp-wire';
import { isBearerToken } from '../id-tokens/bearer-credential.ts';
import { unverifiedClaimsOf } from '../id-tokens/unverified-claims.ts';
import type { ExchangeFailure } from './exchange-failure.ts';

/** A token of the remote identity provider. `expiresAt` is in milliseconds since the epoch. */
export interface ExchangedToken {
  readonly token: string;
  readonly expiresAt: number;
}

/** The token, or the failure. */
export type ExchangeResult =
  | { readonly ok: true; readonly value: ExchangedToken }
  | { readonly ok: false; readonly failure: ExchangeFailure };

/** A complete response. */
export interface EndpointResponse {
  readonly status: number;
  readonly body: string;
}

/** The expectations on a response. */
export interface ExpectedResponse {
  readonly issuer: string;
  /** The current time, in milliseconds since the epoch. */
  readonly now: number;
  /** Texts that must not appear in a failure. */
  readonly secrets: readonly string[];
}

/** Lifetime of a token of unknown lifetime. */
const DEFAULT_LIFETIME_MS = 5 * 60_000;
const MAX_LIFETIME_MS = 24 * 60 * 60_000;
const MAX_SHOWN_CHARS = 200;
const ERROR_CODE = /^[\w.:-]{1,64}$/u;
/** Runs of this length may be parts of tokens. */
const LONG_RUN = /[\w+-]{32,}/gu;
const NOT_PRINTABLE = /[^\x20-\x7e\u00a0-\u{10ffff}]+|[\u2028\u2029]+/gu;

const TOKEN_TYPES: ReadonlySet<unknown> = new Set([
  undefined,
  null,
  'urn:ietf:params:oauth:token-type:id_token',
  'urn:ietf:params:oauth:token-type:access_token',
  'urn:ietf:params:oauth:token-type:jwt',
]);

type Fields = Readonly<Record<string, unknown>>;

const fieldsOf = (body: string): Fields | undefined => {
  const outcome = parseJson(body);
  return outcome.ok && isJsonObject(outcome.value) ? outcome.value : undefined;
};

const own = (fields: Fields, name: string): unknown =>
  Object.hasOwn(fields, name) ? fields[name] : undefined;

const boundedLine = (text: string): string => {
  const line = text.replace(NOT_PRINTABLE, ' ').trim();
  return line.length > MAX_SHOWN_CHARS ? `${line.slice(0, MAX_SHOWN_CHARS)}…` : line;
};

const withoutSecrets = (text: string, secrets: readonly string[]): string =>
  secrets
    .filter((secret) => secret !== '')
    .reduce((line, secret) => line.replaceAll(secret, '[redacted]'), text);

/** Returns one printable line without secrets, and without text that may be part of a token. */
const descriptionLine = (text: string, secrets: readonly string[]): string =>
  boundedLine(withoutSecrets(text, secrets).replace(LONG_RUN, '[redacted]'));

/** Returns whether a member `error` is a code, and not a secret in its place. */
const isErrorCode = (error: unknown, secrets: readonly string[]): error is string =>
  typeof error === 'string' && ERROR_CODE.test(error) && descriptionLine(error, secrets) === error;

const refusalOf = (
  { status, body }: EndpointResponse,
  secrets: readonly string[],
): ExchangeFailure => {
  const fields = fieldsOf(body) ?? {};
  const error = own(fields, 'error');
  const details = own(fields, 'error_description');
  const description = typeof details === 'string' ? descriptionLine(details, secrets) : '';
  return {
    code: 'exchange.refused',
    status,
    ...(isErrorCode(error, secrets) && { error }),
    ...(description !== '' && { description }),
  };
};

const withoutSlash = (issuer: string): string => issuer.replace(/\/$/u, '');

/** Returns the failure of a JWT of another issuer. An opaque token names none. */
const issuerFailure = (
  token: string,
  { issuer: expected, secrets }: ExpectedResponse,
): ExchangeFailure | undefined => {
  const claims = unverifiedClaimsOf(token);
  if (claims === undefined) return undefined;
  const got = claims.iss ?? '';
  return withoutSlash(got) === withoutSlash(expected)
    ? undefined
    : { code: 'exchange.issuer', expected, got: boundedLine(withoutSecrets(got, secrets)) };
};

/** Returns the earlier of the end that the response states and the end that the token states. RFC 8693 §2.2.1 */
const expiryOf = (token: string, expiresIn: unknown, now: number): number => {
  const seconds = typeof expiresIn === 'string' ? Number(expiresIn) : expiresIn;
  const stated = typeof seconds === 'number' && seconds > 0 ? now + seconds * 1000 : Number.NaN;
  const ends = [stated, unverifiedClaimsOf(token)?.expiresAt ?? Number.NaN].filter(Number.isFinite);
  return Math.min(
    now + MAX_LIFETIME_MS,
    ...(ends.length === 0 ? [now + DEFAULT_LIFETIME_MS] : ends),
  );
};

const malformed = (problem: string): ExchangeResult => ({
  ok: false,
  failure: { code: 'exchange.malformed', problem },
});

/** Servers in use omit the type of bearer tokens. */
const isSendable = (type: unknown): boolean =>
  type === undefined ||
  type === null ||
  (typeof type === 'string' && ['bearer', 'n_a'].includes(type.toLowerCase()));

const tokenOf = (fields: Fields, expected: ExpectedResponse): ExchangeResult => {
  const token = own(fields, 'access_token');
  if (typeof token !== 'string' || !isBearerToken(token))
    return malformed('access_token is not a token');
  if (!isSendable(own(fields, 'token_type'))) return malformed('token_type is not Bearer');
  if (!TOKEN_TYPES.has(own(fields, 'issued_token_type')))
    return malformed('issued_token_type is not that of an ID token or access token');
  const failure = issuerFailure(token, expected);
  if (failure !== undefined) return { ok: false, failure };
  const expiresAt = expiryOf(token, own(fields, 'expires_in'), expected.now);
  return expiresAt > expected.now
    ? { ok: true, value: { token, expiresAt } }
    : malformed('the token has expired');
};

/** Reads the response of a token endpoint. The token must come from the expected issuer. RFC 8693 §2.2 @spec §2.6 expectedIssuer */
export const readExchangeResponse = (
  response: EndpointResponse,
  expected: ExpectedResponse,
): ExchangeResult => {
  if (response.status !== 200 && response.status !== 201)
    return { ok: false, failure: refusalOf(response, expected.secrets) };
  const fields = fieldsOf(response.body);
  return fields === undefined ? malformed('it is not a JSON object') : tokenOf(fields, expected);
};
