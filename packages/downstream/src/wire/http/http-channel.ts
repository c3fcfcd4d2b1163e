import {
  computeBackoffDelay,
  InFlightMap,
  isJsonObject,
  type JsonObject,
  readOwnField,
} from '@gateway/call-contract';
import {
  encodeHeader,
  EVENT_STREAM_TYPE,
  type EventStreamObserver,
  EventStreamReader,
  isEventStream,
  LAST_EVENT_HEADER,
  METHOD_HEADER,
  NAME_HEADER,
  NAME_PARAMETERS,
  REVISION_HEADER,
  SESSION_HEADER,
  type StreamEvent,
  MESSAGE_TYPES,
} from '@gateway/mcp-wire';
import { PROTOCOL_VERSION_META_KEY } from '@modelcontextprotocol/client';
import { MessageReader } from '../message-text.ts';
import type { WireObserver } from '../wire.ts';
import { type AnswerReader, ResponseTooLargeError } from './http-body.ts';
import {
  createRenewingHandler,
  type HttpAuthority,
  type HttpConnections,
  ServerExchange,
  type HttpHandler,
  type HttpHead,
} from './server-exchange.ts';
import { type HttpFailure, toSdkError } from './http-failure.ts';

/** Header names that belong to HTTP or the protocol, in lower case. Definitions and arguments must not set them. */
export const RESERVED_HEADER_NAMES: ReadonlySet<string> = new Set([
  'accept',
  'connection',
  'content-length',
  'content-type',
  'expect',
  'keep-alive',
  LAST_EVENT_HEADER,
  METHOD_HEADER,
  NAME_HEADER,
  REVISION_HEADER,
  SESSION_HEADER,
  'transfer-encoding',
  'upgrade',
]);

/** Header names and values in turn. */
export type HeaderList = readonly string[];

/** Names that arguments of a call must not set: the reserved ones, and credentials. */
const RESERVED_NAMES: ReadonlySet<string> = new Set([
  ...RESERVED_HEADER_NAMES,
  'authorization',
  'dpop',
]);
/** Default headers. Compression is off, because on short distances it costs more than it saves. */
const USUAL: Readonly<Record<string, string>> = {
  'accept-encoding': 'identity',
  'user-agent': 'gateway',
};

/** Returns the protocol version in the envelope of a 2026-07-28 message. */
export const readEnvelopeVersion = (params: JsonObject | undefined): string | undefined => {
  const version = readOwnField(params?.['_meta'], PROTOCOL_VERSION_META_KEY);
  return typeof version === 'string' ? version : undefined;
};

const listMethodHeaders = (method: string, params: JsonObject | undefined): HeaderList => {
  const name = params?.[NAME_PARAMETERS.get(method) ?? ''];
  const named = typeof name === 'string' ? [NAME_HEADER, encodeHeader(name)] : [];
  return [METHOD_HEADER, method, ...named];
};

type Authorize = () => string | undefined;

const listGivenHeaders = (
  given: Readonly<Record<string, string>>,
  authorize: Authorize | undefined,
): readonly (readonly [name: string, value: string])[] =>
  Object.entries(given)
    .map(([name, value]) => [name.toLowerCase(), value] as const)
    .filter(([name]) => authorize === undefined || name !== 'authorization');

/** Lists the headers of each request on one connection: those of the definition, of the session and revision, and of the message. */
export class HttpHeaders {
  sessionId: string | undefined;
  /** The negotiated revision; a message of 2026-07-28 has its own. */
  version: string | undefined;
  readonly #given: HeaderList;
  readonly #authorize: Authorize | undefined;
  readonly #accept: string;
  readonly #streamAccept: string;

  /** `authorize` replaces the `Authorization` header of the definition. */
  constructor(given: Readonly<Record<string, string>>, authorize?: Authorize) {
    this.#authorize = authorize;
    const lines = listGivenHeaders(given, authorize);
    const usual = Object.entries(USUAL).filter(([name]) => !lines.some(([one]) => one === name));
    const accept = lines.flatMap(([name, value]) => (name === 'accept' ? [value] : []));
    this.#accept = [...accept, MESSAGE_TYPES].join(', ');
    this.#streamAccept = [...accept, EVENT_STREAM_TYPE].join(', ');
    this.#given = [...usual, ...lines.filter(([name]) => !RESERVED_HEADER_NAMES.has(name))].flat();
  }

  isOtherSession(head: { header(name: string): string | undefined }): boolean {
    const named = head.header(SESSION_HEADER);
    return this.sessionId !== undefined && named !== undefined && named !== this.sessionId;
  }

  /** Returns the headers of a POST. A message with a protocol version in its envelope has additional headers. */
  listForMessage(
    method: string | undefined,
    params: JsonObject | undefined,
    extra: Readonly<Record<string, string>> = {},
  ): HeaderList {
    const isHandshake = method === 'initialize';
    const version = isHandshake ? undefined : readEnvelopeVersion(params);
    // Servers of 2026-07-28 alone expect the method in a header, also of a request that they refuse.
    const isDescribed = isHandshake || version !== undefined;
    return this.#addAuthorization([
      'content-type',
      'application/json',
      'accept',
      this.#accept,
      ...(isHandshake ? [] : this.#listAgreed(version ?? this.version)),
      ...this.#given,
      ...(isDescribed && method !== undefined ? listMethodHeaders(method, params) : []),
      ...Object.entries(extra)
        .filter(([name]) => !RESERVED_NAMES.has(name.toLowerCase()))
        .flat(),
    ]);
  }

  listForStream(lastEventId: string | undefined): HeaderList {
    const list = ['accept', this.#streamAccept, ...this.listBare()];
    return lastEventId === undefined ? list : [...list, LAST_EVENT_HEADER, lastEventId];
  }

  listBare(): HeaderList {
    return this.#addAuthorization([...this.#listAgreed(this.version), ...this.#given]);
  }

  #addAuthorization(list: HeaderList): HeaderList {
    const value = this.#authorize?.();
    return value === undefined ? list : [...list, 'authorization', value];
  }

  #listAgreed(version: string | undefined): HeaderList {
    const { sessionId } = this;
    return [
      ...(sessionId === undefined ? [] : [SESSION_HEADER, sessionId]),
      ...(version === undefined ? [] : [REVISION_HEADER, version]),
    ];
  }
}

export interface MessageStreamSink {
  onMessage(value: unknown): void;
  /** A text that is not JSON, or too much to parse, arrived in place of a message. */
  onUnreadable(reason: SyntaxError, text: Uint8Array): void;
  /** The connection is being reopened. */
  onError(error: Error): void;
  /** A connection was opened that does not continue a previous one. */
  onOpen?(): void;
  /** The server of a 2024-11-05 stream names where to post messages. */
  onEndpoint?(url: string): void;
  /** No more messages arrive. Not called after `close`. */
  onOver(failure: HttpFailure): void;
}

const DELAYS = { firstMs: 1_000, maxMs: 30_000 };
/** Bounds of the server's reconnection time: no request storm and no timer overflow. */
const MIN_RETRY_MS = 50;
const MAX_RETRY_MS = 3_600_000;

export const passMessages = (
  message: unknown,
  sink: Pick<MessageStreamSink, 'onMessage'>,
): void => {
  if (!Array.isArray(message)) sink.onMessage(message);
  else for (const value of message) sink.onMessage(value as unknown);
};

/** The messages of one event stream over all its connections. A connection that ends early is reopened after the last event, with backoff. */
export class MessageStream implements HttpHandler, AnswerReader, EventStreamObserver {
  readonly isStream = true;
  readonly #channel: HttpChannel;
  readonly #isLongLived: boolean;
  readonly #sink: MessageStreamSink;
  readonly #reader: MessageReader;
  #events: EventStreamReader;
  #exchange: ServerExchange | undefined;
  #timer: NodeJS.Timeout | undefined;
  #lastEventId: string | undefined;
  #retryMs: number | undefined;
  #attempt = 0;
  #isRenewed = false;
  #finished = false;
  #closed = false;

  /** @param isLongLived the stream is reopened whenever it ends, not only after an event with an id */
  constructor(channel: HttpChannel, sink: MessageStreamSink, isLongLived = false) {
    this.#channel = channel;
    this.#isLongLived = isLongLived;
    this.#sink = sink;
    this.#events = new EventStreamReader(channel.maxBytes, this);
    this.#reader = new MessageReader({
      onMessage: (value) => {
        if (!this.#closed) passMessages(value, sink);
      },
      onUnreadable: (reason, text) => {
        if (!this.#closed) sink.onUnreadable(reason, text);
      },
    });
  }

  open(): void {
    if (this.#closed) return;
    const { connections, target, headers, authority } = this.#channel;
    const parts = {
      method: 'GET',
      headers: headers.listForStream(this.#lastEventId),
      isLongLived: true,
    } as const;
    const handler = createRenewingHandler(authority, this, () => this.#reopenRenewed());
    this.#exchange = new ServerExchange(connections, target, parts, handler);
    this.#exchange.send();
  }

  /** Opens the connection at once after the first renewal of the credential, and with the backoff after further ones. */
  #reopenRenewed(): void {
    if (this.#isRenewed) {
      this.onFailure(new Error('the credential was renewed'));
      return;
    }
    this.#isRenewed = true;
    this.open();
  }

  /** The expected message arrived: the end of the stream is complete. */
  finish(): void {
    this.#finished = true;
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#exchange?.abort();
  }

  onHead(head: HttpHead): AnswerReader | undefined {
    const contentType = head.header('content-type');
    if (head.status === 200 && isEventStream(contentType)) {
      this.#events = new EventStreamReader(this.#channel.maxBytes, this);
      if (this.#lastEventId === undefined) this.#sink.onOpen?.();
      return this;
    }
    const { status, redirect } = head;
    if (status >= 500 || status === 429)
      this.#openAgain({ kind: 'status', status, text: '', redirect: undefined });
    else if (status >= 200 && status < 300) this.#over({ kind: 'content-type', contentType });
    else this.#over({ kind: 'status', status, text: '', redirect });
    return undefined;
  }

  onFailure(error: Error): void {
    this.#reader.runAfterMessages(() => this.#openAgain({ kind: 'broken', error }));
  }

  push(chunk: Buffer): boolean {
    if (this.#closed) return false;
    if (this.#events.push(chunk)) return true;
    // An event that is too large would be too large again.
    const { message } = new ResponseTooLargeError(this.#channel.maxBytes);
    this.#over({ kind: 'broken', error: new Error(message) });
    return false;
  }

  end(): void {
    this.#reader.runAfterMessages(() => this.#openAgain({ kind: 'incomplete' }));
  }

  onId(id: string): void {
    this.#lastEventId = id === '' ? undefined : id;
  }

  onRetry(ms: number): void {
    this.#retryMs = Math.min(Math.max(ms, MIN_RETRY_MS), MAX_RETRY_MS);
  }

  onEvent({ type, data }: StreamEvent): void {
    this.#attempt = 0;
    if (type === 'endpoint' && !this.#closed) this.#sink.onEndpoint?.(data.toString('utf8'));
    if (this.#closed || data.length === 0 || (type !== '' && type !== 'message')) return;
    this.#reader.push(data);
  }

  #openAgain(failure: HttpFailure): void {
    if (this.#closed) return;
    if (this.#finished || !(this.#isLongLived || this.#lastEventId !== undefined)) {
      this.#over(failure);
      return;
    }
    if (failure.kind !== 'incomplete') this.#sink.onError(toSdkError(failure));
    const delay = this.#retryMs ?? computeBackoffDelay(this.#attempt, DELAYS);
    this.#attempt += 1;
    this.#timer = setTimeout(() => this.open(), delay);
    this.#timer.unref();
  }

  #over(failure: HttpFailure): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#sink.onOver(failure);
  }
}

export interface HttpWireOptions {
  readonly url: URL;
  /** Headers of the server's definition, sent with every request. @spec §2.6 headers */
  readonly headers: Readonly<Record<string, string>>;
  readonly maxBytes: number;
  readonly connections: HttpConnections;
  readonly authority?: HttpAuthority | undefined;
}

/** The state of an HTTP connection of any transport. Its event stream and its posts end with it. */
export class HttpChannel {
  /** Where messages are posted. */
  target: URL;
  readonly connections: HttpConnections;
  readonly headers: HttpHeaders;
  readonly authority: HttpAuthority | undefined;
  readonly maxBytes: number;
  readonly open = new InFlightMap<number, { abort(): void }>();
  observer: WireObserver | undefined;
  eventStream: MessageStream | undefined;
  isClosed = false;

  constructor({ url, headers, maxBytes, connections, authority }: HttpWireOptions) {
    this.target = url;
    this.connections = connections;
    this.headers = new HttpHeaders(headers, authority && (() => authority.authorization()));
    this.authority = authority;
    this.maxBytes = maxBytes;
  }

  setProtocolVersion(version: string): void {
    this.headers.version = version;
  }

  /** Opens the stream on which the server sends messages that belong to no request. */
  openEvents(
    sink: Pick<MessageStreamSink, 'onOpen' | 'onEndpoint' | 'onOver'>,
    isLongLived: boolean,
  ): MessageStream {
    this.eventStream = new MessageStream(
      this,
      {
        ...sink,
        onMessage: (value) => {
          if (isJsonObject(value)) this.observer?.onMessage(value);
        },
        onUnreadable: (reason, text) => this.onUnreadable(reason, text),
        onError: (error) => this.observer?.onError(error),
      },
      isLongLived,
    );
    return this.eventStream;
  }

  onUnreadable(reason: SyntaxError, text: Uint8Array): void {
    this.observer?.onError(reason);
    this.observer?.onUnreadable(reason, text);
  }

  close(): Promise<void> {
    if (this.isClosed) return Promise.resolve();
    this.isClosed = true;
    this.eventStream?.close();
    for (const posted of this.open.values()) posted.abort();
    this.open.clear();
    this.observer?.onClosed();
    return Promise.resolve();
  }
}
