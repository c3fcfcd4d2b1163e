import type { NoCredential } from '../ports/credentials.ts';
import type { IdTokenOutcome } from '../ports/id-token-source.ts';

/** The reason why there is no ID token for a server. */
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

/** Returns whether a person only has to sign in to the gateway, or cannot. */
export const isSignedOut = ({ code }: IdTokenProblem): boolean =>
  code === 'signed-out' || code === 'no-sign-in';

/** The problems in the words of operators: without names of persons and audiences. */
export const ID_TOKEN_PROBLEMS: Readonly<Record<IdTokenProblem['code'], string>> = {
  'signed-out': 'the person is not signed in to the gateway',
  'audience-missing': 'the ID token has no audience of requiredAudiences',
  expired: 'the ID token has expired',
  'not-forwardable':
    'auth.issuers of config.yaml has no forwardable: true for the issuer of the person',
  unavailable: 'the ID token cannot be renewed',
  'no-sign-in': 'callers do not sign in',
};

/** Returns the sentence of a problem. */
const idTokenProblemText = (problem: IdTokenProblem): string => {
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

/** Returns a missing ID token as the outcome for a person. */
export const idTokenRefusal = (problem: IdTokenProblem): NoCredential => ({
  ok: false,
  code: CODES[problem.code],
  reason: idTokenProblemText(problem),
});
