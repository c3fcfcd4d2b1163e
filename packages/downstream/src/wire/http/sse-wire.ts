import type { JsonObject } from '@gateway/call-contract';
import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import type { Wire, WireExchange, WireObserver, WireRequest, WireSink } from '../wire.ts';
import { HttpChannel, type HttpWireOptions } from './http-channel.ts';
import { type HttpFailure, toRequestFailure, toSdkError } from './http-failure.ts';
import { HttpPost, NOT_CONNECTED } from './http-wire.ts';

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
