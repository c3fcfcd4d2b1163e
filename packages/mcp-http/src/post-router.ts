import { classifyInboundRequest, type JSONRPCRequest } from '@modelcontextprotocol/server';
import { answerEmpty } from './answer.ts';
import { CallTracker, cancelNamedCall } from './call-tracker.ts';
import { Exchange } from './exchange.ts';
import type { HttpExchange } from './http-exchange.ts';
import { idOf, type RpcError } from './json-rpc.ts';
import { isNotification, isPlainLegacyRequest, isRequest } from './legacy-message.ts';
import type { McpHttpLimits } from './limits.ts';
import { mirroredHeaders, refuseModernRequest, type ModernRoute } from './modern-ladder.ts';
import {
  ASSUMED_REVISION,
  BATCH_REVISIONS,
  LEGACY_REVISIONS,
  type Era,
} from './protocol-results.ts';
import type { Refusal } from './refusal.ts';
import type { ServiceProtocol } from './service-protocol.ts';
import { findSession, SESSION_HEADER } from './session-requests.ts';
import type { Session, SessionStore } from './session-store.ts';

/** What a `POST` is served with. */
export interface PostRouterParts {
  readonly protocol: ServiceProtocol;
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
  readonly #tracker = new CallTracker();

  constructor(parts: PostRouterParts) {
    this.#parts = parts;
  }

  /** Ends every running call with an error. */
  shutDown(): void {
    this.#tracker.shutDown();
  }

  /** Answers one body. */
  async route(exchange: HttpExchange, body: unknown): Promise<void> {
    if (exchange.response.destroyed) return;
    if (isPlainLegacyRequest(body, exchange.header)) {
      await this.#routeLegacy(exchange, body);
      return;
    }
    const headers = mirroredHeaders(exchange.header);
    const route = classifyInboundRequest({ httpMethod: 'POST', body, ...headers });
    switch (route.kind) {
      case 'reject':
        exchange.refuse(protocolError(route.httpStatus, route), idOf(body));
        return;
      case 'modern':
        await this.#routeModern(exchange, route);
        return;
      case 'legacy':
        await this.#routeLegacy(exchange, body);
    }
  }

  async #routeModern(exchange: HttpExchange, route: ModernRoute): Promise<void> {
    const error = refuseModernRequest(route, exchange.header);
    if (error !== undefined) {
      exchange.refuse(protocolError(400, error), idOf(route.message));
    } else if (route.messageKind === 'notification') answerEmpty(exchange.response, 202);
    else {
      const requests = [route.message];
      await this.#serve(exchange, { era: 'modern', session: undefined, requests, isBatch: false });
    }
  }

  async #routeLegacy(exchange: HttpExchange, body: unknown): Promise<void> {
    if (isRequest(body) && body.method === 'initialize') {
      this.#initialize(exchange, body);
      return;
    }
    const found = findSession(exchange, this.#parts.sessions);
    const refusal = found.ok ? refuseRevision(exchange) : found.refusal;
    if (refusal !== undefined) exchange.refuse(refusal, idOf(body));
    else if (found.ok) await this.#serveLegacy(exchange, found.session, body);
  }

  async #serveLegacy(
    exchange: HttpExchange,
    session: Session | undefined,
    body: unknown,
  ): Promise<void> {
    const isBatch = Array.isArray(body);
    const messages: readonly unknown[] = isBatch ? body : [body];
    const refusal = isBatch ? this.#refuseBatch(exchange, session, messages) : undefined;
    if (refusal !== undefined) {
      exchange.refuse(refusal);
      return;
    }
    for (const message of messages) {
      if (isNotification(message)) cancelNamedCall(session, message);
    }
    const requests = messages.filter((message) => isRequest(message));
    if (requests.length === 0) answerEmpty(exchange.response, 202);
    else await this.#serve(exchange, { era: 'legacy', session, requests, isBatch });
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
    const session = revision === undefined ? undefined : sessions.create(revision);
    if (revision !== undefined && session === undefined) {
      http.refuse({ code: 'sessions-full', limit: limits.maxSessions }, request.id);
      return;
    }
    if (session !== undefined) http.response.setHeader(SESSION_HEADER, session.id);
    const { accepted } = http;
    new Exchange(http.response, { accepted, limits, isBatch: false, pending: 1 }).settle(settled);
  }

  async #serve(http: HttpExchange, work: Work): Promise<void> {
    const { protocol, limits } = this.#parts;
    const { era, session, requests, isBatch } = work;
    const limit = limits.maxConcurrentCalls;
    const calls = requests.filter(({ method }) => method === 'tools/call').length;
    if (calls > 0 && protocol.runningCalls + calls > limit) {
      http.refuse({ code: 'calls-full', limit }, isBatch ? null : idOf(requests[0]));
      return;
    }
    const { accepted, header } = http;
    const pending = requests.length;
    const exchange = new Exchange(http.response, { accepted, limits, isBatch, pending });
    const answer = async (request: JSONRPCRequest): Promise<void> => {
      const place = { exchange: http, session, id: request.id };
      const scope = {
        era,
        sessionId: session?.id,
        header,
        notify: (message: string) => exchange.notify(message),
        onCall: this.#tracker.track.bind(this.#tracker, place),
      };
      exchange.settle(await protocol.answer({ request, scope }));
    };
    // Without a byte for so long, proxies and clients would take the connection for dead.
    const waiting = setTimeout(() => exchange.keepAlive(), limits.keepAliveMs);
    try {
      await Promise.all(requests.map(answer));
    } finally {
      clearTimeout(waiting);
    }
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
