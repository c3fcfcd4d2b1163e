import { readRpcId, REVISION_HEADER, SESSION_HEADER } from '@gateway/mcp-wire';
import type { RpcError } from '@gateway/call-contract';
import {
  classifyInboundRequest,
  type JSONRPCNotification,
  type JSONRPCRequest,
} from '@modelcontextprotocol/server';
import type { RequestRate } from '../admission/rate-limiter.ts';
import type { ServiceProtocol } from '../callers/service-protocol.ts';
import {
  dropNullMembers,
  isPlainLegacyBody,
  isPlainLegacyNotification,
  isRequest,
  namesLegacyRevision,
} from '../protocol/client-message.ts';
import { isCallMethod, LISTEN_METHOD } from '../protocol/mcp-service.ts';
import {
  isPlainModernRequest,
  mirroredHeaders,
  refuseModernRequest,
  type ModernRoute,
} from '../protocol/modern-message.ts';
import type { Refusal } from '../protocol/refusal.ts';
import { joined } from '../protocol/request-headers.ts';
import {
  ASSUMED_REVISION,
  BATCH_REVISIONS,
  LEGACY_REVISIONS,
  type Era,
} from '../protocol/results.ts';
import type { Session } from '../sessions/session-store.ts';
import type { StreamLimits } from '../sessions/stream-limits.ts';
import { answerEmpty, endWithCredentials, type HttpExchange } from '../wire/http-exchange.ts';
import { Exchange, PostScope } from './exchange.ts';
import { findSession } from './stream-requests.ts';

/** Returns the refusal of a revision that the endpoint does not serve; `undefined` for any other, and for none. */
const refuseLegacyRevision = ({ known }: HttpExchange): Refusal | undefined => {
  const revision = joined(known.protocolVersion);
  return revision === undefined || LEGACY_REVISIONS.includes(revision)
    ? undefined
    : { code: 'unsupported-revision', supported: LEGACY_REVISIONS };
};

/** Returns the refusal with an error of the protocol. */
export const protocolError = (
  status: number,
  { code, message, data }: RpcError,
): Extract<Refusal, { code: 'protocol-error' }> => ({
  code: 'protocol-error',
  status,
  error: { code, message, ...(data !== undefined && { data }) },
});

/** Leads the parsed body of a `POST` to its answer. */
export class PostRouter {
  readonly #protocol: ServiceProtocol;
  readonly #streams: StreamLimits;
  readonly #requestRate: RequestRate;

  constructor(protocol: ServiceProtocol, streams: StreamLimits, requestRate: RequestRate) {
    this.#protocol = protocol;
    this.#streams = streams;
    this.#requestRate = requestRate;
  }

  /** Answers one body. */
  route(exchange: HttpExchange, body: unknown): void {
    if (exchange.response.destroyed) return;
    dropNullMembers(body);
    const { known } = exchange;
    if (namesLegacyRevision(known.protocolVersion)) {
      if (isPlainLegacyBody(body)) this.#routePlainLegacy(exchange, body);
      else if (isPlainLegacyNotification(body)) this.#receiveNotification(exchange, body);
      else this.#routeUnusual(exchange, body);
    } else if (isPlainModernRequest(body, known)) {
      this.#serveOne(exchange, 'modern', undefined, body);
    } else this.#routeUnusual(exchange, body);
  }

  #routePlainLegacy(http: HttpExchange, request: JSONRPCRequest): void {
    if (request.method === 'initialize') {
      this.#initialize(http, request);
      return;
    }
    const found = findSession(http, this.#protocol.parts.sessions);
    if (found.ok) this.#serveOne(http, 'legacy', found.session, request);
    else http.refuse(found.refusal, request.id);
  }

  #receiveNotification(http: HttpExchange, notification: JSONRPCNotification): void {
    const found = findSession(http, this.#protocol.parts.sessions);
    if (found.ok) this.#protocol.receive(found.session, notification);
    if (found.ok) answerEmpty(http.response, 202);
    else http.refuse(found.refusal);
  }

  /** Routes messages that are not plain requests of either era, as the SDK classifies them. */
  #routeUnusual(exchange: HttpExchange, body: unknown): void {
    const headers = mirroredHeaders(exchange.header);
    const route = classifyInboundRequest({ httpMethod: 'POST', body, ...headers });
    switch (route.kind) {
      case 'reject':
        exchange.refuse(protocolError(route.httpStatus, route), readRpcId(body));
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
      exchange.refuse(protocolError(400, error), readRpcId(route.message));
    } else if (route.messageKind === 'notification') answerEmpty(exchange.response, 202);
    else {
      this.#serveOne(exchange, 'modern', undefined, route.message);
    }
  }

  #routeLegacy(exchange: HttpExchange, body: unknown): void {
    if (isRequest(body) && body.method === 'initialize') {
      this.#initialize(exchange, body);
      return;
    }
    const found = findSession(exchange, this.#protocol.parts.sessions);
    const refusal = found.ok ? refuseLegacyRevision(exchange) : found.refusal;
    if (refusal !== undefined) exchange.refuse(refusal, readRpcId(body));
    else if (found.ok) this.#serveLegacy(exchange, found.session, body);
  }

  #serveLegacy(exchange: HttpExchange, session: Session | undefined, body: unknown): void {
    const isBatch = Array.isArray(body);
    const messages: readonly unknown[] = isBatch ? body : [body];
    const refusal =
      (isBatch ? this.#refuseBatch(exchange, session, messages) : undefined) ??
      this.#protocol.refuseAnswers(session, exchange, messages);
    if (refusal !== undefined) {
      exchange.refuse(refusal);
      return;
    }
    for (const message of messages) {
      if (!isRequest(message)) this.#protocol.receive(session, message);
    }
    const requests = messages.filter((message) => isRequest(message));
    if (requests.length === 0) answerEmpty(exchange.response, 202);
    else if (isBatch) this.#serveBatch(exchange, session, requests);
    else if (requests[0] !== undefined) {
      this.#serveOne(exchange, 'legacy', session, requests[0]);
    }
  }

  #refuseBatch(
    exchange: HttpExchange,
    session: Session | undefined,
    messages: readonly unknown[],
  ): Refusal | undefined {
    const revision = session?.revision ?? exchange.header(REVISION_HEADER)?.[0] ?? ASSUMED_REVISION;
    if (!BATCH_REVISIONS.includes(revision)) return { code: 'batch-not-served', revision };
    const count = messages.length;
    const limit = this.#protocol.parts.limits.maxBatch;
    if (count > limit) return { code: 'batch-too-large', limit, count };
    const hasInitialize = messages.some(
      (message) => isRequest(message) && message.method === 'initialize',
    );
    if (hasInitialize) return { code: 'initialize-in-batch' };
    // The first message was charged with the request.
    return this.#requestRate(exchange.caller, count - 1);
  }

  #initialize(http: HttpExchange, request: JSONRPCRequest): void {
    const initialized = this.#protocol.initialize(request, http.principal.key);
    if (!initialized.ok) {
      http.refuse(initialized.refusal, request.id);
      return;
    }
    const { session, settled } = initialized;
    if (session !== undefined) http.response.setHeader(SESSION_HEADER, session.id);
    new Exchange(http, this.#protocol, session, request).settle(settled);
  }

  #serveOne(
    http: HttpExchange,
    era: Era,
    session: Session | undefined,
    request: JSONRPCRequest,
  ): void {
    const refusal = this.#refuseRequest(http, era, request);
    if (refusal !== undefined) {
      http.refuse(refusal, request.id);
      return;
    }
    const exchange = new Exchange(http, this.#protocol, session, request);
    const scope = new PostScope(http, era, session, exchange);
    this.#protocol.answer({ request, scope });
  }

  #refuseRequest(http: HttpExchange, era: Era, request: JSONRPCRequest): Refusal | undefined {
    const { method, params } = request;
    if (isCallMethod(method)) {
      const { admission } = this.#protocol;
      // A retry continues a call that its caller has already; only the limit of all calls applies to it.
      const isRetry = params !== undefined && Object.hasOwn(params, 'requestState');
      return isRetry ? admission.refuseAny(1) : admission.refuse(http.caller, 1);
    }
    if (era !== 'modern' || method !== LISTEN_METHOD || !http.accepted.events) return undefined;
    endWithCredentials(http);
    return this.#streams.admit(http);
  }

  #serveBatch(
    http: HttpExchange,
    session: Session | undefined,
    requests: readonly JSONRPCRequest[],
  ): void {
    const calls = requests.filter(({ method }) => isCallMethod(method)).length;
    const refusal = calls === 0 ? undefined : this.#protocol.admission.refuse(http.caller, calls);
    if (refusal !== undefined) {
      http.refuse(refusal);
      return;
    }
    const exchange = new Exchange(http, this.#protocol, session, requests);
    const scope = new PostScope(http, 'legacy', session, exchange);
    for (const request of requests) this.#protocol.answer({ request, scope });
  }
}
