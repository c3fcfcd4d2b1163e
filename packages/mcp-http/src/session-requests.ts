import { answerEmpty } from './answer.ts';
import { refuseWithoutEvents } from './content-negotiation.ts';
import { EventStream } from './event-stream.ts';
import type { HttpExchange } from './http-exchange.ts';
import type { McpHttpLimits } from './limits.ts';
import type { Refusal } from './refusal.ts';
import type { Session, SessionStore } from './session-store.ts';

/** Name of the header that carries a session's id. */
export const SESSION_HEADER = 'mcp-session-id';

/** The session that a request names, if it names one. */
export type FoundSession =
  | { readonly ok: true; readonly session: Session | undefined }
  | { readonly ok: false; readonly refusal: Refusal };

/** Finds the session that a request names. */
export const findSession = ({ header }: HttpExchange, sessions: SessionStore): FoundSession => {
  const ids = header(SESSION_HEADER);
  if (ids === undefined) return { ok: true, session: undefined };
  const [id = ''] = ids;
  const session = ids.length === 1 ? sessions.use(id) : undefined;
  return session === undefined
    ? { ok: false, refusal: { code: 'session-not-found' } }
    : { ok: true, session };
};

/** Without a session there is nothing to stream and nothing to end. */
const SESSIONLESS: Refusal = { code: 'method-not-allowed', allow: 'POST' };

const requireSession = (exchange: HttpExchange, sessions: SessionStore): Session | undefined => {
  const found = findSession(exchange, sessions);
  if (found.ok && found.session !== undefined) return found.session;
  exchange.refuse(found.ok ? SESSIONLESS : found.refusal);
  return undefined;
};

/** Serves `GET`: a stream of the session for messages that belong to no request. */
export const openSessionStream = (
  exchange: HttpExchange,
  sessions: SessionStore,
  limits: McpHttpLimits,
): void => {
  const session = requireSession(exchange, sessions);
  if (session === undefined) return;
  const refusal = refuseWithoutEvents(exchange.accepted);
  if (refusal !== undefined) {
    exchange.refuse(refusal);
    return;
  }
  const { streams } = session;
  const [oldest] = streams;
  if (oldest !== undefined && streams.size >= limits.maxStreamsPerSession) {
    streams.delete(oldest);
    oldest.end();
  }
  const stream = new EventStream(exchange.response, limits);
  streams.add(stream);
  exchange.response.once('close', () => {
    streams.delete(stream);
    sessions.use(session.id);
  });
};

/** Serves `DELETE`: ends the session. */
export const endSession = (exchange: HttpExchange, sessions: SessionStore): void => {
  const session = requireSession(exchange, sessions);
  if (session === undefined) return;
  sessions.end(session);
  answerEmpty(exchange.response, 204);
};
