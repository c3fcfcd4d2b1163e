import { LIST_CHANGED } from '@gateway/mcp-wire';
import { type ClientAnswer, isJsonObject, type JsonObject, RPC_CODE } from '@gateway/call-contract';
import {
  type JSONRPCMessage,
  LATEST_PROTOCOL_VERSION,
  type Transport,
  type TransportSendOptions,
} from '@modelcontextprotocol/client';
import {
  findUnreadableId,
  formatUnreadable,
  parseAnswerId,
  toSdkMessage,
  withParsedResult,
} from '../wire/message-text.ts';
import { formatReason, formatSafeLine } from '../wire/reason.ts';
import { createFailure, type RequestOutcome } from '../wire/request-outcome.ts';
import type { Wire, WireObserver } from '../wire/wire.ts';
import type { ServerMessage } from './input-rounds.ts';
import {
  type ClientFeatures,
  applyClientFeatures,
  createModernEnvelope,
  isOwnId,
  type OutgoingObserver,
  type OutgoingRequest,
  OutgoingRequests,
  type RequestWatcher,
  type RunningRequest,
} from './outgoing-requests.ts';

const LIST_CHANGES: ReadonlySet<string> = new Set(Object.values(LIST_CHANGED));

export interface IncomingContext {
  /** The message arrived on the stream of one of the gateway's requests, even if that request has ended. */
  readonly ownStream: boolean;
  /** That request while it is pending; the message belongs to it. */
  readonly owner: RunningRequest | undefined;
  readonly running: () => Iterable<RunningRequest>;
}

export interface IncomingRequestContext extends IncomingContext {
  readonly requestId: string | number;
}

export interface IncomingHandler extends RequestWatcher {
  /** Answers a request; resolves with `undefined` when the server cancelled it. Must not reject. */
  onRequest(
    message: ServerMessage,
    context: IncomingRequestContext,
  ): Promise<ClientAnswer | undefined>;
  /** Handles a notification; returns `false` to leave it to the SDK's client. */
  onNotification(message: ServerMessage, context: IncomingContext): boolean;
}

const isProgress = (
  value: JsonObject,
): value is JsonObject & { readonly progress: number; readonly total?: number } =>
  typeof value['progress'] === 'number';

const takeProgress = ({ params }: JsonObject, outgoing: OutgoingRequests): boolean => {
  if (!isJsonObject(params)) return false;
  const { progressToken, ...progress } = params;
  const id = parseAnswerId(progressToken);
  if (!isOwnId(id)) return false;
  const running = outgoing.running.get(id);
  if (running !== undefined) running.isBegun = true;
  if (isProgress(progress)) running?.onProgress(progress);
  return true;
};

const MAX_ID_CHARS = 40;

export interface TransportObserver extends OutgoingObserver {
  readonly onListChanged: () => void;
  readonly onError: (error: Error) => void;
  /** Called once, however the transport ended. */
  readonly onClosed: () => void;
  readonly closeReason: () => string;
  readonly incoming: IncomingHandler;
}

/** The id of the additional `initialize`. The ids of the SDK and of the gateway are numbers. */
const FALLBACK_ID = 'gateway-initialize';

interface ProbeFallbackOptions {
  readonly clientInfo: { readonly name: string; readonly version: string };
  readonly afterMs: number;
  readonly send: (message: JSONRPCMessage) => Promise<void>;
  readonly deliver: (message: JsonObject) => void;
}

type Id = string | number;

const parseId = ({ id }: JsonObject): Id | undefined =>
  typeof id === 'string' || typeof id === 'number' ? id : undefined;

/** Sends `initialize` too when the era probe is not answered for some time, and waits for both answers: the first successful one decides the era. */
class ProbeFallback {
  readonly #options: ProbeFallbackOptions;
  #timer: NodeJS.Timeout | undefined;
  #probeId: Id | undefined;
  /** The id of the `initialize` of the SDK's client, while it waits for the answer to the additional one. */
  #initializeId: Id | undefined;
  #isSent = false;
  #answer: JsonObject | undefined;

  constructor(options: ProbeFallbackOptions) {
    this.#options = options;
  }

  /** The words with which the server refused the additional `initialize`, while the probe is not answered. */
  get refusal(): string | undefined {
    const error = this.#probeId === undefined ? undefined : this.#answer?.['error'];
    return isJsonObject(error) && typeof error['message'] === 'string'
      ? error['message']
      : undefined;
  }

  /** Takes a message of the SDK's client. Returns `true` when it must not be sent. */
  takeOutgoing(message: JsonObject): boolean {
    const id = parseId(message);
    if (id === undefined) return false;
    // A further request shows that the probe is over, however it failed: over HTTP it may have no answer.
    clearTimeout(this.#timer);
    if (message['method'] === 'server/discover') this.#awaitProbe(id);
    if (message['method'] !== 'initialize' || !this.#isSent) return false;
    this.#initializeId = id;
    queueMicrotask(() => this.#deliverAnswer());
    return true;
  }

  /** Takes a message of the server. Returns `true` when the SDK's client must not receive it. */
  takeIncoming(message: JsonObject): boolean {
    if (typeof message['method'] === 'string') return false;
    const id = parseId(message);
    if (id !== undefined && id === this.#probeId) {
      this.#probeId = undefined;
      clearTimeout(this.#timer);
      return false;
    }
    if (id !== FALLBACK_ID) return false;
    this.#answer = message;
    this.#decide();
    return true;
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  #awaitProbe(id: Id): void {
    this.#probeId = id;
    if (this.#isSent) return;
    this.#timer = setTimeout(() => this.#initialize(), this.#options.afterMs);
    this.#timer.unref();
  }

  #initialize(): void {
    this.#isSent = true;
    const { clientInfo, send } = this.#options;
    send({
      jsonrpc: '2.0',
      id: FALLBACK_ID,
      method: 'initialize',
      params: {
        protocolVersion: LATEST_PROTOCOL_VERSION,
        capabilities: {},
        clientInfo: { ...clientInfo },
      },
    }).catch((error: unknown) => this.#recordFailure(formatReason(error)));
  }

  /** The server did not accept the message. A probe that is pending may still be answered. */
  #recordFailure(reason: string): void {
    this.#answer = { jsonrpc: '2.0', error: { code: RPC_CODE.internal, message: reason } };
    this.#decide();
  }

  /** An accepted `initialize` answers a pending probe: the server is not one of 2026-07-28. */
  #decide(): void {
    const probeId = this.#probeId;
    if (probeId === undefined) this.#deliverAnswer();
    else if (Object.hasOwn(this.#answer ?? {}, 'result')) {
      this.#probeId = undefined;
      const error = { code: RPC_CODE.methodNotFound, message: 'Method not found' };
      this.#options.deliver({ jsonrpc: '2.0', id: probeId, error });
    }
  }

  #deliverAnswer(): void {
    const id = this.#initializeId;
    if (id === undefined || this.#answer === undefined) return;
    this.#initializeId = undefined;
    this.#options.deliver({ ...this.#answer, id });
  }
}

/** Maximum number of requests of the SDK's client whose methods are known. */
const MAX_SDK_REQUESTS = 1_000;

/** Maximum number of answers to requests of one server that are being sent. */
const MAX_UNSENT_ANSWERS = 64;

/** The SDK negotiates over this transport, and the gateway then sends its own requests on it, whose results the SDK's schemas do not change. */
export class InterceptingTransport implements Transport, WireObserver {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: NonNullable<Transport['onmessage']>;
  readonly hasPerRequestStream: boolean;
  readonly #wire: Wire;
  readonly #observer: TransportObserver;
  readonly #outgoing: OutgoingRequests;
  #features: ClientFeatures = {};
  #envelope: JsonObject | undefined;
  #fallback: ProbeFallback | undefined;
  #closed = false;
  #receivedCount = 0;
  #unsentAnswers = 0;
  #endReason: string | undefined;
  /** The methods of the requests of the SDK's client, by id. */
  readonly #sdkRequests = new Map<unknown, string>();

  constructor(wire: Wire, observer: TransportObserver) {
    this.#wire = wire;
    this.#observer = observer;
    this.hasPerRequestStream = wire.hasPerRequestStream;
    this.#outgoing = new OutgoingRequests(wire, () => this.#envelope, observer);
  }

  /** Why the connection ended, if this side ended it because of the server. */
  get endReason(): string | undefined {
    return this.#endReason;
  }

  /** Returns whether the era probe was sent and no other handshake. */
  get endsAtProbe(): boolean {
    const methods = [...this.#sdkRequests.values()];
    return methods.includes('server/discover') && !methods.includes('initialize');
  }

  /** The words with which a server that does not answer the era probe refused `initialize`. */
  get fallbackRefusal(): string | undefined {
    return this.#fallback?.refusal;
  }

  /** The server knows this connection by a session that it can forget. */
  get hasSession(): boolean {
    return this.#wire.hasSession;
  }

  get isModern(): boolean {
    return this.#envelope !== undefined;
  }

  get receivedCount(): number {
    return this.#receivedCount;
  }

  /** The longest time that one of the running requests has, in milliseconds; 0 without any. */
  get longestMs(): number {
    const times = this.#outgoing.running
      .values()
      .map(({ request }) => request.maxTimeoutMs ?? request.timeoutMs);
    return Math.max(0, ...times);
  }

  get failedInARow(): number {
    return this.#outgoing.failedInARow;
  }

  useModernEnvelope(version: string, client: { name: string; version: string }): void {
    this.#envelope = createModernEnvelope(version, client);
  }

  setProtocolVersion(version: string): void {
    this.#wire.setProtocolVersion(version);
  }

  start(): Promise<void> {
    return this.#wire.start(this);
  }

  declare(features: ClientFeatures): void {
    this.#features = features;
  }

  /** Sends `initialize` too when the server does not answer the era probe within this time, in milliseconds. */
  fallBackAfter(afterMs: number, clientInfo: { name: string; version: string }): void {
    this.#fallback = new ProbeFallback({
      clientInfo,
      afterMs,
      send: (message) => this.#wire.send(applyClientFeatures(message, this.#features)),
      deliver: (message) => this.#deliver(message),
    });
  }

  send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    this.#note({ ...message });
    if (this.#fallback?.takeOutgoing({ ...message }) === true) return Promise.resolve();
    return this.#wire.send(applyClientFeatures(message, this.#features), options);
  }

  async close(): Promise<void> {
    await this.#wire.close();
    this.onClosed();
  }

  /** Sends one request. Never rejects, never sends it twice, and settles by its deadline. */
  request(request: OutgoingRequest): Promise<RequestOutcome> {
    if (!this.#closed) return this.#outgoing.request(request);
    const reason = this.#closeReason();
    return Promise.resolve(createFailure({ kind: 'lost', reason }));
  }

  onMessage(message: JsonObject, owner?: number): void {
    this.#receivedCount += 1;
    try {
      if (this.#fallback?.takeIncoming(message) === true) return;
      if (this.#take(message, owner)) return;
      this.#deliver(message);
    } catch (error) {
      // A message that is nested too deeply to serialize must not end the process.
      this.#observer.onError(error instanceof Error ? error : new Error(String(error)));
    }
  }

  /** Ends the request that the text answers, as far as its id can be read. */
  onUnreadable(reason: SyntaxError, text: Uint8Array): void {
    const id = findUnreadableId(text);
    if (id !== undefined)
      this.#outgoing.running
        .get(id)
        ?.settle(createFailure({ kind: 'invalid', reason: formatUnreadable(reason) }));
  }

  onError(error: Error): void {
    this.#observer.onError(error);
    this.onerror?.(error);
  }

  onGap(): void {
    this.#observer.onListChanged();
  }

  onClosed(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#fallback?.close();
    this.#outgoing.end(this.#closeReason());
    this.onclose?.();
    this.#observer.onClosed();
  }

  /** Takes one message of the server. Returns `false` to leave it to the SDK's client. */
  #take(message: JsonObject, ownerId: number | undefined): boolean {
    const { method } = message;
    if (typeof method !== 'string') return this.#takeAnswer(message, ownerId);
    if (method === 'notifications/progress' && takeProgress(message, this.#outgoing)) return true;
    if (LIST_CHANGES.has(method)) this.#observer.onListChanged();
    return this.#takeOther(message, method, ownerId);
  }

  /** Takes an answer. One with an id that no request had ends the request on whose stream it arrived, or else the connection. */
  #takeAnswer(message: JsonObject, ownerId: number | undefined): boolean {
    const outgoing = this.#outgoing;
    const id = parseAnswerId(message['id']);
    const isMisplaced = ownerId !== undefined && id !== ownerId;
    if (this.#sdkRequests.has(id)) return isMisplaced;
    const isKnown = isMisplaced ? outgoing.isOwn(id) : isOwnId(id) && outgoing.answer(id, message);
    // A server that could not parse a request answers without an id.
    if (isKnown || id === null || id === undefined) return true;
    const shown = formatSafeLine(JSON.stringify(id)).slice(0, MAX_ID_CHARS);
    const reason = `the server answered a request that was not sent (id ${shown})`;
    if (ownerId === undefined) this.#endFor(reason);
    else outgoing.distrust(ownerId, reason);
    return true;
  }

  #takeOther({ id, params }: JsonObject, method: string, ownerId: number | undefined): boolean {
    const { running } = this.#outgoing;
    const owner = ownerId === undefined ? undefined : running.get(ownerId);
    if (owner !== undefined) owner.isBegun = true;
    const said: ServerMessage = { method, params: isJsonObject(params) ? params : {} };
    const context: IncomingContext = {
      ownStream: ownerId !== undefined,
      owner,
      running: () => running.values(),
    };
    const handler = this.#observer.incoming;
    if (typeof id !== 'string' && typeof id !== 'number')
      return handler.onNotification(said, context);
    void handler.onRequest(said, { ...context, requestId: id }).then((answer) => {
      if (answer !== undefined) this.#answer(id, answer);
    });
    return true;
  }

  #closeReason(): string {
    return this.#endReason ?? this.#observer.closeReason();
  }

  #note({ id, method }: JsonObject): void {
    if (id === undefined || typeof method !== 'string') return;
    this.#sdkRequests.set(id, method);
    if (this.#sdkRequests.size <= MAX_SDK_REQUESTS) return;
    const [oldest] = this.#sdkRequests.keys();
    this.#sdkRequests.delete(oldest);
  }

  /** Passes a message to the SDK's client, which validates it strictly. */
  #deliver(message: JsonObject): void {
    const method = this.#sdkRequests.get(parseAnswerId(message['id']));
    const parsed = withParsedResult(message);
    this.onmessage?.(toSdkMessage(parsed, method) as unknown as JSONRPCMessage);
  }

  #endFor(reason: string): void {
    if (this.#closed) return;
    this.#endReason = reason;
    this.#observer.onError(new Error(reason));
    void this.close();
  }

  /** A server that sends requests faster than it takes the answers does not get all of them. */
  #answer(id: string | number, answer: ClientAnswer): void {
    if (this.#unsentAnswers >= MAX_UNSENT_ANSWERS) return;
    const message: JSONRPCMessage = answer.ok
      ? // The same object: it keeps the text of the client.
        { jsonrpc: '2.0', id, result: answer.result }
      : { jsonrpc: '2.0', id, error: { ...answer.error } };
    this.#unsentAnswers += 1;
    void this.#sendReportingErrors(message).then(() => (this.#unsentAnswers -= 1));
  }

  #sendReportingErrors(message: JSONRPCMessage): Promise<void> {
    return this.#wire.send(message).catch((error: unknown) => {
      this.#observer.onError(error instanceof Error ? error : new Error(String(error)));
    });
  }
}

/** An intercepting transport for stdio. The SDK recognizes stdio by these two properties. */
export class StdioInterceptingTransport extends InterceptingTransport {
  readonly stderr = null;
  readonly pid = null;
}
