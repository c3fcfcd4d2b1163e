import { ANONYMOUS } from '@gateway/call-contract';
import type { Downstream } from '@gateway/downstream';
import type { Authenticated } from '@gateway/mcp-http';
import type { IncomingMessage } from 'node:http';

/** Checks the credentials of a request. */
export type Authenticate = (request: IncomingMessage) => Authenticated | Promise<Authenticated>;

const SIGNED_IN: Authenticated = { ok: true, principal: ANONYMOUS };

/** Returns the sign-in of callers that do not sign in. */
const anonymous: Authenticate = () => SIGNED_IN;

/**
 * Returns a check of credentials that also connects the caller to the servers that need no further sign-in, so that the first list is
 * complete. It is synchronous when the check is and nothing is to be connected.
 */
export const prepareCallers = (
  downstream: Pick<Downstream, 'prepare'>,
  authenticate: Authenticate = anonymous,
): Authenticate => {
  const prepared = (authenticated: Authenticated): Authenticated | Promise<Authenticated> => {
    if (!authenticated.ok) return authenticated;
    const preparing = downstream.prepare(authenticated.principal);
    return preparing === undefined ? authenticated : preparing.then(() => authenticated);
  };
  return (request) => {
    const authenticated = authenticate(request);
    return authenticated instanceof Promise
      ? authenticated.then(prepared)
      : prepared(authenticated);
  };
};
