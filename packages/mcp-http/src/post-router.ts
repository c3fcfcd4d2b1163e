import { classifyInboundRequest, type JSONRPCRequest } from '@modelcontextprotocol/server';
import { answerEmpty } from './answer.ts';
import { clientFeatures } from './client-features.ts';
import type { Clients } from './clients.ts';
import { Exchange } from './exchange.ts';
import type { HttpExchange } from './http-exchange.ts';
import { idOf, type RpcError } from './json-rpc.ts';
import { isPlainLegacyRequest, isRequest } from './legacy-message.ts';
import type { McpHttpLimits } from './limits.ts';
import { mirroredHeaders, refuseModernRequest, type ModernRoute } from './modern-ladder.ts';
import {
  ASSUMED_REVISION,
  BATCH_REVISIONS,
  LEGACY_REVISIONS,
  type Era,
} from './protocol-results.ts';
import type { Refusal } from './refusal.ts';
import type { RunningCalls } from './running-calls.ts';
import { isCallMethod, type ServiceProtocol } from './service-protocol.ts';
import { findSession, SESSION_HEADER } from './session-requests.ts';
import type { Session, SessionStore } from './session-store.ts';

/** What a `POST` is served with. */
export interface PostRouterParts {
  readonly protocol: ServiceProtocol;
  readonly calls: RunningCalls;
  readonly clients: Clients;
  readonly sessions: SessionStore;
  readonly limits: McpHttpLimits;
}

/** Requests of one `POST` that are answered together. */
interface Work {
  readonly era: Era;
  readonly session: Session | undefined;
  readonly requests: readonly JSONRPCRequest[];
  readonly isBatch: boolean;
}

/** Leads the parsed body of a `POST` to its answer. */
export class PostRouter {
  readonly #parts: PostRouterParts;

  constructor(parts: PostRouterParts) {
    this.#parts = parts;
  }

  /** Answers one body. */
  route(exchange: HttpExchange, body: unknown): void {
    if (exchange.response.destroyed) return;
    if (isPlainLegacyRequest(body, exchange.header)) {
      this.#routeLegacy(exchange, body);
      return;
    }
    const headers = mirroredHeaders(exchange.header);
    const route = classifyInboundRequest({ httpMethod: 'POST', body, ...headers });
    switch (route.kind) {
      case 'reject':
        exchange.refuse(protocolError(route.httpStatus, route), idOf(body));
        return;
      case 'modern':
        this.#routeModern(exchange, route);
        return;
      case 'legacy':
        this.#routeLegacy(exchange, body);
    }
  }

  #routeModern(exchange: HttpExchange, route: ModernRoute): void {
    const error = refuseModernRequest(route, exchange.header);
    if (error !== undefined) {
      exchange.refuse(protocolError(400, error), idOf(route.message));
    } else if (route.messageKind === 'notification') answerEmpty(exchange.response, 202);
    else {
      const requests = [route.message];
      this.#serve(exchange, { era: 'modern', session: undefined, requests, isBatch: false });
    }
  }

  #routeLegacy(exchange: HttpExchange, body: unknown): void {
    if (isRequest(body) && body.method === 'initialize') {
      this.#initialize(exchange, body);
      return;
    }
    const found = findSession(exchange, this.#parts.sessions);
    const refusal = found.ok ? refuseRevision(exchange) : found.refusal;
    if (refusal !== undefined) exchange.refuse(refusal, idOf(body));
    else if (found.ok) this.#serveLegacy(exchange, found.session, body);
  }

  #serveLegacy(exchange: HttpExchange, session: Session | undefined, body: unknown): void {
    const isBatch = Array.isArray(body);
    const messages: readonly unknown[] = isBatch ? body : [body];
    const refusal = isBatch ? this.#refuseBatch(exchange, session, messages) : undefined;
    if (refusal !== undefined) {
      exchange.refuse(refusal);
      return;
    }
    for (const message of messages) {
      if (!isRequest(message)) this.#parts.clients.receive(session, message);
    }
    const requests = messages.filter((message) => isRequest(message));
    if (requests.length === 0) answerEmpty(exchange.response, 202);
    else this.#serve(exchange, { era: 'legacy', session, requests, isBatch });
  }

  #refuseBatch(
    { header }: HttpExchange,
    session: Session | undefined,
    messages: readonly unknown[],
  ): Refusal | undefined {
    const revision = session?.revision ?? header('mcp-protocol-version')?.[0] ?? ASSUMED_REVISION;
    if (!BATCH_REVISIONS.includes(revision)) return { code: 'batch-not-served', revision };
    const count = messages.length;
    const limit = this.#parts.limits.maxBatch;
    if (count > limit) return { code: 'batch-too-large', limit, count };
    const hasInitialize = messages.some(
      (message) => isRequest(message) && message.method === 'initialize',
    );
    return hasInitialize ? { code: 'initialize-in-batch' } : undefined;
  }

  #initialize(http: HttpExchange, request: JSONRPCRequest): void {
    const { protocol, sessions, limits } = this.#parts;
    const { settled, revision } = protocol.initialize(request);
    const session =
      revision === undefined
        ? undefined
        : sessions.create(revision, clientFeatures(request.params?.['capabilities']));
    if (revision !== undefined && session === undefined) {
      http.refuse({ code: 'sessions-full', limit: limits.maxSessions }, request.id);
      return;
    }
    if (session !== undefined) http.response.setHeader(SESSION_HEADER, session.id);
    new Exchange(http, { limits, isBatch: false, pending: 1 }).settle(settled);
  }

  #serve(http: HttpExchange, { era, session, requests, isBatch }: Work): void {
    const { protocol, calls, clients, limits } = this.#parts;
    const limit = limits.maxConcurrentCalls;
    const started = requests.filter(({ method }) => isCallMethod(method)).length;
    if (started > 0 && calls.size + started > limit) {
      http.refuse({ code: 'calls-full', limit }, isBatch ? null : idOf(requests[0]));
      return;
    }
    const pending = requests.length;
    const exchange = new Exchange(http, {
      limits,
      isBatch,
      pending,
      ...(session !== undefined && {
        resumable: (onAbandoned) => clients.startResumable(session, http.header, onAbandoned),
      }),
    });
    const scope = { era, session, header: http.header, exchange };
    for (const request of requests) protocol.answer({ request, scope });
  }
}

const refuseRevision = ({ header }: HttpExchange): Refusal | undefined => {
  const revision = header('mcp-protocol-version')?.join(', ');
  return revision === undefined || LEGACY_REVISIONS.includes(revision)
    ? undefined
    : { code: 'unsupported-revision', supported: LEGACY_REVISIONS };
};

const protocolError = (
  status: number,
  { code, message, data }: RpcError,
): Extract<Refusal, { code: 'protocol-error' }> => ({
  code: 'protocol-error',
  status,
  error: { code, message, ...(data !== undefined && { data }) },
});
