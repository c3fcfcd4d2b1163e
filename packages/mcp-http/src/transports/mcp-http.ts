import type { AuthenticationOutcome, Principal } from '@gateway/call-contract';
import { readRpcId } from '@gateway/mcp-wire';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createRequestRate, type RateLimit, type RequestRate } from '../calls/admission.ts';
import { formatSessionClient } from '../calls/callers.ts';
import { ServiceProtocol } from '../calls/service-protocol.ts';
import { DEFAULT_MCP_HTTP_LIMITS, type McpHttpLimits } from '../protocol/limits.ts';
import type { McpService } from '../protocol/mcp-service.ts';
import type {
  CredentialRefusal,
  EndpointRefusal,
  EndpointRefusalCode,
} from '../protocol/refusal.ts';
import { createEndpointParts, type ReplicaOptions } from '../sessions/endpoint-parts.ts';
import { StreamLimits } from '../wire/event-stream.ts';
import {
  answerEmpty,
  closeWithConnection,
  type ExchangeOwner,
  ignoreError,
  IncomingExchange,
  refuseBodyType,
  refuseFramings,
  type RouteHandler,
  type RouteHandlers,
} from '../wire/incoming-exchange.ts';
import { RequestBodyReader, type ReadBody } from '../wire/request-body.ts';
import {
  createCallerAddress,
  createHostGuard,
  type HostGuard,
  type HostGuardOptions,
  type ProxyOptions,
  serveOtherOrigins,
} from '../wire/request-origin.ts';
import { LEGACY_SSE_PATHS, LegacySse } from './legacy-sse.ts';
import { PostRouter } from './post.ts';
import { StreamRequests } from './stream-requests.ts';

/** Checks the credentials of requests. */
export interface RequestAuthenticator {
  /**
   * Returns the principal of a request, synchronously where it is cached; never rejects. Reads the request line and the headers. It calls `mayVerify`
   * before it verifies credentials that it does not know; `false` means that the caller sent too many, and the result is not used.
   */
  readonly authenticate: (
    request: IncomingMessage,
    mayVerify: () => boolean,
  ) => AuthenticationOutcome | Promise<AuthenticationOutcome>;
  /** Returns the value of `WWW-Authenticate` for a request whose credentials lack scopes. RFC 6750 §3.1 */
  readonly scopeChallenge: (scopes: readonly string[]) => string;
}

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
  readonly onRefusal?: (
    code: EndpointRefusalCode,
    caller: string,
    reason: string | undefined,
  ) => void;
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
  /** Calls that wait for other calls of their caller. */
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
  readonly routes: RouteHandlers;
  /** Ends all streams and refuses new requests; running calls go on. */
  readonly drain: () => void;
  /** Drains, then ends running calls with an error and forgets all sessions. */
  readonly close: () => Promise<void>;
  readonly stats: () => McpHttpStats;
}

const METHODS = 'GET, POST, DELETE';

/** Without a session there is nothing to stream and nothing to end. */
const SESSIONLESS: EndpointRefusal = { code: 'method-not-allowed', allow: 'POST' };

const SWEEPS_PER_IDLE_TIME = 10;

/** Serves a service as an MCP endpoint over Streamable HTTP, for clients of every revision from 2024-11-05 on. */
export const createMcpHttp = (service: McpService, options: McpHttpOptions = {}): McpHttp => {
  const { drain, close, stats, handle: serve } = new Endpoint(service, options);
  const handle = serveOtherOrigins(options, serve);
  const paths = options.legacySse === true ? LEGACY_SSE_PATHS : [];
  const routes = Object.fromEntries(paths.map((path) => [path, handle]));
  return { handle, routes, drain, close, stats };
};

class Endpoint implements Omit<McpHttp, 'routes'> {
  readonly #options: McpHttpOptions;
  readonly #guard: HostGuard;
  readonly #bodies: RequestBodyReader;
  readonly #owner: ExchangeOwner;
  readonly #requestRate: RequestRate;
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
    this.#bodies = new RequestBodyReader(limits);
    this.#owner = {
      onRefusal: (refusal, caller) => {
        const reason = refusal.code === 'not-authenticated' ? refusal.reason : undefined;
        try {
          options.onRefusal?.(refusal.code, caller, reason);
        } catch (error) {
          this.#report(error);
        }
      },
      resolveAddress: createCallerAddress(options),
    };
    this.#requestRate = createRequestRate(options.rateLimit);
    const parts = createEndpointParts({ service, limits, onError }, options);
    parts.sessions.onEnded((id) => service.clientEnded?.(formatSessionClient(id)));
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
    const exchange = new IncomingExchange(request, response, this.#owner);
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
    for (const session of parts.sessions.list()) streams += session.streams?.size ?? 0;
    return {
      sessions: parts.sessions.size,
      streams,
      inFlight: calls.size - admission.queued,
      queuedCalls: admission.queued,
      bufferedBodyBytes: this.#bodies.bufferedBytes,
      unreadBytes: parts.unread.bytes,
    };
  };

  #serve(exchange: IncomingExchange): void {
    const foreign = this.#refuseForeign(exchange);
    if (foreign === undefined) this.#identify(exchange);
    else exchange.refuse(foreign);
  }

  /** Finds the principal of a request before anything of it is served: in the same turn, unless its credentials have to be verified first. */
  #identify(exchange: IncomingExchange): void {
    const { authenticate } = this.#options;
    if (authenticate === undefined) {
      this.#serveIdentified(exchange);
      return;
    }
    let excess: EndpointRefusal | undefined;
    const authenticated = authenticate(exchange.request, () => {
      // The address of a caller has a rate before its credentials are verified.
      excess = this.#requestRate(exchange.caller, 1);
      return excess === undefined;
    });
    if (excess !== undefined) exchange.refuse(excess);
    else if (authenticated instanceof Promise) void this.#identifyLater(exchange, authenticated);
    else this.#serveIdentified(exchange, this.#recordPrincipal(exchange, authenticated));
  }

  async #identifyLater(
    exchange: IncomingExchange,
    authenticated: Promise<AuthenticationOutcome>,
  ): Promise<void> {
    try {
      const refusal = this.#recordPrincipal(exchange, await authenticated);
      // The client may have disconnected in the meantime.
      if (!exchange.response.destroyed) this.#serveIdentified(exchange, refusal);
    } catch (error) {
      this.#fail(exchange, error);
    }
  }

  /** Records the principal. Returns the refusal of invalid credentials. */
  #recordPrincipal(
    exchange: IncomingExchange,
    authenticated: AuthenticationOutcome,
  ): CredentialRefusal | undefined {
    if (authenticated.ok) {
      const { principal, expiresAt } = authenticated;
      const areAccepted = () => this.#areAccepted(exchange.request, principal);
      exchange.identify(principal, { expiresAt, areAccepted });
      return undefined;
    }
    const { ok: _, ...refusal } = authenticated;
    return { code: 'not-authenticated', ...refusal };
  }

  /** Credentials that cannot be checked now, because an issuer or the store is away, count until they expire. */
  async #areAccepted(request: IncomingMessage, principal: Principal): Promise<boolean> {
    try {
      const again = await this.#options.authenticate?.(request, () => true);
      if (again === undefined) return true;
      return again.ok ? again.principal.key === principal.key : again.status === 503;
    } catch (error) {
      this.#report(error);
      return true;
    }
  }

  #serveIdentified(exchange: IncomingExchange, unauthenticated?: EndpointRefusal): void {
    const excess = this.#requestRate(exchange.caller, 1);
    const refusal = excess ?? unauthenticated ?? this.#refuseByHeaders(exchange);
    if (refusal !== undefined) {
      exchange.refuse(refusal);
      return;
    }
    const prepared = this.#protocol.parts.shared?.prepare(exchange.known.sessionId);
    if (prepared === undefined) this.#serveAdmitted(exchange);
    else void this.#serveWhen(prepared, exchange);
  }

  /** Serves a request whose session had to be looked up. */
  async #serveWhen(prepared: Promise<void>, exchange: IncomingExchange): Promise<void> {
    try {
      await prepared;
      // The client may have disconnected in the meantime.
      if (!exchange.response.destroyed) this.#serveAdmitted(exchange);
    } catch (error) {
      this.#fail(exchange, error);
    }
  }

  #serveAdmitted(exchange: IncomingExchange): void {
    if (exchange.request.method === 'POST') {
      this.#bodies.read(exchange.request, (body) => this.#take(exchange, body));
    } else this.#serveSession(exchange);
  }

  #serveSession(exchange: IncomingExchange): void {
    // An unread body would hide the end of the connection from an open stream.
    exchange.request.resume();
    if (this.#sse?.open(exchange) === true) return;
    const found = this.#protocol.parts.sessions.find(exchange.principal, exchange.known.sessionId);
    if (!found.ok || found.session === undefined) {
      exchange.refuse(found.ok ? SESSIONLESS : found.refusal);
      return;
    }
    const { session } = found;
    if (exchange.request.method === 'GET') this.#streams.open(exchange, session);
    else {
      const answer = (): void => answerEmpty(exchange.response, 204);
      const ended = this.#protocol.ends.end(session);
      if (ended === undefined) answer();
      else void ended.then(answer);
    }
  }

  #refuseForeign(exchange: IncomingExchange): EndpointRefusal | undefined {
    const { maxHeaderLines } = this.#protocol.parts.limits;
    if (exchange.request.rawHeaders.length > 2 * maxHeaderLines) {
      return { code: 'too-many-headers', limit: maxHeaderLines };
    }
    return this.#guard(exchange.known);
  }

  #refuseByHeaders(exchange: IncomingExchange): EndpointRefusal | undefined {
    const { request } = exchange;
    if (this.#isDraining) return { code: 'draining' };
    const unserved = this.#sse?.refuseMethod(exchange);
    if (unserved !== undefined) return unserved;
    if (request.method === 'GET' || request.method === 'DELETE') return undefined;
    if (request.method !== 'POST') return { code: 'method-not-allowed', allow: METHODS };
    return refuseBodyType(exchange.known) ?? refuseFramings(exchange.accepted);
  }

  #take(exchange: IncomingExchange, body: ReadBody): void {
    try {
      this.#answer(exchange, body);
    } catch (error) {
      this.#fail(exchange, error);
    }
  }

  #answer(exchange: IncomingExchange, body: ReadBody): void {
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

  /** Answers with an internal error, or cuts an answer that has begun. */
  #fail(exchange: IncomingExchange, error: unknown): void {
    this.#report(error);
    exchange.refuse({ code: 'internal' });
  }

  #report(error: unknown): void {
    try {
      this.#options.onError?.(error);
    } catch {
      // Reporting must not change an answer.
    }
  }
}
