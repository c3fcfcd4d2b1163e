import {
  classifyInboundRequest,
  type JSONRPCNotification,
  type JSONRPCRequest,
} from '@modelcontextprotocol/server';
import { answerEmpty } from '../wire/answer.ts';
import { clientFeatures } from '../protocol/client-features.ts';
import type { Clients } from '../callers/clients.ts';
import { Exchange, type ExchangeDependencies } from './exchange.ts';
import type { HttpExchange } from '../wire/http-exchange.ts';
import { idOf } from '../protocol/json-rpc.ts';
import {
  isPlainLegacyBody,
  isPlainLegacyNotification,
  isRequest,
  namesLegacyRevision,
} from '../protocol/legacy-message.ts';
import type { McpHttpLimits } from '../protocol/limits.ts';
import { dropNullMembers } from '../protocol/null-members.ts';
import { isPlainModernRequest } from '../protocol/modern-message.ts';
import {
  mirroredHeaders,
  refuseModernRequest,
  type ModernRoute,
} from '../protocol/modern-validation.ts';
import { ASSUMED_REVISION, BATCH_REVISIONS } from '../protocol/protocol-results.ts';
import { protocolError, refuseRevision } from './post-refusals.ts';
import type { RequestRate } from './request-rate.ts';
import type { Refusal } from '../protocol/refusal.ts';
import { PostScope, type Origin } from '../sessions/session-scope.ts';
import type { CallAdmission } from '../calls/call-admission.ts';
import { isCallMethod, LISTEN_METHOD } from '../protocol/service-methods.ts';
import type { ServiceProtocol } from '../callers/service-protocol.ts';
import type { UnreadAnswers } from '../wire/unread-answers.ts';
import { endWithCredentials } from '../wire/expiry.ts';
import { findSession, SESSION_HEADER } from '../sessions/session-requests.ts';
import type { StreamLimits } from '../sessions/stream-limits.ts';
import type { SessionStore } from '../sessions/session-store.ts';
import type { Session } from '../sessions/session.ts';

/** The collaborators of the router: protocol, sessions, clients, running calls and limits. */
export interface PostRouterDependencies {
  readonly protocol: ServiceProtocol;
  readonly admission: CallAdmission;
  readonly requestRate: RequestRate | undefined;
  readonly clients: Clients;
  readonly sessions: SessionStore;
  readonly limits: McpHttpLimits;
  readonly streams: StreamLimits;
  readonly unread: UnreadAnswers;
}

/** Leads the parsed body of a `POST` to its answer. */
export class PostRouter {
  readonly #dependencies: PostRouterDependencies;
  readonly #exchangeDependencies: ExchangeDependencies;

  constructor(dependencies: PostRouterDependencies) {
    const { limits, clients, unread } = dependencies;
    this.#dependencies = dependencies;
    this.#exchangeDependencies = {
      ...{ limits, unread },
      startResumable: (...args) => clients.startResumable(...args),
    };
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
      this.#serveOne({ http: exchange, era: 'modern', session: undefined }, body);
    } else this.#routeUnusual(exchange, body);
  }

  #routePlainLegacy(http: HttpExchange, request: JSONRPCRequest): void {
    if (request.method === 'initialize') {
      this.#initialize(http, request);
      return;
    }
    const found = findSession(http, this.#dependencies.sessions);
    if (found.ok) this.#serveOne({ http, era: 'legacy', session: found.session }, request);
    else http.refuse(found.refusal, request.id);
  }

  #receiveNotification(http: HttpExchange, notification: JSONRPCNotification): void {
    const found = findSession(http, this.#dependencies.sessions);
    if (found.ok) this.#dependencies.clients.receive(found.session, notification);
    if (found.ok) answerEmpty(http.response, 202);
    else http.refuse(found.refusal);
  }

  /** Routes messages that are not plain requests of either era, as the SDK classifies them. */
  #routeUnusual(exchange: HttpExchange, body: unknown): void {
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
      this.#serveOne({ http: exchange, era: 'modern', session: undefined }, route.message);
    }
  }

  #routeLegacy(exchange: HttpExchange, body: unknown): void {
    if (isRequest(body) && body.method === 'initialize') {
      this.#initialize(exchange, body);
      return;
    }
    const found = findSession(exchange, this.#dependencies.sessions);
    const refusal = found.ok ? refuseRevision(exchange) : found.refusal;
    if (refusal !== undefined) exchange.refuse(refusal, idOf(body));
    else if (found.ok) this.#serveLegacy(exchange, found.session, body);
  }

  #serveLegacy(exchange: HttpExchange, session: Session | undefined, body: unknown): void {
    const isBatch = Array.isArray(body);
    const messages: readonly unknown[] = isBatch ? body : [body];
    const refusal =
      (isBatch ? this.#refuseBatch(exchange, session, messages) : undefined) ??
      this.#dependencies.clients.refuseAnswers(session, exchange, messages);
    if (refusal !== undefined) {
      exchange.refuse(refusal);
      return;
    }
    for (const message of messages) {
      if (!isRequest(message)) this.#dependencies.clients.receive(session, message);
    }
    const requests = messages.filter((message) => isRequest(message));
    if (requests.length === 0) answerEmpty(exchange.response, 202);
    else if (isBatch) this.#serveBatch(exchange, session, requests);
    else if (requests[0] !== undefined) {
      this.#serveOne({ http: exchange, era: 'legacy', session }, requests[0]);
    }
  }

  #refuseBatch(
    exchange: HttpExchange,
    session: Session | undefined,
    messages: readonly unknown[],
  ): Refusal | undefined {
    const revision =
      session?.revision ?? exchange.header('mcp-protocol-version')?.[0] ?? ASSUMED_REVISION;
    if (!BATCH_REVISIONS.includes(revision)) return { code: 'batch-not-served', revision };
    const count = messages.length;
    const limit = this.#dependencies.limits.maxBatch;
    if (count > limit) return { code: 'batch-too-large', limit, count };
    const hasInitialize = messages.some(
      (message) => isRequest(message) && message.method === 'initialize',
    );
    if (hasInitialize) return { code: 'initialize-in-batch' };
    // The first message was charged with the request.
    return this.#dependencies.requestRate?.charge(exchange, count - 1);
  }

  #initialize(http: HttpExchange, request: JSONRPCRequest): void {
    const { protocol, sessions, limits } = this.#dependencies;
    const { settled, revision } = protocol.initialize(request);
    const session =
      revision === undefined
        ? undefined
        : sessions.create(
            revision,
            clientFeatures(request.params?.['capabilities']),
            http.principal.key,
          );
    if (revision !== undefined && session === undefined) {
      http.refuse({ code: 'sessions-full', limit: limits.maxSessions }, request.id);
      return;
    }
    if (session !== undefined) http.response.setHeader(SESSION_HEADER, session.id);
    const { id } = request;
    const options = { session, id, batchSize: undefined, request };
    new Exchange(http, this.#exchangeDependencies, options).settle(settled);
  }

  #serveOne({ http, era, session }: Origin, request: JSONRPCRequest): void {
    const refusal = this.#refuseRequest({ http, era, session }, request);
    if (refusal !== undefined) {
      http.refuse(refusal, request.id);
      return;
    }
    const exchange = new Exchange(http, this.#exchangeDependencies, {
      session,
      id: request.id,
      batchSize: undefined,
      request,
    });
    const scope = new PostScope({ http, era, session }, exchange);
    this.#dependencies.protocol.answer({ request, scope });
  }

  #refuseRequest({ http, era }: Origin, request: JSONRPCRequest): Refusal | undefined {
    if (isCallMethod(request.method)) return this.#refuseCall(http, request);
    const isStream = era === 'modern' && request.method === LISTEN_METHOD && http.accepted.events;
    if (!isStream) return undefined;
    endWithCredentials(http);
    return this.#dependencies.streams.admit(http);
  }

  #serveBatch(
    http: HttpExchange,
    session: Session | undefined,
    requests: readonly JSONRPCRequest[],
  ): void {
    const calls = requests.filter(({ method }) => isCallMethod(method)).length;
    const refusal = this.#refuseBatchedCalls(http, calls);
    if (refusal !== undefined) {
      http.refuse(refusal);
      return;
    }
    const exchange = new Exchange(http, this.#exchangeDependencies, {
      session,
      id: null,
      batchSize: requests.length,
      request: requests.length === 1 ? requests[0] : undefined,
    });
    const scope = new PostScope({ http, era: 'legacy', session }, exchange);
    for (const request of requests) this.#dependencies.protocol.answer({ request, scope });
  }

  /** A retry continues a call that its caller has already; only the limit of all calls applies to it. */
  #refuseCall({ caller }: HttpExchange, { params }: JSONRPCRequest): Refusal | undefined {
    const { admission } = this.#dependencies;
    const isRetry = params !== undefined && Object.hasOwn(params, 'requestState');
    return isRetry ? admission.refuseAny(1) : admission.refuse(caller, 1);
  }

  #refuseBatchedCalls({ caller }: HttpExchange, calls: number): Refusal | undefined {
    return calls === 0 ? undefined : this.#dependencies.admission.refuse(caller, calls);
  }
}
