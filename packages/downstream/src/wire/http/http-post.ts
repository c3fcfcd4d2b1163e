import type { InFlight, JsonObject } from '@gateway/call-contract';
import { WholeBody } from './http-body.ts';
import type { BodyReader } from './http-body.ts';
import type { HttpHandler, HttpHead } from './http-exchange.ts';
import type { HttpFailure } from './http-failure.ts';
import { MessageStream, isEventStream, passMessages } from './message-stream.ts';
import type { StreamSink } from './message-stream.ts';
import { MessageReader } from '../message-text.ts';
import type { Deadlines, Timed } from '../deadlines.ts';
import type { HttpAuthority } from './http-authority.ts';
import { HttpExchange } from './http-exchange.ts';
import type { HttpConnections, HttpParts, HttpTarget } from './http-connections.ts';
import type { HttpHeaders } from './http-headers.ts';
import { renewing } from './http-authority.ts';
import type { WireObserver } from '../wire.ts';

/** Receives the outcome of a POST. */
export interface PostSink extends StreamSink {
  /** The server accepted the message; with `isStream` the messages follow. */
  onAccepted(head: HttpHead, isStream: boolean): void;
}

/** The options of a POST. */
export interface PostOptions {
  readonly maxBytes: number;
  /** The message is a request, so an answer is read. */
  readonly isRequest: boolean;
  /** The open posts of the connection. */
  readonly open: InFlight<number, HttpPost>;
  /** Returns whether an answer names another session than the present one. */
  readonly namesOtherSession: (head: HttpHead) => boolean;
  /** Resumes the event stream of the answer after the event with this id. */
  readonly resume: (lastEventId: string | undefined, handler: HttpHandler) => HttpExchange;
}

const isJson = (contentType: string | undefined): boolean =>
  contentType === 'application/json' ||
  contentType?.split(';', 1)[0]?.trim().toLowerCase() === 'application/json';

/** Maximum size of a body that is no message, in bytes. */
const MAX_OTHER_BYTES = 64 * 1024;

/** The part of a body without an answer in which a reason is looked for. */
const MAX_SHOWN_BYTES = 16 * 1024;

let posted = 0;

/** One posted message with everything that the server returns for it. */
export class HttpPost implements HttpHandler {
  readonly #number = (posted += 1);
  readonly #options: PostOptions;
  readonly #sink: PostSink;
  #exchange: HttpExchange | undefined;
  #stream: MessageStream | undefined;
  #over = false;

  constructor(options: PostOptions, sink: PostSink) {
    this.#options = options;
    this.#sink = sink;
  }

  /** The outcome is reported, or the post was aborted. */
  get isOver(): boolean {
    return this.#over;
  }

  send(exchange: HttpExchange): void {
    this.#exchange = exchange;
    this.#options.open.set(this.#number, this);
    exchange.send();
  }

  /** Aborts the exchange. */
  abort(): void {
    this.#over = true;
    this.#options.open.delete(this.#number);
    this.#stream?.close();
    this.#exchange?.abort();
  }

  /** Closes the connection, because it carried the answer to something else. */
  closeConnection(): void {
    this.#exchange?.closeConnection();
  }

  /** The answer arrived: a stream that ends from now on is complete. */
  finish(): void {
    this.#stream?.finish();
  }

  onHead(head: HttpHead): BodyReader | undefined {
    const { status } = head;
    if (status < 200 || status >= 300) return this.#refusal(head);
    if (!this.#options.isRequest || status === 202) {
      this.#sink.onAccepted(head, false);
      this.#end({ kind: 'incomplete' });
      return undefined;
    }
    const contentType = head.header('content-type');
    if (isJson(contentType)) {
      this.#sink.onAccepted(head, false);
      return this.#whole(head, (bytes) => this.#read(bytes));
    }
    if (isEventStream(contentType)) {
      this.#sink.onAccepted(head, true);
      return this.#events();
    }
    return this.#unexpected(contentType);
  }

  onFailure(error: Error): void {
    this.#end({ kind: 'broken', error });
  }

  #whole({ bytes }: HttpHead, onBody: (bytes: Buffer) => void): BodyReader {
    const { maxBytes } = this.#options;
    return new WholeBody({ maxBytes, bytes }, onBody, (error) =>
      this.#end({ kind: 'broken', error }),
    );
  }

  /** Reads the beginning of a body of another type: it may be the text of a refusal. */
  #unexpected(contentType: string | undefined): BodyReader {
    return new WholeBody(
      { maxBytes: MAX_OTHER_BYTES, bytes: undefined },
      (bytes) => this.#end({ kind: 'content-type', contentType, text: bytes.toString('utf8') }),
      () => this.#end({ kind: 'content-type', contentType }),
    );
  }

  #refusal(head: HttpHead): BodyReader {
    const { status, redirect } = head;
    const namesOtherSession = this.#options.namesOtherSession(head);
    return this.#whole(head, (bytes) => {
      const text = bytes.toString('utf8');
      this.#end({ kind: 'status', status, text, redirect, namesOtherSession });
    });
  }

  #events(): MessageStream {
    const { maxBytes, resume } = this.#options;
    this.#stream = new MessageStream(
      { maxBytes, isLongLived: false, open: resume },
      {
        onMessage: (message) => this.#sink.onMessage(message),
        onError: (error) => this.#sink.onError(error),
        onOver: (failure) => this.#end(failure),
      },
    );
    return this.#stream;
  }

  #read(bytes: Buffer): void {
    const reader = new MessageReader({
      onMessage: (value) => {
        if (this.#over) return;
        passMessages(value, this.#sink);
        if (this.isOver) return;
        const text = bytes.toString('utf8', 0, MAX_SHOWN_BYTES);
        this.#end({ kind: 'no-answer', reason: 'it is no JSON-RPC answer to the request', text });
      },
      onUnreadable: (error) => this.#end({ kind: 'not-json', error }),
    });
    reader.push(bytes);
  }

  #end(failure: HttpFailure): void {
    if (this.#over) return;
    this.#over = true;
    this.#options.open.delete(this.#number);
    this.#sink.onOver(failure);
  }
}

/** Where the messages of a connection are posted, and how. */
export interface PostChannel {
  readonly target: HttpTarget;
  readonly connections: HttpConnections;
  readonly headers: HttpHeaders;
  /** Authorizes the requests; absent when only the server's definition does. */
  readonly authority: HttpAuthority | undefined;
  readonly maxBytes: number;
  /** The open posts, which end with the connection. */
  readonly open: InFlight<number, HttpPost>;
}

/** The shared state of a Streamable HTTP connection. */
export interface HttpChannel extends PostChannel {
  readonly observer: WireObserver;
  /** Answered requests whose streams are still open. */
  readonly lingering: Set<Timed>;
  readonly lingerDeadlines: Deadlines;
}

/** A message to post. */
export interface OutgoingMessage {
  readonly method: string | undefined;
  readonly params: JsonObject | undefined;
  readonly text: string;
  readonly isRequest: boolean;
  readonly headers: Readonly<Record<string, string>> | undefined;
}

/** The request of 2026-07-28 that stays open as long as the connection. */
const LONG_LIVED_METHOD = 'subscriptions/listen';

/** Returns an exchange that is not sent yet. */
export const exchangeOn = (
  channel: PostChannel,
  parts: HttpParts,
  handler: HttpHandler,
): HttpExchange => new HttpExchange(channel.connections, channel.target, parts, handler);

/**
 * Sends the GET for an event stream.
 *
 * @param again called after the credential was renewed; without it the stream is opened like after a lost connection, with its backoff
 */
export const openStream = (
  channel: PostChannel,
  lastEventId: string | undefined,
  handler: HttpHandler,
  again = (): void => handler.onFailure(new Error('the credential was renewed')),
): HttpExchange => {
  const headers = channel.headers.stream(lastEventId);
  const parts = { method: 'GET', headers, isLongLived: true } as const;
  const exchange = exchangeOn(channel, parts, renewing(channel.authority, handler, again));
  exchange.send();
  return exchange;
};

/** Posts one message. */
export const post = (channel: PostChannel, message: OutgoingMessage, sink: PostSink): HttpPost => {
  const { method, params, text, isRequest, headers } = message;
  const options = {
    maxBytes: channel.maxBytes,
    isRequest,
    open: channel.open,
    namesOtherSession: (head: HttpHead) => channel.headers.isOtherSession(head),
    resume: (lastEventId: string | undefined, handler: HttpHandler) =>
      openStream(channel, lastEventId, handler),
  };
  const posted = new HttpPost(options, sink);
  const send = (resend?: () => void): void => {
    const parts: HttpParts = {
      method: 'POST',
      headers: channel.headers.message(method, params, headers),
      body: text,
      isLongLived: method === LONG_LIVED_METHOD,
    };
    posted.send(exchangeOn(channel, parts, renewing(channel.authority, posted, resend)));
  };
  send(() => {
    if (!posted.isOver) send();
  });
  return posted;
};
