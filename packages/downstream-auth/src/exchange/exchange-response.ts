import { isJsonObject, type NoCredential } from '@gateway/call-contract';
import { parseJson } from '@gateway/mcp-wire';
import {
  ID_TOKEN_PROBLEMS,
  type IdTokenProblem,
  toIdTokenRefusal,
  isBearerToken,
  readUnverifiedClaims,
} from '../id-tokens/id-token.ts';
import { toErrorCode } from '../ports/sign-in.ts';

/** A token exchange without a token. Texts of peers are sanitised and bounded before they become facts. */
export type ExchangeFailure =
  | { readonly code: 'exchange.insecure'; readonly field: 'dexTokenEndpoint' | 'expectedIssuer' }
  | { readonly code: 'exchange.audience'; readonly audience: string }
  | { readonly code: 'exchange.id-token'; readonly problem: IdTokenProblem }
  | { readonly code: 'exchange.credentials'; readonly reason: string }
  | { readonly code: 'exchange.unreachable'; readonly reason: string }
  | {
      readonly code: 'exchange.refused';
      readonly status: number;
      /** The members `error` and `error_description` of the response. RFC 6749 §5.2 */
      readonly error?: string;
      readonly description?: string;
    }
  | { readonly code: 'exchange.malformed'; readonly problem: string }
  | { readonly code: 'exchange.issuer'; readonly expected: string; readonly got: string }
  | { readonly code: 'exchange.rejected' }
  | { readonly code: 'exchange.scope' };

const OPERATOR_TEXTS: Readonly<
  Record<Exclude<ExchangeFailure['code'], 'exchange.id-token' | 'exchange.refused'>, string>
> = {
  'exchange.insecure': 'a URL of spec.auth.tokenExchange is not https',
  'exchange.audience': 'requiredAudiences has a value that cannot be part of a scope',
  'exchange.credentials': 'the client credentials cannot be read',
  'exchange.unreachable': 'the token endpoint cannot be reached',
  'exchange.malformed': 'the response of the token endpoint is not valid',
  'exchange.issuer': 'the token is from another issuer than expectedIssuer',
  'exchange.rejected': 'the server refuses the exchanged token',
  'exchange.scope': 'the server requires a scope that the exchanged token does not have',
};

/** Returns a failure in the words of operators: without texts of peers, so that equal failures have equal texts. */
export const exchangeProblem = (failure: ExchangeFailure): string => {
  if (failure.code === 'exchange.id-token') return ID_TOKEN_PROBLEMS[failure.problem.code];
  if (failure.code !== 'exchange.refused') return OPERATOR_TEXTS[failure.code];
  return `the token endpoint answered ${String(failure.status)} ${toErrorCode(failure.error)}`;
};

const formatRefusal = ({
  status,
  error,
  description,
}: Extract<ExchangeFailure, { code: 'exchange.refused' }>): string => {
  const name = error === undefined ? '' : ` ${error}`;
  const details = description === undefined ? '' : `: ${description}`;
  return `the token endpoint answered ${status}${name}${details}`;
};

const exchangeFailureText = (
  failure: Exclude<ExchangeFailure, { code: 'exchange.id-token' }>,
): string => {
  switch (failure.code) {
    case 'exchange.insecure':
      return `spec.auth.tokenExchange.${failure.field} must be an https:// URL`;
    case 'exchange.audience':
      return `spec.auth.requiredAudiences contains ${JSON.stringify(failure.audience)}, which cannot be part of a scope`;
    case 'exchange.credentials':
      return `the client credentials of the token exchange cannot be read: ${failure.reason}`;
    case 'exchange.unreachable':
      return `the token endpoint cannot be reached: ${failure.reason}`;
    case 'exchange.refused':
      return formatRefusal(failure);
    case 'exchange.malformed':
      return `the response of the token endpoint is not valid: ${failure.problem}`;
    case 'exchange.issuer':
      return `token issuer mismatch: expected "${failure.expected}", got "${failure.got}". Hint: set spec.auth.tokenExchange.expectedIssuer to the issuer of the exchanged tokens`;
    case 'exchange.rejected':
      return 'the server refuses the exchanged token';
    case 'exchange.scope':
      return 'the server requires a scope that the exchanged token does not have: add it to spec.auth.tokenExchange.scopes';
  }
};

/** Returns a failure as the outcome for a user, who can end only the problems of the ID token. */
export const exchangeRefusal = (failure: ExchangeFailure): NoCredential =>
  failure.code === 'exchange.id-token'
    ? toIdTokenRefusal(failure.problem)
    : { ok: false, code: 'unavailable', reason: exchangeFailureText(failure) };

/** A token of the remote identity provider. `expiresAt` is in milliseconds since the epoch. */
interface ExchangedToken {
  readonly token: string;
  readonly expiresAt: number;
}

export type ExchangeResult =
  | { readonly ok: true; readonly value: ExchangedToken }
  | { readonly ok: false; readonly failure: ExchangeFailure };

interface EndpointResponse {
  readonly status: number;
  readonly body: string;
}

interface ExpectedResponse {
  readonly issuer: string;
  /** The current time, in milliseconds since the epoch. */
  readonly now: number;
  /** Texts that must not appear in a failure. */
  readonly secrets: readonly string[];
}

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

const parseFields = (body: string): Fields | undefined => {
  const outcome = parseJson(body);
  return outcome.ok && isJsonObject(outcome.value) ? outcome.value : undefined;
};

const readOwnValue = (fields: Fields, name: string): unknown =>
  Object.hasOwn(fields, name) ? fields[name] : undefined;

const limitLine = (text: string): string => {
  const line = text.replace(NOT_PRINTABLE, ' ').trim();
  return line.length > MAX_SHOWN_CHARS ? `${line.slice(0, MAX_SHOWN_CHARS)}…` : line;
};

const withoutSecrets = (text: string, secrets: readonly string[]): string =>
  secrets
    .filter((secret) => secret !== '')
    .reduce((line, secret) => line.replaceAll(secret, '[redacted]'), text);

/** Returns one printable line without secrets, and without text that may be part of a token. */
const formatDescription = (text: string, secrets: readonly string[]): string =>
  limitLine(withoutSecrets(text, secrets).replace(LONG_RUN, '[redacted]'));

/** Returns whether a member `error` is a code, and not a secret in its place. */
const isErrorCode = (error: unknown, secrets: readonly string[]): error is string =>
  typeof error === 'string' &&
  ERROR_CODE.test(error) &&
  formatDescription(error, secrets) === error;

const toRefusal = (
  { status, body }: EndpointResponse,
  secrets: readonly string[],
): ExchangeFailure => {
  const fields = parseFields(body) ?? {};
  const error = readOwnValue(fields, 'error');
  const details = readOwnValue(fields, 'error_description');
  const description = typeof details === 'string' ? formatDescription(details, secrets) : '';
  return {
    code: 'exchange.refused',
    status,
    ...(isErrorCode(error, secrets) && { error }),
    ...(description !== '' && { description }),
  };
};

const withoutSlash = (issuer: string): string => issuer.replace(/\/$/u, '');

/** Returns the failure of a JWT of another issuer. An opaque token names none. */
const validateIssuer = (
  token: string,
  { issuer: expected, secrets }: ExpectedResponse,
): ExchangeFailure | undefined => {
  const claims = readUnverifiedClaims(token);
  if (claims === undefined) return undefined;
  const got = claims.iss ?? '';
  return withoutSlash(got) === withoutSlash(expected)
    ? undefined
    : { code: 'exchange.issuer', expected, got: limitLine(withoutSecrets(got, secrets)) };
};

/** Returns the earlier of the end that the response states and the end that the token states. RFC 8693 §2.2.1 */
const computeExpiry = (token: string, expiresIn: unknown, now: number): number => {
  const seconds = typeof expiresIn === 'string' ? Number(expiresIn) : expiresIn;
  const stated = typeof seconds === 'number' && seconds > 0 ? now + seconds * 1000 : Number.NaN;
  const ends = [stated, readUnverifiedClaims(token)?.expiresAt ?? Number.NaN].filter(
    Number.isFinite,
  );
  return Math.min(
    now + MAX_LIFETIME_MS,
    ...(ends.length === 0 ? [now + DEFAULT_LIFETIME_MS] : ends),
  );
};

const createFormatFailure = (problem: string): ExchangeResult => ({
  ok: false,
  failure: { code: 'exchange.malformed', problem },
});

/** Servers in use omit the type of bearer tokens. */
const isSendable = (type: unknown): boolean =>
  type === undefined ||
  type === null ||
  (typeof type === 'string' && ['bearer', 'n_a'].includes(type.toLowerCase()));

const readToken = (fields: Fields, expected: ExpectedResponse): ExchangeResult => {
  const token = readOwnValue(fields, 'access_token');
  if (typeof token !== 'string' || !isBearerToken(token))
    return createFormatFailure('access_token is not a token');
  if (!isSendable(readOwnValue(fields, 'token_type')))
    return createFormatFailure('token_type is not Bearer');
  if (!TOKEN_TYPES.has(readOwnValue(fields, 'issued_token_type')))
    return createFormatFailure('issued_token_type is not that of an ID token or access token');
  const failure = validateIssuer(token, expected);
  if (failure !== undefined) return { ok: false, failure };
  const expiresAt = computeExpiry(token, readOwnValue(fields, 'expires_in'), expected.now);
  return expiresAt > expected.now
    ? { ok: true, value: { token, expiresAt } }
    : createFormatFailure('the token has expired');
};

/** Reads the response of a token endpoint. The token must come from the expected issuer. RFC 8693 §2.2 @spec §2.6 expectedIssuer */
export const readExchangeResponse = (
  response: EndpointResponse,
  expected: ExpectedResponse,
): ExchangeResult => {
  if (response.status !== 200 && response.status !== 201)
    return { ok: false, failure: toRefusal(response, expected.secrets) };
  const fields = parseFields(response.body);
  return fields === undefined
    ? createFormatFailure('it is not a JSON object')
    : readToken(fields, expected);
};
