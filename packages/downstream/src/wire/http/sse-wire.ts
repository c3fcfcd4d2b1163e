import { InFlight } from '@gateway/call-contract';
import type { JsonObject } from '@gateway/call-contract';
import { objectText } from '@gateway/mcp-wire';
import type { JSONRPCMessage, TransportSendOptions } from '@modelcontextprotocol/client';
import type { HttpFailure } from './http-failure.ts';
import { requestFailureOf, sdkErrorOf } from './http-failure.ts';
import { HttpHeaders } from './http-headers.ts';
import { openStream, post } from './http-post.ts';
import type { OutgoingMessage, PostChannel, HttpPost, PostSink } from './http-post.ts';
import { httpTarget } from './http-connections.ts';
import type { HttpWireOptions } from './http-wire.ts';
import { MessageStream } from './message-stream.ts';
import type { RequestFailure } from '../request-outcome.ts';
import type { Wire, WireExchange, WireObserver, WireRequest, WireSink } from '../wire.ts';

/** Called with why a message was not accepted; without a failure it was. */
type Posted = (failure: HttpFailure | undefined) => void;

/** The outcome of a POST, whose body says nothing: the answer arrives on the stream. */
const reportingOnce = (done: Posted): PostSink => {
  let isAccepted = false;
  return {
    onAccepted() {
      isAccepted = true;
      done(undefined);
    },
    onOver(failure) {
      if (!isAccepted) done(failure);
    },
    onMessage: () => undefined,
    onError: () => undefined,
  };
};

const NOT_CONNECTED: RequestFailure = { kind: 'lost', reason: 'not connected' };

/** The client side of HTTP with SSE of MCP 2024-11-05: all messages of the server arrive on one stream, which names where to post. */
export class SseWire implements Wire {
  readonly hasPerRequestStream = false;
  readonly sessionId = undefined;
  /** The URL for the messages contains the session. */
  readonly hasSession = true;
  readonly #options: HttpWireOptions;
  readonly #headers: HttpHeaders;
  /** Where messages are posted, once the server has named it. */
  #channel: PostChannel | undefined;
  #stream: MessageStream | undefined;
  #observer: WireObserver | undefined;
  #failStart: (error: Error) => void = () => undefined;
  readonly #open = new InFlight<number, HttpPost>();
  #isClosed = false;

  readonly #onLost: (reason: string) => void;

  /** @param onLost called when the stream has ended, and the session with it */
  constructor(options: HttpWireOptions, onLost: (reason: string) => void) {
    this.#options = options;
    this.#onLost = onLost;
    const { headers, authority } = options;
    this.#headers = new HttpHeaders(headers, authority && (() => authority.authorization()));
  }

  setProtocolVersion(version: string): void {
    this.#headers.useVersion(version);
  }

  /** Resolves when the server has named where to post. */
  async start(observer: WireObserver): Promise<void> {
    this.#observer = observer;
    const { url, maxBytes, connections, authority } = this.#options;
    const headers = this.#headers;
    const target = httpTarget(url);
    const channel = { target, connections, headers, authority, maxBytes, open: this.#open };
    await connections.open();
    return new Promise((resolve, reject) => {
      this.#failStart = reject;
      let isRenewed = false;
      const stream = new MessageStream(
        {
          maxBytes,
          isLongLived: false,
          open: (_lastEventId, handler) => {
            const again = isRenewed ? undefined : () => stream.open();
            isRenewed = true;
            return openStream(channel, undefined, handler, again);
          },
        },
        {
          onMessage: (value) => {
            if (typeof value === 'object' && value !== null)
              observer.onMessage(value as JsonObject);
          },
          onError: (error) => observer.onError(error),
          onEndpoint: (text) => {
            const endpoint = URL.canParse(text, url.href) ? new URL(text, url) : undefined;
            if (endpoint?.origin === url.origin)
              this.#channel = { ...channel, target: httpTarget(endpoint) };
            else reject(new Error('the server names an endpoint for messages at another origin'));
            resolve();
          },
          onOver: (failure) => {
            const error = sdkErrorOf(failure);
            reject(error);
            this.#end(failure.kind === 'incomplete' ? undefined : error.message);
          },
        },
      );
      this.#stream = stream;
      // A stream that is opened again belongs to another session.
      stream.finish();
      stream.open();
    });
  }

  send(message: JSONRPCMessage, _options?: TransportSendOptions): Promise<void> {
    return new Promise((resolve, reject) => {
      const posted = this.#post({ ...message }, undefined, (failure) => {
        if (failure === undefined) resolve();
        else reject(sdkErrorOf(failure));
      });
      if (posted === undefined) reject(new Error('not connected'));
    });
  }

  exchange({ id, method, params, headers }: WireRequest, sink: WireSink): WireExchange {
    const posted = this.#post({ jsonrpc: '2.0', id, method, params }, headers, (failure) => {
      if (failure !== undefined) sink.onEnd(requestFailureOf(failure));
    });
    if (posted === undefined) queueMicrotask(() => sink.onEnd(NOT_CONNECTED));
    return { abandon: () => posted?.abort(), finish: () => undefined };
  }

  close(): Promise<void> {
    if (this.#isClosed) return Promise.resolve();
    this.#isClosed = true;
    this.#stream?.close();
    for (const posted of this.#open.values()) posted.abort();
    this.#open.clear();
    this.#failStart(new Error('the connection was closed'));
    this.#observer?.onClosed();
    return Promise.resolve();
  }

  #post(
    message: JsonObject,
    headers: OutgoingMessage['headers'],
    done: Posted,
  ): HttpPost | undefined {
    if (this.#channel === undefined || this.#isClosed) return undefined;
    const { method, params } = message;
    const outgoing = {
      method: typeof method === 'string' ? method : undefined,
      params: params as JsonObject | undefined,
      text: objectText(message, 2),
      isRequest: false,
      headers,
    };
    return post(this.#channel, outgoing, reportingOnce(done));
  }

  #end(reason: string | undefined): void {
    if (this.#channel !== undefined && !this.#isClosed)
      this.#onLost(reason ?? 'the server ended the session');
  }
}
