import { ResponseTooLargeError } from '../response-too-large.ts';
import { EventStream } from './event-stream.ts';
import type { EventStreamObserver, StreamEvent } from './event-stream.ts';
import type { BodyReader } from './http-body.ts';
import type { HttpExchange, HttpHandler, HttpHead } from './http-exchange.ts';
import { sdkErrorOf } from './http-failure.ts';
import type { HttpFailure } from './http-failure.ts';
import { readMessage } from '../message-text.ts';
import type { ReadMessage } from '../message-text.ts';

/** Who takes the messages of a stream. */
export interface StreamSink {
  onMessage(message: ReadMessage): void;
  /** Something that is left out, or a connection that is made again. */
  onError(error: Error): void;
  /** A connection was made that does not go on where another one ended. */
  onOpen?(): void;
  /** No message comes any more. Not called after `close`. */
  onOver(failure: HttpFailure): void;
}

/** What a stream is made with. */
export interface StreamOptions {
  /** Bound of one event. */
  readonly maxBytes: number;
  /** The stream is opened again whenever it ends, not only behind an event with an id. */
  readonly isLongLived: boolean;
  /** Asks for the stream, from behind the event of this id. */
  readonly open: (lastEventId: string | undefined, handler: HttpHandler) => HttpExchange;
}

const FIRST_DELAY_MS = 1_000;
const MAX_DELAY_MS = 30_000;
/** Bounds of what a server may ask for: neither a storm of requests, nor a timer that overflows. */
const MIN_RETRY_MS = 50;
const MAX_RETRY_MS = 3_600_000;

/** Whether a content type is that of an event stream, whatever its parameters. */
export const isEventStream = (contentType: string | undefined): boolean =>
  contentType?.split(';', 1)[0]?.trim().toLowerCase() === 'text/event-stream';

/**
 * The messages of one event stream over all the connections that it takes. A connection that ends early is made again from the
 * last event, after the time that the server asked for, or after 1 s, 2 s, 4 s ... up to 30 s.
 */
export class MessageStream implements HttpHandler, BodyReader, EventStreamObserver {
  readonly #options: StreamOptions;
  readonly #sink: StreamSink;
  #events: EventStream;
  #exchange: HttpExchange | undefined;
  #timer: NodeJS.Timeout | undefined;
  #lastEventId: string | undefined;
  #retryMs: number | undefined;
  #attempt = 0;
  #finished = false;
  #closed = false;

  constructor(options: StreamOptions, sink: StreamSink) {
    this.#options = options;
    this.#sink = sink;
    this.#events = new EventStream(options.maxBytes, this);
  }

  /** Makes the connection, from behind the last event if there was one. */
  open(): void {
    if (!this.#closed) this.#exchange = this.#options.open(this.#lastEventId, this);
  }

  /** What was waited for is there: when the stream ends now it is over. */
  finish(): void {
    this.#finished = true;
  }

  /** Nothing of it is wanted any more. */
  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#exchange?.abort();
  }

  onHead(head: HttpHead): BodyReader | undefined {
    const contentType = head.header('content-type');
    if (head.status === 200 && isEventStream(contentType)) {
      this.#events = new EventStream(this.#options.maxBytes, this);
      if (this.#lastEventId === undefined) this.#sink.onOpen?.();
      return this;
    }
    const { status, redirect } = head;
    if (status >= 500 || status === 429)
      this.#again({ kind: 'status', status, text: '', redirect: undefined });
    else if (status >= 200 && status < 300) this.#over({ kind: 'content-type', contentType });
    else this.#over({ kind: 'status', status, text: '', redirect });
    return undefined;
  }

  onFailure(error: Error): void {
    this.#again({ kind: 'broken', error });
  }

  push(chunk: Buffer): boolean {
    if (this.#closed) return false;
    if (this.#events.push(chunk)) return true;
    // The rest of an event that is too large would be as large the next time.
    const { message } = new ResponseTooLargeError(this.#options.maxBytes);
    this.#over({ kind: 'broken', error: new Error(message) });
    return false;
  }

  end(): void {
    this.#again({ kind: 'incomplete' });
  }

  onId(id: string): void {
    this.#lastEventId = id === '' ? undefined : id;
  }

  onRetry(ms: number): void {
    this.#retryMs = Math.min(Math.max(ms, MIN_RETRY_MS), MAX_RETRY_MS);
  }

  onEvent({ type, data }: StreamEvent): void {
    this.#attempt = 0;
    if (this.#closed || data === '' || (type !== '' && type !== 'message')) return;
    let message: ReadMessage;
    try {
      message = readMessage(data);
    } catch (error) {
      this.#sink.onError(error instanceof Error ? error : new Error(String(error)));
      return;
    }
    this.#sink.onMessage(message);
  }

  #again(failure: HttpFailure): void {
    if (this.#closed) return;
    if (this.#finished || !(this.#options.isLongLived || this.#lastEventId !== undefined)) {
      this.#over(failure);
      return;
    }
    if (failure.kind !== 'incomplete') this.#sink.onError(sdkErrorOf(failure));
    const delay =
      this.#retryMs ?? Math.min(FIRST_DELAY_MS * 2 ** Math.min(this.#attempt, 10), MAX_DELAY_MS);
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
