import type { IncomingMessage } from 'node:http';
import type { SessionCookie } from './session-cookie.ts';
import type { SignedInSession } from './session-record.ts';

/** Who sends a request: a person with a session, a browser without one, or anyone where persons do not sign in. */
export type PersonAccess =
  | { readonly kind: 'open'; readonly sessionId: string }
  | { readonly kind: 'signed-in'; readonly sessionId: string; readonly session: SignedInSession }
  | { readonly kind: 'signed-out' };

/** The session id of all requests where persons do not sign in. */
const OPEN_SESSION = 'open';

/** Returns who sends a request. Rejects when the store or the provider does not answer. */
export type ReadAccess = (request: IncomingMessage) => Promise<PersonAccess>;

/** The access of portals without sign-in. */
export const openAccess: ReadAccess = () =>
  Promise.resolve({ kind: 'open', sessionId: OPEN_SESSION });

/** Creates the access of portals with sign-in. @param readSession returns the session of an id, where it has not ended */
export const signedInAccess =
  (
    cookie: SessionCookie,
    readSession: (id: string) => Promise<SignedInSession | undefined>,
  ): ReadAccess =>
  async (request) => {
    const sessionId = cookie.read(request);
    const session = sessionId === undefined ? undefined : await readSession(sessionId);
    return sessionId === undefined || session === undefined
      ? { kind: 'signed-out' }
      : { kind: 'signed-in', sessionId, session };
  };

/** Returns the token of requests to services; undefined where persons do not sign in. */
export const tokenOf = (access: PersonAccess): string | undefined =>
  access.kind === 'signed-in' ? access.session.token : undefined;
