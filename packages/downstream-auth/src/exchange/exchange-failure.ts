import type { NoCredential } from '../ports/credentials.ts';
import {
  ID_TOKEN_PROBLEMS,
  idTokenRefusal,
  type IdTokenProblem,
} from '../id-tokens/id-token-refusal.ts';
import { knownErrorCode } from '../ports/sign-in-fact.ts';

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
  return `the token endpoint answered ${String(failure.status)} ${knownErrorCode(failure.error)}`;
};

const refusedText = ({
  status,
  error,
  description,
}: Extract<ExchangeFailure, { code: 'exchange.refused' }>): string => {
  const name = error === undefined ? '' : ` ${error}`;
  const details = description === undefined ? '' : `: ${description}`;
  return `the token endpoint answered ${status}${name}${details}`;
};

/** Returns the sentence of a failure that the settings or a peer cause. */
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
      return refusedText(failure);
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

/** Returns a failure as the outcome for a person, who can end only the problems of the ID token. */
export const exchangeRefusal = (failure: ExchangeFailure): NoCredential =>
  failure.code === 'exchange.id-token'
    ? idTokenRefusal(failure.problem)
    : { ok: false, code: 'unavailable', reason: exchangeFailureText(failure) };
