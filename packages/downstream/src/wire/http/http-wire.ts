import { isJsonObject, type JsonObject } from '@gateway/call-contract';
import { parseJson, SESSION_HEADER } from '@gateway/mcp-wire';
import type { JSONRPCMessage, TransportSendOptions } from '@modelcontextprotocol/client';
import { parseAnswerId, isMessage } from '../message-text.ts';
import type { Wire, WireExchange, WireObserver, WireRequest, WireSink } from '../wire.ts';
import { HttpExchange } from './http-exchange.ts';
import { type HttpFailure, toRequestFailure, toSdkError } from './http-failure.ts';
import { readEnvelopeVersion } from './http-headers.ts';
import { HttpPost, HttpRequest } from './http-request.ts';
import { HttpChannel, type HttpWireOptions } from './message-stream.ts';

const NOT_CONNECTED = 'not connected';

const METHOD_NOT_ALLOWED = 405;

/** Returns the error of the event stream for unsolicited messages, unless the server does not support it. */
const streamError = (failure: HttpFailure): Error | undefined =>
  failure.kind === 'status' && failure.status === METHOD_NOT_ALLOWED
    ? undefined
    : new Error('no event stream', { cause: toSdkError(failure) });

/** Returns the JSON-RPC error in the body of HTTP 400, which a 2026-07-28 server sends for an unsupported request. */
const refusalIn = ({ id, params }: JsonObject, failure: HttpFailure): JsonObject | undefined => {
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
          const refusal = isStream ? undefined : refusalIn(sent, failure);
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
      const parts = { method: 'DELETE', headers: this.headers.bare() } as const;
      const handler = { onHead: over, onFailure: over };
      new HttpExchange(this.connections, this.target, parts, handler).send();
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
          const error = streamError(failure);
          if (error !== undefined) this.observer?.onError(error);
        },
      },
      true,
    );
    stream.open();
  }
}

/** Called with why a message was not accepted; without a failure it was. */
type Posted = (failure: HttpFailure | undefined) => void;

class SsePost extends HttpPost {
  readonly #done: Posted;
  #isAccepted = false;

  constructor(
    channel: HttpChannel,
    message: JsonObject,
    headers: WireRequest['headers'],
    done: Posted,
  ) {
    super(channel, message, headers, false);
    this.#done = done;
  }

  onAccepted(): void {
    this.#isAccepted = true;
    this.#done(undefined);
  }

  onOver(failure: HttpFailure): void {
    if (!this.#isAccepted) this.#done(failure);
  }

  onMessage(): void {
    // The messages of the server arrive on the stream.
  }

  onError(): void {
    // Without messages there are no errors of them.
  }
}

/** The client side of HTTP with SSE of MCP 2024-11-05: all messages of the server arrive on one stream, which names where to post. */
export class SseWire extends HttpChannel implements Wire {
  readonly hasPerRequestStream = false;
  /** The URL for the messages contains the session. */
  readonly hasSession = true;
  /** The URL of the stream, against which the server names where to post. */
  readonly #url: URL;
  readonly #onLost: (reason: string) => void;
  #hasEndpoint = false;
  #failStart: (error: Error) => void = () => undefined;

  /** @param onLost called when the stream has ended, and the session with it */
  constructor(options: HttpWireOptions, onLost: (reason: string) => void) {
    super(options);
    this.#url = options.url;
    this.#onLost = onLost;
  }

  async start(observer: WireObserver): Promise<void> {
    this.observer = observer;
    await this.connections.open();
    return new Promise((resolve, reject) => {
      this.#failStart = reject;
      const stream = this.openEvents(
        {
          onEndpoint: (text) => {
            if (!this.#useEndpoint(text))
              reject(new Error('the server names an endpoint for messages at another origin'));
            resolve();
          },
          onOver: (failure) => {
            const error = toSdkError(failure);
            reject(error);
            if (this.#hasEndpoint && !this.isClosed)
              this.#onLost(
                failure.kind === 'incomplete' ? 'the server ended the session' : error.message,
              );
          },
        },
        false,
      );
      // A stream that is opened again belongs to another session.
      stream.finish();
      stream.open();
    });
  }

  send(message: JSONRPCMessage): Promise<void> {
    return new Promise((resolve, reject) => {
      const posted = this.#post({ ...message }, undefined, (failure) => {
        if (failure === undefined) resolve();
        else reject(toSdkError(failure));
      });
      if (posted === undefined) reject(new Error(NOT_CONNECTED));
    });
  }

  exchange({ id, method, params, headers }: WireRequest, sink: WireSink): WireExchange {
    const posted = this.#post({ jsonrpc: '2.0', id, method, params }, headers, (failure) => {
      if (failure !== undefined) sink.onEnd(toRequestFailure(failure));
    });
    if (posted === undefined)
      queueMicrotask(() => sink.onEnd({ kind: 'lost', reason: NOT_CONNECTED }));
    return { abandon: () => posted?.abort(), finish: () => undefined };
  }

  override close(): Promise<void> {
    const closed = super.close();
    this.#failStart(new Error('the connection was closed'));
    return closed;
  }

  #useEndpoint(text: string): boolean {
    const url = this.#url;
    const endpoint = URL.canParse(text, url.href) ? new URL(text, url) : undefined;
    if (endpoint?.origin !== url.origin) return false;
    this.target = endpoint;
    this.#hasEndpoint = true;
    return true;
  }

  /** Posts a message; the body of the answer says nothing, because the messages of the server arrive on the stream. */
  #post(message: JsonObject, headers: WireRequest['headers'], done: Posted): HttpPost | undefined {
    if (!this.#hasEndpoint || this.isClosed) return undefined;
    const post = new SsePost(this, message, headers, done);
    post.send();
    return post;
  }
}
