import { isLoopbackHost } from '../discovery/metadata.ts';
import {
  type Credential,
  type IdTokenOutcome,
  type IdTokenSource,
  isJsonObject,
  type NoCredential,
  type Principal,
  type IdTokenRequirements,
} from '@gateway/call-contract';
import { resolveAuthStrategy, type McpServer } from '@gateway/crd-schemas';
import { createHash } from 'node:crypto';

const ID_CHARS = 16;

/** The syntax of a token in the header `Authorization`. RFC 6750 §2.1 */
const BEARER_TOKEN = /^[\w.~+/-]+=*$/u;
/** Servers accept headers of 8 to 16 KiB in total. */
const MAX_BEARER_CHARS = 16 * 1024;

export const isBearerToken = (token: string): boolean =>
  token.length <= MAX_BEARER_CHARS && BEARER_TOKEN.test(token);

/** Returns the credential that sends a token in the header `Authorization`. RFC 6750 §2.1 */
export const createBearerCredential = (token: string): Credential => ({
  authorization: `Bearer ${token}`,
  id: createHash('sha256').update(token).digest('base64url').slice(0, ID_CHARS),
});

/** Claims of a JWT that is not verified: read only from tokens that come from their issuer over TLS, or that the receiver verifies. */
interface UnverifiedClaims {
  readonly iss?: string;
  readonly aud: readonly string[];
  /** In milliseconds since the epoch. */
  readonly expiresAt?: number;
}

/** The compact serialisation of a signed token. RFC 7515 §3.1 */
const JWS = /^[\w-]+\.(?<payload>[\w-]+)\.[\w-]*$/u;
const MAX_CHARS = 64 * 1024;

const parseFields = (payload: string): Readonly<Record<string, unknown>> | undefined => {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(
      Buffer.from(payload, 'base64url'),
    );
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
};

const listAudiences = (aud: unknown): readonly string[] =>
  (Array.isArray(aud) ? (aud as readonly unknown[]) : [aud]).filter(
    (each): each is string => typeof each === 'string',
  );

/** Returns the claims of a JWT, or `undefined` for an opaque token. RFC 7519 §4.1 */
export const readUnverifiedClaims = (token: string): UnverifiedClaims | undefined => {
  if (token.length > MAX_CHARS) return undefined;
  const fields = parseFields(JWS.exec(token)?.groups?.['payload'] ?? '');
  if (fields === undefined) return undefined;
  const own = (name: string): unknown => (Object.hasOwn(fields, name) ? fields[name] : undefined);
  const iss = own('iss');
  const exp = own('exp');
  return {
    aud: listAudiences(own('aud')),
    ...(typeof iss === 'string' && { iss }),
    ...(typeof exp === 'number' && { expiresAt: exp * 1000 }),
  };
};

/** Prefix of the scope that requests an audience from Dex. */
const AUDIENCE_SCOPE = 'audience:server:client_id:';
/** A scope token. RFC 6749 §3.3 */
const SCOPE_TOKEN = /^[\x21\x23-\x5b\x5d-\x7e]+$/u;

/** Returns the scope that requests an audience from Dex, or `undefined` for an audience that no scope can contain. */
export const toAudienceScope = (audience: string): string | undefined =>
  SCOPE_TOKEN.test(audience) ? AUDIENCE_SCOPE + audience : undefined;

/** Returns the sorted union of `requiredAudiences` of servers with `forwardToken`; token exchange requests its own. @spec §2.6 requiredAudiences */
export const listRequiredAudiences = (servers: readonly McpServer[]): readonly string[] => {
  const audiences = servers.flatMap(({ spec }) =>
    spec.type !== 'stdio' && resolveAuthStrategy(spec.auth).kind === 'forwardToken'
      ? spec.auth.requiredAudiences
      : [],
  );
  return [...new Set(audiences)].toSorted();
};

/** Returns whether a token may be sent to a URL: over TLS, or to this machine. RFC 6750 §5.3 */
export const mayReceiveTokens = (url: string): boolean => {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  return protocol === 'https:' || (protocol === 'http:' && isLoopbackHost(hostname));
};

/** Returns why no token may be sent to a URL, with the remedy: neither over TLS, nor on this machine, nor at a host that the operator names. */
export const findTokenProblem = (
  url: string,
  isPlainHttpHost: (hostname: string) => boolean,
): string | undefined => {
  const hostname = URL.canParse(url) ? new URL(url).hostname : '';
  return mayReceiveTokens(url) || isPlainHttpHost(hostname)
    ? undefined
    : `tokens are not sent over plain HTTP to "${hostname}": write an https:// URL in spec.url, or name the host in servers.plainHttpTokenHosts of config.yaml`;
};

export type IdTokenProblem =
  | Omit<Extract<IdTokenOutcome, { readonly ok: false }>, 'ok'>
  /** The source returned a token that has expired. */
  | { readonly code: 'expired' }
  /** Callers do not sign in to this gateway. */
  | { readonly code: 'no-sign-in' };

const CODES: Readonly<Record<IdTokenProblem['code'], NoCredential['code']>> = {
  'signed-out': 'sign-in-required',
  'audience-missing': 'sign-in-again',
  expired: 'sign-in-again',
  'not-forwardable': 'unavailable',
  unavailable: 'unavailable',
  'no-sign-in': 'unavailable',
};

/** Returns whether a user only has to sign in to the gateway, or cannot. */
export const isSignedOut = ({ code }: IdTokenProblem): boolean =>
  code === 'signed-out' || code === 'no-sign-in';

/** The problems in the words of operators: without names of users and audiences. */
export const ID_TOKEN_PROBLEMS: Readonly<Record<IdTokenProblem['code'], string>> = {
  'signed-out': 'the user is not signed in to the gateway',
  'audience-missing': 'the ID token has no audience of requiredAudiences',
  expired: 'the ID token has expired',
  'not-forwardable':
    'auth.issuers of config.yaml has no forwardable: true for the issuer of the user',
  unavailable: 'the ID token cannot be renewed',
  'no-sign-in': 'callers do not sign in',
};

const formatIdTokenProblem = (problem: IdTokenProblem): string => {
  switch (problem.code) {
    case 'signed-out':
      return 'the server uses your sign-in to the gateway, which has ended or has no ID token; sign in to the gateway again';
    case 'audience-missing': {
      const audience = JSON.stringify(problem.audience ?? '');
      return `your sign-in to the gateway has no token for the audience ${audience}, which the server requires; sign in to the gateway again`;
    }
    case 'expired':
      return 'your ID token has expired; sign in to the gateway again';
    case 'not-forwardable':
      return 'the server uses your sign-in to the gateway, which does not forward the tokens of your issuer: the operator must set forwardable: true for it in auth.issuers of config.yaml';
    case 'unavailable':
      return 'your ID token cannot be renewed, because the identity provider or the store does not answer; try again';
    case 'no-sign-in':
      return 'the server uses the sign-in of callers to the gateway, which is off: set auth.mode';
  }
};

export const toIdTokenRefusal = (problem: IdTokenProblem): NoCredential => ({
  ok: false,
  code: CODES[problem.code],
  reason: formatIdTokenProblem(problem),
});

type FoundIdToken =
  | { readonly ok: true; readonly token: string; readonly expiresAt: number }
  | { readonly ok: false; readonly problem: IdTokenProblem };

/** Returns the ID token of a user. Never rejects. `source` is absent when callers do not sign in. */
export const findIdToken = async (
  source: IdTokenSource | undefined,
  principal: Principal,
  required: IdTokenRequirements,
): Promise<FoundIdToken> => {
  if (source === undefined) return { ok: false, problem: { code: 'no-sign-in' } };
  try {
    const outcome = await source.idToken(principal, required);
    if (outcome.ok) return outcome;
    const { ok: _, ...problem } = outcome;
    return { ok: false, problem };
  } catch {
    return { ok: false, problem: { code: 'unavailable' } };
  }
};
