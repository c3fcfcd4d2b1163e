import { InFlight } from '@gateway/call-contract';
import type { JSONRPCMessage, TransportSendOptions } from '@modelcontextprotocol/client';
import { createDeadlines } from '../deadlines.ts';
import type { Timed } from '../deadlines.ts';
import type { HttpAuthority } from './http-authority.ts';
import { httpTarget } from './http-connections.ts';
import type { HttpConnections } from './http-connections.ts';
import { sdkErrorOf } from './http-failure.ts';
import type { HttpFailure } from './http-failure.ts';
import { HttpHeaders } from './http-headers.ts';
import { exchangeOn, openStream } from './http-post.ts';
import type { HttpChannel } from './http-post.ts';
import { HttpRequest } from './http-request.ts';
import { MessageStream } from './message-stream.ts';
import { sendForSdk } from './sdk-message.ts';
import type { Wire, WireExchange, WireObserver, WireRequest, WireSink } from '../wire.ts';

/** The options of a Streamable HTTP connection. */
export interface HttpWireOptions {
  readonly url: URL;
  /** Headers of the server's definition, sent with every request. @spec §2.6 headers */
  readonly headers: Readonly<Record<string, string>>;
  /** Maximum size of one message. */
  readonly maxBytes: number;
  readonly connections: HttpConnections;
  /** Authorizes the requests; only the server's definition does when it is absent. */
  readonly authority?: HttpAuthority | undefined;
}

const METHOD_NOT_ALLOWED = 405;

/** Returns the error of the event stream for unsolicited messages, unless the server does not support it. */
const streamError = (failure: HttpFailure): Error | undefined =>
  failure.kind === 'status' && failure.status === METHOD_NOT_ALLOWED
    ? undefined
    : new Error('no event stream', { cause: sdkErrorOf(failure) });

/** The client side of Streamable HTTP, all revisions. */
export class HttpWire implements Wire {
  readonly hasPerRequestStream = true;
  readonly #options: HttpWireOptions;
  readonly #headers: HttpHeaders;
  #channel: HttpChannel | undefined;
  #eventStream: MessageStream | undefined;
  #closed = false;

  constructor(options: HttpWireOptions) {
    this.#options = options;
    const { headers, authority } = options;
    this.#headers = new HttpHeaders(headers, authority && (() => authority.authorization()));
  }

  get sessionId(): string | undefined {
    return this.#headers.sessionId;
  }

  get hasSession(): boolean {
    return this.sessionId !== undefined;
  }

  setProtocolVersion(version: string): void {
    this.#headers.useVersion(version);
  }

  async start(observer: WireObserver): Promise<void> {
    const { url, maxBytes, connections, authority } = this.#options;
    const lingering = new Set<Timed>();
    this.#channel = {
      target: httpTarget(url),
      connections,
      headers: this.#headers,
      authority,
      maxBytes,
      observer,
      open: new InFlight(),
      lingering,
      lingerDeadlines: createDeadlines(() => lingering),
    };
    await connections.open();
  }

  send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    const channel = this.#channel;
    if (channel === undefined || this.#closed) return Promise.reject(new Error('not connected'));
    return sendForSdk(channel, message, {
      options,
      onInitialized: () => this.#listen(channel),
    });
  }

  exchange(request: WireRequest, sink: WireSink): WireExchange {
    const channel = this.#channel;
    if (channel === undefined) throw new Error('the connection was not started');
    const exchange = new HttpRequest(channel, request.id, sink);
    exchange.send(request);
    return exchange;
  }

  /** Ends the session on the server; waits no longer than the bound. */
  endSession(timeoutMs: number): Promise<void> {
    const channel = this.#channel;
    if (channel === undefined || this.sessionId === undefined) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, timeoutMs);
      const over = (): undefined => {
        clearTimeout(timer);
        resolve();
      };
      const parts = { method: 'DELETE', headers: this.#headers.bare() } as const;
      exchangeOn(channel, parts, { onHead: over, onFailure: over }).send();
    });
  }

  close(): Promise<void> {
    if (this.#closed) return Promise.resolve();
    this.#closed = true;
    this.#eventStream?.close();
    const channel = this.#channel;
    channel?.lingerDeadlines.stop();
    for (const posted of channel?.open.values() ?? []) posted.abort();
    channel?.open.clear();
    channel?.lingering.clear();
    channel?.observer.onClosed();
    return Promise.resolve();
  }

  /** Opens the event stream for unsolicited messages, if the server supports it. */
  #listen(channel: HttpChannel): void {
    if (this.#closed || this.#eventStream !== undefined) return;
    let wasOpen = false;
    this.#eventStream = new MessageStream(
      {
        maxBytes: channel.maxBytes,
        isLongLived: true,
        open: (lastEventId, handler) => openStream(channel, lastEventId, handler),
      },
      {
        onMessage: (value) => {
          if (typeof value === 'object' && value !== null)
            channel.observer.onMessage(value as Readonly<Record<string, unknown>>);
        },
        onError: (error) => channel.observer.onError(error),
        onOpen: () => {
          wasOpen = true;
          channel.observer.onGap();
        },
        onOver: (failure) => {
          // A server that supports the stream refuses its session: reading the lists shows it.
          if (wasOpen) channel.observer.onGap();
          const error = streamError(failure);
          if (error !== undefined) channel.observer.onError(error);
        },
      },
    );
    this.#eventStream.open();
  }
}
