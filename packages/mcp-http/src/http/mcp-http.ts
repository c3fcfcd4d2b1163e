import type { IncomingMessage, ServerResponse } from 'node:http';
import { CallAdmission } from '../calls/call-admission.ts';
import { createCallerAddress } from '../wire/caller-address.ts';
import { Authentication } from './authentication.ts';
import { LEGACY_SSE_PATHS, LegacySse } from './legacy-sse.ts';
import type { McpHttpOptions } from './mcp-http-options.ts';
import type { McpHttpStats } from './mcp-http-stats.ts';
import { serveOtherOrigins } from './other-origins.ts';
import { refusalListener } from './refusal-listener.ts';
import { requestRateOf, type RequestRate } from './request-rate.ts';
import { answerEmpty, answerRefusal } from '../wire/answer.ts';
import { refuseBodyType, refuseFramings } from '../wire/content-negotiation.ts';
import { sessionClient } from '../callers/client-name.ts';
import { Clients } from '../callers/clients.ts';
import { closeWithConnection } from '../wire/connection-watch.ts';
import { createHostGuard, type HostGuard } from './host-guard.ts';
import { HttpExchange, type ExchangeOwner } from '../wire/http-exchange.ts';
import { idOf } from '../protocol/json-rpc.ts';
import { DEFAULT_MCP_HTTP_LIMITS, type McpHttpLimits } from '../protocol/limits.ts';
import type { McpService } from '../protocol/mcp-service.ts';
import { PostRouter } from './post-router.ts';
import type { Refusal } from '../protocol/refusal.ts';
import type { McpHttp } from './served-mcp.ts';
import { BodyReader, type ReadBody } from './request-body.ts';
import { SHUTTING_DOWN } from '../calls/running-call.ts';
import { RunningCalls } from '../calls/running-calls.ts';
import { ServiceProtocol } from '../callers/service-protocol.ts';
import { openSessions, type OpenedSessions } from './open-sessions.ts';
import { StreamLimits } from '../sessions/stream-limits.ts';
import { UnreadAnswers } from '../wire/unread-answers.ts';
import { requireSession } from '../sessions/session-requests.ts';

const METHODS = 'GET, POST, DELETE';
const SWEEPS_PER_IDLE_TIME = 10;

/** Serves a service as an MCP endpoint over Streamable HTTP, for clients of every revision from 2024-11-05 on. */
export const createMcpHttp = (service: McpService, options: McpHttpOptions = {}): McpHttp => {
  const { drain, close, stats, handle: serve } = new Endpoint(service, options);
  const handle = serveOtherOrigins(options, serve);
  const paths = options.legacySse === true ? LEGACY_SSE_PATHS : [];
  const routes = Object.fromEntries(paths.map((path) => [path, handle]));
  return { handle, routes, drain, close, stats };
};

/** Without a listener a late error of the stream would end the process. */
const ignoreError = (): void => undefined;

class Endpoint implements Omit<McpHttp, 'routes'> {
  readonly #options: McpHttpOptions;
  readonly #limits: McpHttpLimits;
  readonly #guard: HostGuard;
  readonly #bodies: BodyReader;
  readonly #sessions: OpenedSessions['sessions'];
  readonly #shared: OpenedSessions['shared'];
  readonly #unread: UnreadAnswers;
  readonly #calls: RunningCalls;
  readonly #admission: CallAdmission;
  readonly #owner: ExchangeOwner;
  readonly #requestRate: RequestRate | undefined;
  readonly #authentication: Authentication;
  readonly #clients: Clients;
  readonly #router: PostRouter;
  readonly #sse: LegacySse | undefined;
  readonly #sweeper: NodeJS.Timeout;
  #isDraining = false;

  constructor(service: McpService, options: McpHttpOptions) {
    this.#options = options;
    this.#limits = { ...DEFAULT_MCP_HTTP_LIMITS, ...options.limits };
    this.#guard = createHostGuard(options);
    this.#bodies = new BodyReader(this.#limits);
    const opened = openSessions(options, this.#limits);
    ({ sessions: this.#sessions, shared: this.#shared } = opened);
    this.#sessions.onEnded((id) => service.clientEnded?.(sessionClient(id)));
    this.#calls = new RunningCalls(this.#limits);
    const onError = (error: unknown): void => this.#report(error);
    this.#unread = new UnreadAnswers(this.#limits);
    const streams = new StreamLimits(this.#limits);
    const dependencies = {
      ...{ ...opened, service, limits: this.#limits },
      ...{ streams, unread: this.#unread, onError },
    };
    const calls = this.#calls;
    this.#clients = new Clients({ ...dependencies, peers: options.peers, calls });
    const addressOf = createCallerAddress(options);
    this.#owner = { onRefusal: refusalListener(options), addressOf };
    const requestRate = (this.#requestRate = requestRateOf(options.rateLimit));
    this.#authentication = new Authentication({ ...options, onError, requestRate });
    this.#admission = new CallAdmission(calls, this.#limits);
    const served = {
      ...{ ...dependencies, calls, admission: this.#admission, clients: this.#clients },
      scopeChallenge: options.scopeChallenge,
    };
    const protocol = new ServiceProtocol(served);
    this.#router = new PostRouter({ ...served, protocol, requestRate: this.#requestRate });
    if (options.legacySse === true) this.#sse = new LegacySse({ ...served, protocol });
    const everyMs = Math.max(1, this.#limits.sessionIdleMs / SWEEPS_PER_IDLE_TIME);
    this.#sweeper = setInterval(() => this.#clients.sweep(), everyMs);
    this.#sweeper.unref();
  }

  readonly handle = (request: IncomingMessage, response: ServerResponse): void => {
    response.on('error', ignoreError);
    closeWithConnection(request, response);
    const exchange = new HttpExchange(request, response, this.#owner);
    try {
      this.#serve(exchange);
    } catch (error) {
      this.#fail(exchange, error);
    }
  };

  readonly drain = (): void => {
    this.#isDraining = true;
    clearInterval(this.#sweeper);
    this.#sse?.drain();
    this.#clients.drain();
  };

  readonly close = (): Promise<void> => {
    this.drain();
    this.#calls.shutDown();
    this.#clients.close(SHUTTING_DOWN);
    for (const session of [...this.#sessions.all()]) this.#sessions.end(session);
    return Promise.resolve();
  };

  readonly stats = (): McpHttpStats => {
    let streams = 0;
    for (const session of this.#sessions.all()) streams += session.streams?.size ?? 0;
    return {
      sessions: this.#sessions.size,
      streams,
      inFlight: this.#calls.size - this.#admission.queued,
      queuedCalls: this.#admission.queued,
      bufferedBodyBytes: this.#bodies.bufferedBytes,
      unreadBytes: this.#unread.bytes,
    };
  };

  #serve(exchange: HttpExchange): void {
    const foreign = this.#refuseForeign(exchange);
    if (foreign === undefined) this.#authentication.identify(exchange, this.#serveIdentified);
    else exchange.refuse(foreign);
  }

  readonly #serveIdentified = (exchange: HttpExchange, unauthenticated?: Refusal): void => {
    const excess = this.#requestRate?.charge(exchange, 1);
    const refusal = excess ?? unauthenticated ?? this.#refuseByHeaders(exchange);
    if (refusal !== undefined) exchange.refuse(refusal);
    else {
      const prepared = this.#shared?.prepare(exchange.known.sessionId);
      if (prepared === undefined) this.#serveAdmitted(exchange);
      else void this.#serveWhen(prepared, exchange);
    }
  };

  /** Serves a request whose session had to be looked up. */
  async #serveWhen(prepared: Promise<void>, exchange: HttpExchange): Promise<void> {
    try {
      await prepared;
      // The client may have disconnected in the meantime.
      if (!exchange.response.destroyed) this.#serveAdmitted(exchange);
    } catch (error) {
      this.#fail(exchange, error);
    }
  }

  #serveAdmitted(exchange: HttpExchange): void {
    if (exchange.request.method === 'POST') {
      this.#bodies.read(exchange.request, (body) => this.#take(exchange, body));
    } else this.#serveSession(exchange);
  }

  #serveSession(exchange: HttpExchange): void {
    // An unread body would hide the end of the connection from an open stream.
    exchange.request.resume();
    if (this.#sse?.open(exchange) === true) return;
    const session = requireSession(exchange, this.#sessions);
    if (session === undefined) return;
    if (exchange.request.method === 'GET') this.#clients.openStream(exchange, session);
    else {
      const answer = (): void => answerEmpty(exchange.response, 204);
      const ended = this.#clients.endSession(session);
      if (ended === undefined) answer();
      else void ended.then(answer);
    }
  }

  #refuseForeign(exchange: HttpExchange): Refusal | undefined {
    const { maxHeaderLines } = this.#limits;
    if (exchange.request.rawHeaders.length > 2 * maxHeaderLines) {
      return { code: 'too-many-headers', limit: maxHeaderLines };
    }
    return this.#guard(exchange.known);
  }

  #refuseByHeaders(exchange: HttpExchange): Refusal | undefined {
    const { request } = exchange;
    if (this.#isDraining) return { code: 'draining' };
    const unserved = this.#sse?.refuseMethod(exchange);
    if (unserved !== undefined) return unserved;
    if (request.method === 'GET' || request.method === 'DELETE') return undefined;
    if (request.method !== 'POST') return { code: 'method-not-allowed', allow: METHODS };
    return refuseBodyType(exchange.known) ?? refuseFramings(exchange.accepted);
  }

  #take(exchange: HttpExchange, body: ReadBody): void {
    try {
      this.#answer(exchange, body);
    } catch (error) {
      this.#fail(exchange, error);
    }
  }

  #answer(exchange: HttpExchange, body: ReadBody): void {
    switch (body.kind) {
      case 'gone':
        return;
      case 'refused':
        exchange.refuse(body.refusal);
        return;
      case 'body':
        if (this.#isDraining) exchange.refuse({ code: 'draining' }, idOf(body.value));
        else if (this.#sse?.take(exchange, body.value) !== true)
          this.#router.route(exchange, body.value);
    }
  }

  #fail(exchange: HttpExchange, error: unknown): void {
    this.#report(error);
    answerRefusal(exchange, { code: 'internal' });
  }

  #report(error: unknown): void {
    try {
      this.#options.onError?.(error);
    } catch {
      // Reporting must not change an answer.
    }
  }
}
