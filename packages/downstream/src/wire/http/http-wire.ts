import { isJsonObject, type JsonObject } from '@gateway/call-contract';
import {
  ByteCollector,
  formatObject,
  isEventStream,
  parseJson,
  SESSION_HEADER,
  LISTEN_METHOD,
} from '@gateway/mcp-wire';
import type { JSONRPCMessage, TransportSendOptions } from '@modelcontextprotocol/client';
import { isMessage, MessageReader, parseAnswerId } from '../message-text.ts';
import type { Wire, WireExchange, WireObserver, WireRequest, WireSink } from '../wire.ts';
import { type AnswerReader, ResponseTooLargeError } from './http-body.ts';
import { HttpChannel, MessageStream, passMessages, readEnvelopeVersion } from './http-channel.ts';
import {
  createRenewingHandler,
  ServerExchange,
  type HttpHandler,
  type HttpHead,
  type HttpParts,
} from './server-exchange.ts';
import { type HttpFailure, toRequestFailure, toSdkError } from './http-failure.ts';

const BOM = Buffer.from('\ufeff');
const EMPTY = Buffer.alloc(0);

/** Collects a body within a bound and delivers it at the end, without a byte order mark. */
export class WholeBody implements AnswerReader {
  readonly #maxBytes: number;
  readonly #length: number | undefined;
  readonly #onBody: (bytes: Buffer) => void;
  readonly #onTooLarge: (error: Error) => void;
  #chunks: ByteCollector | undefined;
  #bytes = 0;
  #whole: Buffer | undefined;

  /** @param length number of bytes of the whole body; `undefined` when it is not known */
  constructor(
    maxBytes: number,
    length: number | undefined,
    onBody: (bytes: Buffer) => void,
    onTooLarge: (error: Error) => void,
  ) {
    this.#maxBytes = maxBytes;
    this.#length = length;
    this.#onBody = onBody;
    this.#onTooLarge = onTooLarge;
  }

  push(chunk: Buffer): boolean {
    const length = this.#length;
    this.#bytes += chunk.length;
    if (Math.max(this.#bytes, length ?? 0) > this.#maxBytes) {
      this.#chunks?.clear();
      this.#onTooLarge(new ResponseTooLargeError(this.#maxBytes));
      return false;
    }
    if (length === undefined) (this.#chunks ??= new ByteCollector()).push(chunk);
    else if (chunk.length === length) this.#whole = chunk;
    else {
      // The memory of what has not arrived is reserved and not used.
      this.#whole ??= Buffer.allocUnsafeSlow(length);
      chunk.copy(this.#whole, this.#bytes - chunk.length);
    }
    return true;
  }

  end(): void {
    const whole = this.#whole ?? this.#chunks?.take() ?? EMPTY;
    const hasMark = whole.subarray(0, BOM.length).equals(BOM);
    this.#onBody(hasMark ? whole.subarray(BOM.length) : whole);
  }
}

const isJson = (contentType: string | undefined): boolean =>
  contentType === 'application/json' ||
  contentType?.split(';', 1)[0]?.trim().toLowerCase() === 'application/json';

const MAX_UNKNOWN_TYPE_BYTES = 64 * 1024;

/** The maximum length of a body excerpt that is searched for a reason, in bytes. */
const MAX_EXCERPT_BYTES = 16 * 1024;

let postCount = 0;

/** A message sent with POST, and the server's response to it. */
export abstract class HttpPost implements HttpHandler {
  protected readonly channel: HttpChannel;
  protected readonly message: JsonObject;
  readonly #number = (postCount += 1);
  readonly #headers: WireRequest['headers'];
  readonly #isRequest: boolean;
  #exchange: ServerExchange | undefined;
  #stream: MessageStream | undefined;
  /** The problem of the last event of the stream that is not JSON. */
  #unreadable: SyntaxError | undefined;
  #isFinished = false;
  #over = false;

  /** @param isRequest the message is a request, so an answer is read */
  constructor(
    channel: HttpChannel,
    message: JsonObject,
    headers: WireRequest['headers'],
    isRequest: boolean,
  ) {
    this.channel = channel;
    this.message = message;
    this.#headers = headers;
    this.#isRequest = isRequest;
  }

  /** The server accepted the message; with `isStream` the messages follow. */
  abstract onAccepted(head: HttpHead, isStream: boolean): void;
  abstract onMessage(value: unknown): void;
  abstract onError(error: Error): void;
  /** No more messages arrive. */
  abstract onOver(failure: HttpFailure): void;

  /** Sends the message, and retries once after the credential was renewed. */
  send(): void {
    this.#sendOnce(() => {
      if (!this.#over) this.#sendOnce();
    });
  }

  #sendOnce(retry?: () => void): void {
    const { connections, target, headers, authority, open } = this.channel;
    const { message } = this;
    const method = typeof message['method'] === 'string' ? message['method'] : undefined;
    const params = isJsonObject(message['params']) ? message['params'] : undefined;
    const parts: HttpParts = {
      method: 'POST',
      headers: headers.listForMessage(method, params, this.#headers),
      body: formatObject(message, 2),
      isLongLived: method === LISTEN_METHOD,
    };
    this.#exchange = new ServerExchange(
      connections,
      target,
      parts,
      createRenewingHandler(authority, this, retry),
    );
    open.set(this.#number, this);
    this.#exchange.send();
  }

  protected get isOver(): boolean {
    return this.#over;
  }

  abort(): void {
    this.#over = true;
    this.channel.open.delete(this.#number);
    this.#stream?.close();
    this.#exchange?.abort();
  }

  /** Closes the connection, which carried the answer to another request. */
  protected closeConnection(): void {
    this.#exchange?.closeConnection();
  }

  /** Records that the answer arrived: the stream may end without an error. */
  finish(): void {
    this.#isFinished = true;
    this.#stream?.finish();
  }

  onHead(head: HttpHead): AnswerReader | undefined {
    const { status } = head;
    if (status < 200 || status >= 300) return this.#readRefusal(head);
    if (!this.#isRequest || status === 202) {
      this.onAccepted(head, false);
      this.#end({ kind: 'incomplete' });
      return undefined;
    }
    const contentType = head.header('content-type');
    if (isJson(contentType)) {
      this.onAccepted(head, false);
      return this.#readWhole(head, (bytes) => this.#parseAnswer(bytes));
    }
    if (isEventStream(contentType)) {
      this.onAccepted(head, true);
      this.#stream = new MessageStream(this.channel, {
        onMessage: (message) => this.onMessage(message),
        onUnreadable: (reason, text) => {
          this.#unreadable = reason;
          this.channel.onUnreadable(reason, text);
        },
        onError: (error) => this.onError(error),
        onOver: (failure) => {
          const error = failure.kind === 'incomplete' ? this.#unreadable : undefined;
          this.#end(error === undefined ? failure : { kind: 'not-json', error });
        },
      });
      return this.#stream;
    }
    // The beginning of a body of another type may be the text of a refusal.
    return new WholeBody(
      MAX_UNKNOWN_TYPE_BYTES,
      undefined,
      (bytes) => this.#end({ kind: 'content-type', contentType, text: bytes.toString('utf8') }),
      () => this.#end({ kind: 'content-type', contentType }),
    );
  }

  onFailure(error: Error): void {
    this.#end({ kind: 'broken', error });
  }

  #readWhole({ bytes }: HttpHead, onBody: (bytes: Buffer) => void): AnswerReader {
    return new WholeBody(this.channel.maxBytes, bytes, onBody, (error) => this.onFailure(error));
  }

  #readRefusal(head: HttpHead): AnswerReader {
    const { status, redirect } = head;
    const namesOtherSession = this.channel.headers.isOtherSession(head);
    return this.#readWhole(head, (bytes) => {
      const text = bytes.toString('utf8');
      this.#end({ kind: 'status', status, text, redirect, namesOtherSession });
    });
  }

  #parseAnswer(bytes: Buffer): void {
    const reader = new MessageReader({
      onMessage: (value) => {
        if (this.#over) return;
        passMessages(value, this);
        // The answer may have ended the exchange.
        if (this.isOver) return;
        const text = this.#isFinished ? '' : bytes.toString('utf8', 0, MAX_EXCERPT_BYTES);
        this.#end({ kind: 'no-answer', reason: 'it is no JSON-RPC answer to the request', text });
      },
      onUnreadable: (error) => this.#end({ kind: 'not-json', error }),
    });
    reader.push(bytes);
  }

  #end(failure: HttpFailure): void {
    if (this.#over) return;
    this.#over = true;
    this.channel.open.delete(this.#number);
    this.onOver(failure);
  }
}

/** The headers of a request and the listeners for its outcome. */
export interface HttpRequestOptions {
  readonly headers: WireRequest['headers'];
  /** Id of the gateway's own request; `undefined` for a message of the SDK's client. */
  readonly owner?: number;
  readonly onAccepted?: (head: HttpHead, isStream: boolean) => void;
  readonly onAnswered?: () => void;
  readonly onEnd: (failure: HttpFailure, isStream: boolean) => void;
}

/** Time for the server to close an answered stream, in milliseconds. */
const ANSWERED_STREAM_MS = 2_000;

const isRefusal = (message: JsonObject): boolean =>
  Object.hasOwn(message, 'error') && message['error'] !== null;

/** A message over Streamable HTTP and the server's response. Messages on the response stream belong to the request. */
class HttpRequest extends HttpPost implements WireExchange {
  readonly #options: HttpRequestOptions;
  /** The reason why the server's message is not the answer. */
  #problem: string | undefined;
  #lingerTimer: NodeJS.Timeout | undefined;
  #isStream = false;
  #isAnswered = false;

  constructor(channel: HttpChannel, message: JsonObject, options: HttpRequestOptions) {
    const isRequest = typeof message['method'] === 'string' && message['id'] !== undefined;
    super(channel, message, options.headers, isRequest);
    this.#options = options;
  }

  abandon(): void {
    clearTimeout(this.#lingerTimer);
    this.abort();
  }

  override finish(): void {
    super.finish();
    if (this.isOver || !this.#isStream) return;
    this.#lingerTimer = setTimeout(() => this.abandon(), ANSWERED_STREAM_MS).unref();
  }

  onAccepted(head: HttpHead, isStream: boolean): void {
    this.#isStream = isStream;
    // A server that accepts the request under another session has replaced the forgotten session.
    const { headers } = this.channel;
    if (headers.isOtherSession(head)) headers.sessionId = head.header(SESSION_HEADER);
    this.#options.onAccepted?.(head, isStream);
  }

  onMessage(value: unknown): void {
    if (!isJsonObject(value)) {
      this.#refuse('a value that is no JSON-RPC message');
      return;
    }
    const { id } = this.message;
    if (typeof value['method'] === 'string') this.#pass(value);
    else if (parseAnswerId(value['id']) === id) this.#answer(value);
    // A server that could not parse the request id answers with id null.
    else if ((value['id'] ?? null) === null && isRefusal(value)) this.#answer({ ...value, id });
    else this.#takeOther(value);
  }

  #pass(message: JsonObject): void {
    this.channel.observer?.onMessage(message, this.#options.owner);
  }

  #answer(message: JsonObject): void {
    this.#isAnswered = true;
    this.#options.onAnswered?.();
    this.#pass(message);
  }

  #takeOther(message: JsonObject): void {
    if (!isMessage(message)) this.#refuse('a value that is no JSON-RPC message');
    else if (message['id'] === undefined) this.#refuse('a JSON-RPC answer without "id"');
    else {
      this.#refuse('a JSON-RPC answer with the "id" of another request');
      if (!this.#isStream) this.closeConnection();
      this.#pass(message);
    }
  }

  #refuse(what: string): void {
    this.#problem = `${String(this.message['method'])} was answered with ${what}`;
    this.onError(new Error(this.#problem));
  }

  onError(error: Error): void {
    this.channel.observer?.onError(error);
  }

  onOver(failure: HttpFailure): void {
    clearTimeout(this.#lingerTimer);
    const reported =
      failure.kind === 'no-answer' && this.#problem !== undefined
        ? { ...failure, reason: this.#problem }
        : failure;
    // A late answer would be read as the answer to the next request.
    if (reported.kind === 'no-answer' && !this.#isAnswered) this.closeConnection();
    this.#options.onEnd(reported, this.#isStream);
  }
}

export const NOT_CONNECTED = 'not connected';

const METHOD_NOT_ALLOWED = 405;

/** Returns the error of the event stream for unsolicited messages, unless the server does not support it. */
const toStreamError = (failure: HttpFailure): Error | undefined =>
  failure.kind === 'status' && failure.status === METHOD_NOT_ALLOWED
    ? undefined
    : new Error('no event stream', { cause: toSdkError(failure) });

/** Returns the JSON-RPC error in the body of HTTP 400, which a 2026-07-28 server sends for an unsupported request. */
const findRefusal = ({ id, params }: JsonObject, failure: HttpFailure): JsonObject | undefined => {
  const isModern = isJsonObject(params) && readEnvelopeVersion(params) !== undefined;
  if (!isModern || failure.kind !== 'status' || failure.status !== 400) return undefined;
  const parsed = parseJson(failure.text);
  const value = parsed.ok ? parsed.value : undefined;
  return isMessage(value) && Object.hasOwn(value, 'error') && parseAnswerId(value['id']) === id
    ? value
    : undefined;
};

/** The client side of Streamable HTTP, all revisions. */
export class HttpWire extends HttpChannel implements Wire {
  readonly hasPerRequestStream = true;

  get hasSession(): boolean {
    return this.headers.sessionId !== undefined;
  }

  async start(observer: WireObserver): Promise<void> {
    this.observer = observer;
    await this.connections.open();
  }

  /** Sends a message of the SDK's client. Rejects with the errors from which the client derives the era of a server. */
  send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    if (this.observer === undefined || this.isClosed)
      return Promise.reject(new Error(NOT_CONNECTED));
    const sent: JsonObject = { ...message };
    const { id, method } = sent;
    return new Promise((resolve, reject) => {
      const request = new HttpRequest(this, sent, {
        headers: options?.headers,
        onAccepted: (head, isStream) => {
          if (method === 'initialize') this.headers.sessionId = head.header(SESSION_HEADER);
          if (method === 'notifications/initialized' && head.status === 202) this.#listen();
          if (isStream || typeof method !== 'string' || id === undefined) resolve();
        },
        onAnswered: () => {
          request.finish();
          resolve();
        },
        onEnd: (failure, isStream) => {
          if (isStream) options?.onRequestStreamEnd?.();
          const refusal = isStream ? undefined : findRefusal(sent, failure);
          if (refusal !== undefined) {
            this.observer?.onMessage(refusal);
            resolve();
          }
          // No effect when the answer has settled the promise.
          reject(toSdkError(failure));
        },
      });
      const abort = (): void => {
        request.abandon();
        reject(new Error('not wanted any more'));
      };
      options?.requestSignal?.addEventListener('abort', abort, { once: true });
      request.send();
    });
  }

  exchange({ id, method, params, headers }: WireRequest, sink: WireSink): WireExchange {
    const request = new HttpRequest(
      this,
      { jsonrpc: '2.0', id, method, params },
      {
        headers,
        owner: id,
        onEnd: (failure) => {
          if (!sink.isOver) sink.onEnd(toRequestFailure(failure));
        },
      },
    );
    request.send();
    return request;
  }

  endSession(timeoutMs: number): Promise<void> {
    if (!this.hasSession) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, timeoutMs);
      const over = (): undefined => {
        clearTimeout(timer);
        resolve();
      };
      const parts = { method: 'DELETE', headers: this.headers.listBare() } as const;
      const handler = { onHead: over, onFailure: over };
      new ServerExchange(this.connections, this.target, parts, handler).send();
    });
  }

  /** Opens the event stream for unsolicited messages, if the server supports it. */
  #listen(): void {
    if (this.isClosed || this.eventStream !== undefined) return;
    let wasOpen = false;
    const stream = this.openEvents(
      {
        onOpen: () => {
          wasOpen = true;
          this.observer?.onGap();
        },
        onOver: (failure) => {
          // A server that supports the stream refuses its session: reading the lists shows it.
          if (wasOpen) this.observer?.onGap();
          const error = toStreamError(failure);
          if (error !== undefined) this.observer?.onError(error);
        },
      },
      true,
    );
    stream.open();
  }
}
