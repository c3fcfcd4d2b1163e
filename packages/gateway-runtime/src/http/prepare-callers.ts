import { ANONYMOUS, type Authenticated } from '@gateway/call-contract';
import type { Downstream } from '@gateway/downstream';
import type { IncomingMessage } from 'node:http';

/** Checks the credentials of a request. */
export type Authenticate = (
  request: IncomingMessage,
  mayVerify: () => boolean,
) => Authenticated | Promise<Authenticated>;

const SIGNED_IN: Authenticated = { ok: true, principal: ANONYMOUS };

/** Returns the sign-in of callers that do not sign in. */
const anonymous: Authenticate = () => SIGNED_IN;

/** The connections that requests of a person wait for. */
export interface CallerPreparation {
  readonly prepare: Downstream['prepare'];
  /** Resolves when the servers are connected that a person has just signed in to; `undefined` when there is none. */
  readonly connecting: (principalKey: string) => Promise<void> | undefined;
}

/**
 * Returns a check of credentials that also connects the caller to the servers that need no further sign-in, so that the first list is
 * complete. It is synchronous when the check is and nothing is to be connected.
 */
export const prepareCallers = (
  { prepare, connecting }: CallerPreparation,
  authenticate: Authenticate = anonymous,
): Authenticate => {
  const prepared = (authenticated: Authenticated): Authenticated | Promise<Authenticated> => {
    if (!authenticated.ok) return authenticated;
    const { principal } = authenticated;
    const preparing = connecting(principal.key) ?? prepare(principal);
    return preparing === undefined ? authenticated : preparing.then(() => authenticated);
  };
  return (request, mayVerify) => {
    const authenticated = authenticate(request, mayVerify);
    return authenticated instanceof Promise
      ? authenticated.then(prepared)
      : prepared(authenticated);
  };
};
