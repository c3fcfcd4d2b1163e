import type { HttpExchange } from '../wire/http-exchange.ts';
import type { Refusal } from '../protocol/refusal.ts';
import type { SessionStore } from './session-store.ts';
import type { Session } from './session.ts';

/** Name of the header that carries a session's id. */
export const SESSION_HEADER = 'mcp-session-id';

/** The session that a request names, if it names one. */
export type FoundSession =
  | { readonly ok: true; readonly session: Session | undefined }
  | { readonly ok: false; readonly refusal: Refusal };

const NO_SESSION: FoundSession = { ok: true, session: undefined };

/** Finds the session that a request names; the session of another principal does not exist for it. */
export const findSession = (
  { known, principal }: HttpExchange,
  sessions: SessionStore,
): FoundSession => {
  const { sessionId } = known;
  if (sessionId === undefined) return NO_SESSION;
  const session = typeof sessionId === 'string' ? sessions.useFor(principal, sessionId) : undefined;
  return session === undefined
    ? { ok: false, refusal: { code: 'session-not-found' } }
    : { ok: true, session };
};

/** Without a session there is nothing to stream and nothing to end. */
const SESSIONLESS: Refusal = { code: 'method-not-allowed', allow: 'POST' };

/** The session that a request must name; refuses the request when there is none. */
export const requireSession = (
  exchange: HttpExchange,
  sessions: SessionStore,
): Session | undefined => {
  const found = findSession(exchange, sessions);
  if (found.ok && found.session !== undefined) return found.session;
  exchange.refuse(found.ok ? SESSIONLESS : found.refusal);
  return undefined;
};
