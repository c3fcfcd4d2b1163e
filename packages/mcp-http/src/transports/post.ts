import { type Principal, RPC_CODE, type RpcError } from '@gateway/call-contract';
import {
  countBytes,
  formatErrorMessage,
  joinText,
  type LongText,
  readRpcId,
  REVISION_HEADER,
  type RpcId,
  SESSION_HEADER,
  LISTEN_METHOD,
  type Era,
  CALL_METHODS,
} from '@gateway/mcp-wire';
import {
  classifyInboundRequest,
  type JSONRPCNotification,
  type JSONRPCRequest,
} from '@modelcontextprotocol/server';
import type { RequestRate } from '../calls/admission.ts';
import type { ServiceProtocol } from '../calls/service-protocol.ts';
import {
  dropNullMembers,
  isPlainLegacyBody,
  isPlainLegacyNotification,
  isRequest,
  isLegacyRevision,
  LEGACY_REVISIONS,
} from '../protocol/client-message.ts';
import {
  ASSUMED_REVISION,
  BATCH_REVISIONS,
  type ResponseSink,
  type SettledResponse,
} from '../protocol/results.ts';
import {
  isPlainModernRequest,
  type ModernRoute,
  readMirroredHeaders,
  refuseModernRequest,
} from '../protocol/modern-message.ts';
import { type InsufficientScope, type EndpointRefusal, toRpcError } from '../protocol/refusal.ts';
import { type HeaderReader, joinValues } from '../protocol/client-message.ts';
import type { Session, SessionScope } from '../sessions/session-store.ts';
import type { ResumableStream } from '../sessions/session-streams.ts';
import { EventStream, type StreamLimits, endExpiredStream } from '../wire/event-stream.ts';
import {
  answerEmpty,
  answerJson,
  closeWhenUnread,
  estimateSize,
  type IncomingExchange,
  addCloseListener,
  type UnreadAnswers,
} from '../wire/incoming-exchange.ts';

const createAnswersFullRefusal = ({ limit }: UnreadAnswers): EndpointRefusal => ({
  code: 'answers-full',
  limit,
});

/** Returns the message as text, or an error message when the limit of unread answers is reached. */
export const admitMessage = (
  message: LongText,
  id: RpcId | null,
  exchange: IncomingExchange,
  unread: UnreadAnswers,
): string => {
  if (unread.admits(estimateSize(message))) return joinText(message);
  const refusal = createAnswersFullRefusal(unread);
  exchange.recordRefusal(refusal);
  return formatErrorMessage(id, toRpcError(refusal));
};

/**
 * The answer to a `POST`: a JSON body, or an event stream if a message precedes the response. Writes nothing after the end of
 * the answer or after the caller has disconnected.
 */
class PostResponse implements ResponseSink, SessionScope {
  /** Set before the request is answered. */
  era: Era = 'legacy';
  readonly principal: Principal;
  readonly session: Session | undefined;
  readonly #exchange: IncomingExchange;
  readonly #protocol: ServiceProtocol;
  /** Id of the request; `null` for a batch. */
  readonly #id: RpcId | null;
  readonly #batchSize: number | undefined;
  readonly #request: JSONRPCRequest | undefined;
  /** Messages buffered until a JSON answer ends or a stream starts. */
  #settled: LongText[] | undefined;
  #pending: number;
  #status = 200;
  #stream: EventStream | ResumableStream | undefined;
  #isResumable = false;
  #onAbandoned: (() => void) | undefined;

  /** @param requests the request, or the requests of a batch, whose answer is an array */
  constructor(
    exchange: IncomingExchange,
    protocol: ServiceProtocol,
    session: Session | undefined,
    requests: JSONRPCRequest | readonly JSONRPCRequest[],
  ) {
    this.principal = exchange.principal;
    this.session = session;
    this.#exchange = exchange;
    this.#protocol = protocol;
    if (isBatch(requests)) {
      this.#id = null;
      this.#batchSize = requests.length;
      this.#request = requests.length === 1 ? requests[0] : undefined;
    } else {
      this.#id = requests.id;
      this.#request = requests;
    }
    this.#pending = this.#batchSize ?? 1;
  }

  get sink(): ResponseSink {
    return this;
  }

  get callerKey(): string {
    return this.#exchange.caller;
  }

  get header(): HeaderReader {
    return this.#exchange.header;
  }

  get canStream(): boolean {
    const { accepted, response } = this.#exchange;
    return accepted.events && this.#pending > 0 && (this.#isResumable || !response.destroyed);
  }

  notify(message: string): void {
    if (this.canStream) this.#openStream().notify(message);
  }

  send(message: string): boolean {
    if (!this.canStream || !this.#protocol.parts.unread.admits(estimateSize(message))) return false;
    this.#openStream().write(message);
    return true;
  }

  keepAlive(): void {
    if (this.canStream) this.#openStream();
  }

  settle({ message, status, refusal }: SettledResponse): void {
    if (this.#pending === 0) return;
    this.#pending -= 1;
    if (refusal !== undefined && this.#refuse(refusal)) return;
    this.#status = status;
    if (message !== undefined) {
      if (this.#stream === undefined) (this.#settled ??= []).push(message);
      else this.#stream.write(this.#admit(message));
    }
    if (this.#pending === 0) this.#finish();
  }

  onDisconnect(listener: () => void): () => void {
    this.#onAbandoned = listener;
    // A pipelined response has no socket of its own before its turn, but its request has.
    return addCloseListener(this.#exchange.request.socket, () => {
      if (!this.#isResumable) listener();
    });
  }

  /** Answers with a refusal. Returns `false` for a request of a batch and after the stream has started, when no status can be sent. */
  #refuse(refusal: InsufficientScope): boolean {
    if (this.#batchSize !== undefined || this.#stream !== undefined) {
      this.#exchange.recordRefusal(refusal);
      return false;
    }
    this.#exchange.refuse(refusal, this.#id);
    return true;
  }

  #openStream(): EventStream | ResumableStream {
    if (this.#stream === undefined) {
      this.#stream = this.#createStream();
      for (const message of this.#settled?.splice(0) ?? []) {
        this.#stream.write(this.#admit(message));
      }
    }
    return this.#stream;
  }

  #createStream(): EventStream | ResumableStream {
    const { response, header } = this.#exchange;
    const reader = new EventStream(response, this.#protocol.parts);
    // A settled exchange has nothing to resume.
    const session = this.#pending > 0 ? this.session : undefined;
    const request = this.#request;
    if (session === undefined || request === undefined) return reader;
    const onAbandoned = (): void => this.#onAbandoned?.();
    const { channels } = this.#protocol;
    const stream = channels.startResumable(session, header, { request, onAbandoned });
    if (stream === undefined) return reader;
    this.#isResumable = true;
    stream.open(reader);
    response.once('close', () => stream.lose(reader));
    return stream;
  }

  #finish(): void {
    const { response } = this.#exchange;
    if (this.#isResumable) this.#stream?.end();
    if (response.destroyed) return;
    if (this.#stream === undefined && this.#acceptsJson()) this.#finishAsJson();
    else if (!this.#isResumable) this.#openStream().end();
  }

  #admit(message: LongText): string {
    return admitMessage(message, this.#id, this.#exchange, this.#protocol.parts.unread);
  }

  /** Returns whether the answer is JSON. An exchange without messages is an empty stream if the caller accepts streams. */
  #acceptsJson(): boolean {
    const { accepted } = this.#exchange;
    return accepted.json && !(accepted.events && this.#settled === undefined);
  }

  #finishAsJson(): void {
    // A caller that accepts only JSON needs a message to see that its request has ended.
    const messages = this.#settled ?? [CANCELLED_MESSAGE];
    const isArray = this.#batchSize !== undefined;
    const body = isArray ? this.#formatBatch(messages) : (messages[0] ?? '');
    const { response } = this.#exchange;
    const { unread, limits } = this.#protocol.parts;
    const size = countBytes(body ?? '');
    if (body !== undefined && unread.admits(size)) {
      const content =
        typeof body === 'string' && !unread.admitsText(size) ? [Buffer.from(body)] : body;
      answerJson(response, isArray ? 200 : this.#status, content, size);
    } else this.#exchange.refuse(createAnswersFullRefusal(unread), this.#id);
    if (response.writableLength === 0) return;
    unread.follow(response);
    closeWhenUnread(response, limits.writeTimeoutMs);
  }

  /** Returns the answer to a batch; `undefined` if it exceeds the limit of unread answers. */
  #formatBatch(messages: readonly LongText[]): string | undefined {
    const bytes = messages.reduce((sum, message) => sum + estimateSize(message), 0);
    if (!this.#protocol.parts.unread.admits(bytes)) return undefined;
    return `[${messages.map(joinText).join(',')}]`;
  }
}

// `Array.isArray` does not narrow a list that is read-only.
const isBatch = (
  requests: JSONRPCRequest | readonly JSONRPCRequest[],
): requests is readonly JSONRPCRequest[] => Array.isArray(requests);

const CANCELLED_MESSAGE = formatErrorMessage(null, {
  code: RPC_CODE.transport,
  message: 'Request cancelled',
});

/** Returns the refusal of an unsupported revision; `undefined` for a supported or missing revision. */
const refuseLegacyRevision = ({ known }: IncomingExchange): EndpointRefusal | undefined => {
  const revision = joinValues(known.protocolVersion);
  return revision === undefined || LEGACY_REVISIONS.includes(revision)
    ? undefined
    : { code: 'unsupported-revision', supported: LEGACY_REVISIONS };
};

/** Creates a refusal from a JSON-RPC error. */
export const createProtocolError = (
  status: number,
  { code, message, data }: RpcError,
): Extract<EndpointRefusal, { code: 'protocol-error' }> => ({
  code: 'protocol-error',
  status,
  error: { code, message, ...(data !== undefined && { data }) },
});

/** Routes the parsed body of a `POST`. */
export class PostRouter {
  readonly #protocol: ServiceProtocol;
  readonly #streams: StreamLimits;
  readonly #requestRate: RequestRate;

  constructor(protocol: ServiceProtocol, streams: StreamLimits, requestRate: RequestRate) {
    this.#protocol = protocol;
    this.#streams = streams;
    this.#requestRate = requestRate;
  }

  route(exchange: IncomingExchange, body: unknown): void {
    if (exchange.response.destroyed) return;
    dropNullMembers(body);
    const { known } = exchange;
    if (isLegacyRevision(known.protocolVersion)) {
      if (isPlainLegacyBody(body)) this.#routePlainLegacy(exchange, body);
      else if (isPlainLegacyNotification(body)) this.#receiveNotification(exchange, body);
      else this.#routeUnusual(exchange, body);
    } else if (isPlainModernRequest(body, known)) {
      this.#serveOne(exchange, 'modern', undefined, body);
    } else this.#routeUnusual(exchange, body);
  }

  #routePlainLegacy(exchange: IncomingExchange, request: JSONRPCRequest): void {
    if (request.method === 'initialize') {
      this.#initialize(exchange, request);
      return;
    }
    const found = this.#protocol.parts.sessions.find(exchange.principal, exchange.known.sessionId);
    if (found.ok) this.#serveOne(exchange, 'legacy', found.session, request);
    else exchange.refuse(found.refusal, request.id);
  }

  #receiveNotification(exchange: IncomingExchange, notification: JSONRPCNotification): void {
    const found = this.#protocol.parts.sessions.find(exchange.principal, exchange.known.sessionId);
    if (!found.ok) {
      exchange.refuse(found.refusal);
      return;
    }
    this.#protocol.receive(found.session, notification);
    answerEmpty(exchange.response, 202);
  }

  /** Routes messages that are not plain requests of either era, as the SDK classifies them. */
  #routeUnusual(exchange: IncomingExchange, body: unknown): void {
    const headers = readMirroredHeaders(exchange.header);
    const route = classifyInboundRequest({ httpMethod: 'POST', body, ...headers });
    switch (route.kind) {
      case 'reject':
        exchange.refuse(createProtocolError(route.httpStatus, route), readRpcId(body));
        return;
      case 'modern':
        this.#routeModern(exchange, route);
        return;
      case 'legacy':
        this.#routeLegacy(exchange, body);
    }
  }

  #routeModern(exchange: IncomingExchange, route: ModernRoute): void {
    const error = refuseModernRequest(route, exchange.header);
    if (error !== undefined) {
      exchange.refuse(createProtocolError(400, error), readRpcId(route.message));
    } else if (route.messageKind === 'notification') answerEmpty(exchange.response, 202);
    else {
      this.#serveOne(exchange, 'modern', undefined, route.message);
    }
  }

  #routeLegacy(exchange: IncomingExchange, body: unknown): void {
    if (isRequest(body) && body.method === 'initialize') {
      this.#initialize(exchange, body);
      return;
    }
    const found = this.#protocol.parts.sessions.find(exchange.principal, exchange.known.sessionId);
    const refusal = found.ok ? refuseLegacyRevision(exchange) : found.refusal;
    if (refusal !== undefined) exchange.refuse(refusal, readRpcId(body));
    else if (found.ok) this.#serveLegacy(exchange, found.session, body);
  }

  #serveLegacy(exchange: IncomingExchange, session: Session | undefined, body: unknown): void {
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
    exchange: IncomingExchange,
    session: Session | undefined,
    messages: readonly unknown[],
  ): EndpointRefusal | undefined {
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

  #initialize(exchange: IncomingExchange, request: JSONRPCRequest): void {
    const initialized = this.#protocol.initialize(request, exchange.principal.key);
    if (!initialized.ok) {
      exchange.refuse(initialized.refusal, request.id);
      return;
    }
    const { session, settled } = initialized;
    if (session !== undefined) exchange.response.setHeader(SESSION_HEADER, session.id);
    new PostResponse(exchange, this.#protocol, session, request).settle(settled);
  }

  #serveOne(
    exchange: IncomingExchange,
    era: Era,
    session: Session | undefined,
    request: JSONRPCRequest,
  ): void {
    const refusal = this.#refuseRequest(exchange, era, request);
    if (refusal !== undefined) {
      exchange.refuse(refusal, request.id);
      return;
    }
    const scope = new PostResponse(exchange, this.#protocol, session, request);
    scope.era = era;
    this.#protocol.answer({ request, scope });
  }

  #refuseRequest(
    exchange: IncomingExchange,
    era: Era,
    request: JSONRPCRequest,
  ): EndpointRefusal | undefined {
    const { method, params } = request;
    if (CALL_METHODS.has(method)) {
      const { admission } = this.#protocol;
      // A retry continues an admitted call of the caller, so only the process-wide limit applies.
      const isRetry = params !== undefined && Object.hasOwn(params, 'requestState');
      return isRetry ? admission.refuseAny(1) : admission.refuse(exchange.caller, 1);
    }
    if (era !== 'modern' || method !== LISTEN_METHOD || !exchange.accepted.events) return undefined;
    endExpiredStream(exchange);
    return this.#streams.admit(exchange);
  }

  #serveBatch(
    exchange: IncomingExchange,
    session: Session | undefined,
    requests: readonly JSONRPCRequest[],
  ): void {
    const calls = requests.filter(({ method }) => CALL_METHODS.has(method)).length;
    const refusal =
      calls === 0 ? undefined : this.#protocol.admission.refuse(exchange.caller, calls);
    if (refusal !== undefined) {
      exchange.refuse(refusal);
      return;
    }
    const scope = new PostResponse(exchange, this.#protocol, session, requests);
    for (const request of requests) this.#protocol.answer({ request, scope });
  }
}
