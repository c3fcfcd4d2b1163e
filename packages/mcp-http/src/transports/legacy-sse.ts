import { isJsonObject, type Principal } from '@gateway/call-contract';
import { readRpcId, type RpcId, CALL_METHODS } from '@gateway/mcp-wire';
import { classifyInboundRequest, type JSONRPCRequest } from '@modelcontextprotocol/server';
import { randomBytes } from 'node:crypto';
import type { ServiceProtocol } from '../calls/service-protocol.ts';
import { dropNullMembers, isPlainLegacyBody, isRequest } from '../protocol/client-message.ts';
import type { ResponseSink, SettledResponse } from '../protocol/results.ts';
import type { EndpointRefusal } from '../protocol/refusal.ts';
import {
  type HeaderReader,
  parseScopeHeaders,
  readScopeHeaders,
} from '../protocol/client-message.ts';
import type { EndpointParts } from '../sessions/endpoint-parts.ts';
import type { Session } from '../sessions/session-store.ts';
import {
  EventStream,
  type StreamLimits,
  endExpiredStream,
  refuseWithoutEvents,
} from '../wire/event-stream.ts';
import {
  answerEmpty,
  type IncomingExchange,
  estimateSize,
  addCloseListener,
  type UnreadAnswers,
} from '../wire/incoming-exchange.ts';
import { isPrincipal } from '../wire/peers.ts';
import { admitMessage, createProtocolError } from './post.ts';

/** Path at which clients post the messages of a stream. */
const MESSAGES_PATH = '/messages';

const STREAM_ID = /^([\w-]{1,64})\.[\w-]{32}$/;
const ID_BYTES = 24;

/** Returns the process that opened the stream with an id; `undefined` for a text that is no id. */
const parseStreamOwner = (id: string): string | undefined => STREAM_ID.exec(id)?.[1];

/** The stream of one client of the transport of 2024-11-05: the answers to its requests and the messages of its session. */
class SseStream extends EventStream {
  /** Unguessable name of the stream, which starts with that of its process. */
  readonly id: string;
  /** The `GET` that opened the stream. */
  readonly exchange: IncomingExchange;
  /** Set by the answer to `initialize`. */
  session: Session | undefined;
  #pending = 0;
  #isEnding = false;

  /** Begins the answer to the request, with the event that names the address of its messages. MCP 2024-11-05, HTTP with SSE */
  constructor(exchange: IncomingExchange, parts: EndpointParts) {
    super(exchange.response, parts);
    this.exchange = exchange;
    this.id = `${parts.bus.self}.${randomBytes(ID_BYTES).toString('base64url')}`;
    this.announceEndpoint(`${MESSAGES_PATH}?sessionId=${this.id}`);
  }

  /** Counts a request whose answer the stream carries. */
  begin(): void {
    this.#pending += 1;
  }

  /** Counts an answer. */
  finish(): void {
    this.#pending -= 1;
    if (this.#isEnding) this.end();
  }

  /** Ends the stream after the answers to the requests that run. */
  override end(): void {
    this.#isEnding = true;
    if (this.#pending === 0) super.end();
  }
}

/** The answer to one request on the stream of its client. */
class SseSink implements ResponseSink {
  readonly #stream: SseStream;
  readonly #unread: UnreadAnswers;
  readonly #id: RpcId;
  #isSettled = false;

  constructor(stream: SseStream, unread: UnreadAnswers, id: RpcId) {
    this.#stream = stream;
    this.#unread = unread;
    this.#id = id;
    stream.begin();
  }

  get canStream(): boolean {
    return !this.#isSettled && !this.#stream.exchange.response.destroyed;
  }

  notify(message: string): void {
    if (this.canStream) this.#stream.notify(message);
  }

  send(message: string): boolean {
    if (!this.canStream || !this.#unread.admits(estimateSize(message))) return false;
    this.#stream.write(message);
    return true;
  }

  /** Does nothing: the stream is open already. */
  keepAlive(): void {
    return undefined;
  }

  settle({ message, refusal }: SettledResponse): void {
    if (this.#isSettled) return;
    const isOpen = this.canStream;
    this.#isSettled = true;
    // The status and the headers of the `POST` were sent with 202.
    if (refusal !== undefined) this.#stream.exchange.recordRefusal(refusal);
    if (message !== undefined && isOpen)
      this.#stream.write(admitMessage(message, this.#id, this.#stream.exchange, this.#unread));
    this.#stream.finish();
  }

  onDisconnect(listener: () => void): () => void {
    return addCloseListener(this.#stream.exchange.request.socket, listener);
  }
}

/** The sender of a posted message. */
interface SseSender {
  readonly principal: Principal;
  /** The key under which it is counted. */
  readonly caller: string;
  readonly header: HeaderReader;
}

const NOT_FOUND: EndpointRefusal = { code: 'session-not-found' };

const refuseBody = (body: unknown): EndpointRefusal | undefined => {
  if (Array.isArray(body)) return { code: 'batch-on-stream' };
  if (isPlainLegacyBody(body)) return undefined;
  const route = classifyInboundRequest({ httpMethod: 'POST', body });
  if (route.kind === 'reject') return createProtocolError(route.httpStatus, route);
  return route.kind === 'modern' ? { code: 'revision-without-streams' } : undefined;
};

const SSE_PATH = '/sse';

export const LEGACY_SSE_PATHS = [SSE_PATH, MESSAGES_PATH] as const;

/** The transport of 2024-11-05 for clients that know no other: one stream for each client, and messages that are posted separately. */
export class LegacySse {
  readonly #protocol: ServiceProtocol;
  readonly #streams: StreamLimits;
  /** Open streams by id; `StreamLimits` bounds their number. */
  readonly #open = new Map<string, SseStream>();

  constructor(protocol: ServiceProtocol, streams: StreamLimits) {
    this.#protocol = protocol;
    this.#streams = streams;
    protocol.relays.on('sse', (body, sink) => {
      const { stream: id, scope, principal, caller, message } = body;
      const stream = this.#open.get(String(id));
      const header = parseScopeHeaders(scope);
      if (stream === undefined || header === undefined) return false;
      if (!isPrincipal(principal) || typeof caller !== 'string') return false;
      const refusal = this.#take(stream, { principal, caller, header }, message);
      sink.settle({ message: JSON.stringify({ refusal }), status: 202 });
      return true;
    });
  }

  /** Returns the refusal of a method that a path of the transport does not serve. */
  refuseMethod({ request }: IncomingExchange): EndpointRefusal | undefined {
    const path = readPath(request.url);
    const allow = path === SSE_PATH ? 'GET' : path === MESSAGES_PATH ? 'POST' : undefined;
    if (allow === undefined || request.method === allow) return undefined;
    return { code: 'method-not-allowed', allow };
  }

  /** Opens the stream of a client. Returns `false` for a request of another path. */
  open(exchange: IncomingExchange): boolean {
    if (readPath(exchange.request.url) !== SSE_PATH) return false;
    const { parts } = this.#protocol;
    const { principal, header, response } = exchange;
    const refusal =
      refuseWithoutEvents(exchange.accepted) ??
      this.#protocol.refuseHeaders({ principal, header, sessionId: undefined }) ??
      this.#streams.admit(exchange);
    if (refusal !== undefined) {
      exchange.refuse(refusal);
      return true;
    }
    endExpiredStream(exchange);
    const stream = new SseStream(exchange, parts);
    this.#open.set(stream.id, stream);
    response.once('close', () => this.#close(stream));
    return true;
  }

  /** Serves a posted message. Returns `false` for a request of another path. */
  take(exchange: IncomingExchange, body: unknown): boolean {
    const { url = '' } = exchange.request;
    if (readPath(url) !== MESSAGES_PATH) return false;
    const id = new URLSearchParams(url.slice(MESSAGES_PATH.length)).get('sessionId') ?? '';
    const stream = this.#open.get(id);
    if (stream === undefined) this.#relay(exchange, id, body);
    else settle(exchange, body, this.#take(stream, exchange, body));
    return true;
  }

  /** Ends each stream after the answers that it still has to carry. */
  drain(): void {
    for (const stream of [...this.#open.values()]) {
      stream.announceStop();
      stream.end();
    }
  }

  /** Serves one message; the stream carries the answer. Returns why the message is refused, in which case nothing has started. */
  #take(stream: SseStream, sender: SseSender, body: unknown): EndpointRefusal | undefined {
    dropNullMembers(body);
    const refusal = this.#refuse(stream, sender, body);
    if (refusal !== undefined) return refusal;
    if (!isRequest(body)) {
      this.#protocol.receive(stream.session, body);
      return undefined;
    }
    if (body.method === 'initialize') return this.#initialize(stream, sender, body);
    const sink = new SseSink(stream, this.#protocol.parts.unread, body.id);
    const { principal, caller: callerKey } = sender;
    const header = this.#selectHeader(stream, sender);
    const scope = { era: 'legacy', principal, callerKey, header, sink } as const;
    this.#protocol.answer({ request: body, scope: { ...scope, session: stream.session } });
    return undefined;
  }

  #refuse(stream: SseStream, sender: SseSender, body: unknown): EndpointRefusal | undefined {
    return (
      this.#refuseSender(stream, sender) ??
      refuseBody(body) ??
      this.#protocol.refuseAnswers(
        stream.session,
        { principal: sender.principal, header: this.#selectHeader(stream, sender) },
        [body],
      ) ??
      (isRequest(body) && CALL_METHODS.has(body.method)
        ? this.#protocol.admission.refuse(sender.caller, 1)
        : undefined)
    );
  }

  /** The stream of another user does not exist for the sender, and the headers of the `GET` decide what the stream may do. */
  #refuseSender(
    { exchange, session }: SseStream,
    { principal, header }: SseSender,
  ): EndpointRefusal | undefined {
    const { sessions, service } = this.#protocol.parts;
    if (exchange.principal.key !== principal.key) return NOT_FOUND;
    // A session that was evicted has lost what it followed.
    if (session !== undefined && sessions.peek(session.id) !== session) return NOT_FOUND;
    if (session !== undefined && sessions.use(session.id) === undefined) return NOT_FOUND;
    const opened = readScopeHeaders(service, exchange.header);
    const differs = Object.entries(readScopeHeaders(service, header)).some(
      ([name, lines]) => JSON.stringify(lines) !== JSON.stringify(opened[name]),
    );
    return differs ? { code: 'stream-headers-differ' } : undefined;
  }

  /** The headers that decide what a request may do are those of the `GET`; the others, such as its trace, are its own. */
  #selectHeader({ exchange }: SseStream, { header }: SseSender): HeaderReader {
    const { scopeHeaders: names = [] } = this.#protocol.parts.service;
    return (name) => (names.includes(name) ? exchange.header(name) : header(name));
  }

  #initialize(
    stream: SseStream,
    { principal }: SseSender,
    request: JSONRPCRequest,
  ): EndpointRefusal | undefined {
    if (stream.session !== undefined) return { code: 'initialized-already' };
    const { parts, channels } = this.#protocol;
    const initialized = this.#protocol.initialize(request, principal.key);
    if (!initialized.ok) return initialized.refusal;
    const { session, settled } = initialized;
    if (session !== undefined) {
      stream.session = session;
      stream.exchange.response.once('close', channels.attach(session, stream.exchange, stream));
    }
    new SseSink(stream, parts.unread, request.id).settle(settled);
    return undefined;
  }

  #close(stream: SseStream): void {
    this.#open.delete(stream.id);
    const { parts, ends } = this.#protocol;
    const { session } = stream;
    if (session !== undefined && parts.sessions.peek(session.id) === session) {
      void ends.end(session);
    }
  }

  /** Hands a message to the process that has the stream. */
  #relay(exchange: IncomingExchange, stream: string, message: unknown): void {
    const { parts, relays } = this.#protocol;
    const { principal, caller } = exchange;
    const lost = (): void => {
      if (!exchange.response.destroyed) exchange.refuse(NOT_FOUND, readRpcId(message));
    };
    const owner = parseStreamOwner(stream);
    if (owner === undefined || owner === parts.bus.self) {
      lost();
      return;
    }
    const scope = readScopeHeaders(parts.service, exchange.header);
    const cut = relays.open(
      owner,
      'sse',
      { stream, scope, principal, caller, message },
      {
        onTaken: () => undefined,
        onEvent: () => undefined,
        onEnd: ({ message: answer }) => settle(exchange, message, parseRefusal(answer)),
        onLost: lost,
      },
    );
    exchange.response.once('close', cut);
  }
}

const readPath = (url = ''): string => url.split('?', 1)[0] ?? '';

/** Answers a `POST`: the message is served, or refused. */
const settle = (
  exchange: IncomingExchange,
  body: unknown,
  refusal: EndpointRefusal | undefined,
): void => {
  if (exchange.response.destroyed) return;
  if (refusal === undefined) answerEmpty(exchange.response, 202);
  else exchange.refuse(refusal, readRpcId(body));
};

/** The refusal that another process of this endpoint has sent; a process that ended has sent none. */
const parseRefusal = (answer: unknown): EndpointRefusal | undefined => {
  try {
    const parsed: unknown = JSON.parse(String(answer));
    return isJsonObject(parsed) ? (parsed['refusal'] as EndpointRefusal | undefined) : NOT_FOUND;
  } catch {
    return NOT_FOUND;
  }
};
