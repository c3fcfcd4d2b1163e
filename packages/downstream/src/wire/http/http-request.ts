import type { JsonObject } from '@gateway/call-contract';
import { objectText } from '@gateway/mcp-wire';
import type { Timed } from '../deadlines.ts';
import { requestFailureOf } from './http-failure.ts';
import type { HttpFailure } from './http-failure.ts';
import type { HttpHead } from './http-exchange.ts';
import { post } from './http-post.ts';
import type { HttpChannel, HttpPost, PostSink } from './http-post.ts';
import { answerId, isMessage } from '../message-text.ts';
import type { WireExchange, WireRequest, WireSink } from '../wire.ts';

/** Time for the server to close an answered stream, in milliseconds. */
const ANSWERED_STREAM_MS = 2_000;

/** Returns whether a message is an error and no result. */
const isRefusal = (message: JsonObject): boolean =>
  Object.hasOwn(message, 'error') && message['error'] !== null;

/** One request of the gateway over Streamable HTTP. Messages on its stream belong to it. */
export class HttpRequest implements PostSink, WireExchange, Timed {
  deadline = Infinity;
  readonly #channel: HttpChannel;
  readonly #id: number;
  readonly #sink: WireSink;
  #method = '';
  #post: HttpPost | undefined;
  /** The text that the server sent in place of the answer. */
  #problem: string | undefined;
  #isStream = false;
  #isOver = false;
  #isAnswered = false;

  constructor(channel: HttpChannel, id: number, sink: WireSink) {
    this.#channel = channel;
    this.#id = id;
    this.#sink = sink;
  }

  send({ id, method, params, headers }: WireRequest): void {
    this.#method = method;
    const text = objectText({ jsonrpc: '2.0', id, method, params }, 2);
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

  onAccepted(head: HttpHead, isStream: boolean): void {
    this.#isStream = isStream;
    // A server that accepts the request under another session has replaced the forgotten session.
    const { headers } = this.#channel;
    if (headers.isOtherSession(head)) headers.useSession(head.header('mcp-session-id'));
  }

  onMessage(value: unknown): void {
    if (typeof value !== 'object' || value === null) {
      this.#refuse('a value that is no JSON-RPC message');
      return;
    }
    const message = value as JsonObject;
    if (typeof message['method'] === 'string') this.#pass(message);
    else if (answerId(message['id']) === this.#id) this.#answer(message);
    // A server that could not parse the request id answers with id null.
    else if ((message['id'] ?? null) === null && isRefusal(message))
      this.#answer({ ...message, id: this.#id });
    else this.#takeOther(message);
  }

  #pass(message: JsonObject): void {
    this.#channel.observer.onMessage(message, this.#id);
  }

  #answer(message: JsonObject): void {
    this.#isAnswered = true;
    this.#pass(message);
  }

  /** Takes a value that is no answer to this request. */
  #takeOther(message: JsonObject): void {
    if (!isMessage(message)) this.#refuse('a value that is no JSON-RPC message');
    else if (message['id'] === undefined) this.#refuse('a JSON-RPC answer without "id"');
    else {
      this.#refuse('a JSON-RPC answer with the "id" of another request');
      if (!this.#isStream) this.#post?.closeConnection();
      this.#pass(message);
    }
  }

  #refuse(what: string): void {
    this.#problem = `${this.#method} was answered with ${what}`;
    this.onError(new Error(this.#problem));
  }

  onError(error: Error): void {
    this.#channel.observer.onError(error);
  }

  onOver(failure: HttpFailure): void {
    this.#close();
    const known =
      failure.kind === 'no-answer' && this.#problem !== undefined
        ? { ...failure, reason: this.#problem }
        : failure;
    // The answer to this request would be taken for the answer to the next one.
    if (known.kind === 'no-answer' && !this.#isAnswered) this.#post?.closeConnection();
    this.#sink.onEnd(requestFailureOf(known));
  }

  #close(): void {
    this.#isOver = true;
    if (this.#isStream) this.#channel.lingering.delete(this);
  }
}
