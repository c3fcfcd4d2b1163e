import { readRpcId } from '@gateway/mcp-wire';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createRequestRate, type RateLimit, type RequestRate } from '../admission/rate-limiter.ts';
import { sessionClient } from '../callers/callers.ts';
import { ServiceProtocol } from '../callers/service-protocol.ts';
import { DEFAULT_MCP_HTTP_LIMITS, type McpHttpLimits } from '../protocol/limits.ts';
import type { McpService } from '../protocol/mcp-service.ts';
import type { Refusal, RefusalCode } from '../protocol/refusal.ts';
import { createEndpointParts, type ReplicaOptions } from '../sessions/endpoint-parts.ts';
import { StreamLimits } from '../sessions/stream-limits.ts';
import { createCallerAddress, type ProxyOptions } from '../wire/caller-address.ts';
import { closeWithConnection } from '../wire/connection-watch.ts';
import {
  answerEmpty,
  answerRefusal,
  HttpExchange,
  refuseBodyType,
  refuseFramings,
  type ExchangeOwner,
} from '../wire/http-exchange.ts';
import { Authentication, type RequestAuthenticator } from './authentication.ts';
import {
  createHostGuard,
  serveOtherOrigins,
  type HostGuard,
  type HostGuardOptions,
} from './host-guard.ts';
import type { RouteHandler } from './http-listener.ts';
import { LEGACY_SSE_PATHS, LegacySse } from './legacy-sse.ts';
import { PostRouter } from './post-router.ts';
import { BodyReader, type ReadBody } from '../wire/request-body.ts';
import { requireSession, StreamRequests } from './stream-requests.ts';

/** How to serve a service over HTTP. */
export interface McpHttpOptions
  extends HostGuardOptions, ProxyOptions, ReplicaOptions, Partial<RequestAuthenticator> {
  readonly limits?: Partial<McpHttpLimits>;
  /** Serves the transport of 2024-11-05 too, at the paths of `McpHttp.routes`; not by default. */
  readonly legacySse?: boolean;
  /** Rate of the requests of each caller; unlimited when absent. */
  readonly rateLimit?: Partial<RateLimit>;
  /**
   * Called for every refused request, with the key under which its caller is counted: its principal, otherwise its address; and the
   * reason of refused credentials.
   */
  readonly onRefusal?: (code: RefusalCode, caller: string, reason: string | undefined) => void;
  /** Called with errors that callers receive as an internal error. */
  readonly onError?: (error: unknown) => void;
}

/** Figures of an endpoint at one moment. */
export interface McpHttpStats {
  readonly sessions: number;
  /** Open `GET` streams. */
  readonly streams: number;
  /** Running `tools/call` requests. */
  readonly inFlight: number;
  /** Those that wait for other calls of their caller. */
  readonly queuedCalls: number;
  /** Bytes of request bodies that are being read. */
  readonly bufferedBodyBytes: number;
  /** Bytes of answers that clients have not read. */
  readonly unreadBytes: number;
}

/** The MCP endpoint as a handler for `node:http`. */
export interface McpHttp {
  /** Serves one request of the endpoint, whatever its method; never throws. */
  readonly handle: RouteHandler;
  /** The paths of the transport of 2024-11-05, where it is served: see `McpHttpOptions.legacySse`. */
  readonly routes: Readonly<Record<string, RouteHandler>>;
  /** Ends all streams and refuses new requests; running calls go on. */
  readonly drain: () => void;
  /** Drains, then ends running calls with an error and forgets all sessions. */
  readonly close: () => Promise<void>;
  readonly stats: () => McpHttpStats;
}

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
  readonly #guard: HostGuard;
  readonly #bodies: BodyReader;
  readonly #owner: ExchangeOwner;
  readonly #requestRate: RequestRate;
  readonly #authentication: Authentication;
  readonly #protocol: ServiceProtocol;
  readonly #router: PostRouter;
  readonly #streams: StreamRequests;
  readonly #sse: LegacySse | undefined;
  readonly #sweeper: NodeJS.Timeout;
  #isDraining = false;

  constructor(service: McpService, options: McpHttpOptions) {
    this.#options = options;
    const limits = { ...DEFAULT_MCP_HTTP_LIMITS, ...options.limits };
    const onError = (error: unknown): void => this.#report(error);
    this.#guard = createHostGuard(options);
    this.#bodies = new BodyReader(limits);
    this.#owner = {
      onRefusal: (refusal, caller) => {
        const reason = refusal.code === 'not-authenticated' ? refusal.reason : undefined;
        options.onRefusal?.(refusal.code, caller, reason);
      },
      addressOf: createCallerAddress(options),
    };
    this.#requestRate = createRequestRate(options.rateLimit);
    this.#authentication = new Authentication(options.authenticate, this.#requestRate, onError);
    const parts = createEndpointParts({ service, limits, onError }, options);
    parts.sessions.onEnded((id) => service.clientEnded?.(sessionClient(id)));
    this.#protocol = new ServiceProtocol(parts, options.scopeChallenge);
    const streams = new StreamLimits(limits);
    this.#router = new PostRouter(this.#protocol, streams, this.#requestRate);
    this.#streams = new StreamRequests(this.#protocol, streams);
    if (options.legacySse === true) this.#sse = new LegacySse(this.#protocol, streams);
    const everyMs = Math.max(1, limits.sessionIdleMs / SWEEPS_PER_IDLE_TIME);
    this.#sweeper = setInterval(() => this.#protocol.ends.sweep(), everyMs);
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
    this.#protocol.drain();
  };

  readonly close = (): Promise<void> => {
    this.drain();
    this.#protocol.close();
    return Promise.resolve();
  };

  readonly stats = (): McpHttpStats => {
    const { parts, calls, admission } = this.#protocol;
    let streams = 0;
    for (const session of parts.sessions.all()) streams += session.streams?.size ?? 0;
    return {
      sessions: parts.sessions.size,
      streams,
      inFlight: calls.size - admission.queued,
      queuedCalls: admission.queued,
      bufferedBodyBytes: this.#bodies.bufferedBytes,
      unreadBytes: parts.unread.bytes,
    };
  };

  #serve(exchange: HttpExchange): void {
    const foreign = this.#refuseForeign(exchange);
    if (foreign === undefined) this.#authentication.identify(exchange, this.#serveIdentified);
    else exchange.refuse(foreign);
  }

  readonly #serveIdentified = (exchange: HttpExchange, unauthenticated?: Refusal): void => {
    const excess = this.#requestRate(exchange.caller, 1);
    const refusal = excess ?? unauthenticated ?? this.#refuseByHeaders(exchange);
    if (refusal !== undefined) exchange.refuse(refusal);
    else {
      const prepared = this.#protocol.parts.shared?.prepare(exchange.known.sessionId);
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
    const session = requireSession(exchange, this.#protocol.parts.sessions);
    if (session === undefined) return;
    if (exchange.request.method === 'GET') this.#streams.open(exchange, session);
    else {
      const answer = (): void => answerEmpty(exchange.response, 204);
      const ended = this.#protocol.ends.end(session);
      if (ended === undefined) answer();
      else void ended.then(answer);
    }
  }

  #refuseForeign(exchange: HttpExchange): Refusal | undefined {
    const { maxHeaderLines } = this.#protocol.parts.limits;
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
        if (this.#isDraining) exchange.refuse({ code: 'draining' }, readRpcId(body.value));
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
