import type { Timed } from '../deadlines.ts';
import { requestFailureOf } from './http-failure.ts';
import type { HttpFailure } from './http-failure.ts';
import type { HttpHead } from './http-exchange.ts';
import { isMessage, post } from './http-channel.ts';
import type { HttpChannel } from './http-channel.ts';
import type { HttpPost, PostSink } from './http-post.ts';
import type { ReadMessage } from '../message-text.ts';
import type { WireExchange, WireRequest, WireSink } from '../wire.ts';

/** Time for the server to close an answered stream, in milliseconds. */
const ANSWERED_STREAM_MS = 2_000;

/** One request of the gateway over Streamable HTTP. Messages on its stream belong to it. */
export class HttpRequest implements PostSink, WireExchange, Timed {
  deadline = Infinity;
  readonly #channel: HttpChannel;
  readonly #id: number;
  readonly #sink: WireSink;
  #post: HttpPost | undefined;
  #isStream = false;
  #isOver = false;

  constructor(channel: HttpChannel, id: number, sink: WireSink) {
    this.#channel = channel;
    this.#id = id;
    this.#sink = sink;
  }

  send({ id, method, params, headers }: WireRequest): void {
    const text = JSON.stringify({ jsonrpc: '2.0', id, method, params });
    this.#post = post(this.#channel, { method, params, text, isRequest: true, headers }, this);
  }

  abandon(): void {
    this.#close();
    this.#post?.abort();
  }

  finish(): void {
    if (this.#isOver || !this.#isStream) return;
    this.#post?.finish();
    this.deadline = performance.now() + ANSWERED_STREAM_MS;
    this.#channel.lingering.add(this);
    this.#channel.lingerDeadlines.watch();
  }

  onTick(): void {
    // The server has time to close the stream.
  }

  onLate(): void {
    this.abandon();
  }

  onAccepted(_head: HttpHead, isStream: boolean): void {
    this.#isStream = isStream;
  }

  onMessage({ value, resultText }: ReadMessage): void {
    const { observer } = this.#channel;
    if (!isMessage(value)) this.onError(new Error('a value on the stream is no message'));
    else if (typeof value['method'] === 'string' || value['id'] === this.#id)
      observer.onMessage(value, resultText, this.#id);
    // A server that could not parse the request id answers with id null.
    else if (value['id'] === null && Object.hasOwn(value, 'error'))
      observer.onMessage({ ...value, id: this.#id }, undefined, this.#id);
    else this.onError(new Error('an answer has the id of another request'));
  }

  onError(error: Error): void {
    this.#channel.observer.onError(error);
  }

  onOver(failure: HttpFailure): void {
    this.#close();
    this.#sink.onEnd(requestFailureOf(failure));
  }

  #close(): void {
    this.#isOver = true;
    if (this.#isStream) this.#channel.lingering.delete(this);
  }
}
