import { SESSION_HEADER } from '@gateway/mcp-wire';
import { isJsonObject, type JsonObject } from '@gateway/call-contract';
import type { HttpFailure } from './http-failure.ts';
import type { HttpHead } from './http-exchange.ts';
import { HttpPost } from './http-post.ts';
import type { PostSink } from './http-post.ts';
import type { HttpChannel } from './message-stream.ts';
import { answerId, isMessage } from '../message-text.ts';
import type { WireExchange } from '../wire.ts';

/** How a request is sent, and the receiver of its outcome. */
export interface HttpRequestOptions {
  readonly headers: Readonly<Record<string, string>> | undefined;
  /** Id of the gateway's own request; `undefined` for a message of the SDK's client. */
  readonly owner?: number;
  /** The server accepted the message; with `isStream` the messages follow. */
  readonly onAccepted?: (head: HttpHead, isStream: boolean) => void;
  readonly onAnswered?: () => void;
  /** No more messages arrive. */
  readonly onEnd: (failure: HttpFailure, isStream: boolean) => void;
}

/** Time for the server to close an answered stream, in milliseconds. */
const ANSWERED_STREAM_MS = 2_000;

/** Returns whether a message is an error and no result. */
const isRefusal = (message: JsonObject): boolean =>
  Object.hasOwn(message, 'error') && message['error'] !== null;

/** One message over Streamable HTTP with everything that the server sends for it. Messages on the stream of a request belong to it. */
export class HttpRequest implements PostSink, WireExchange {
  readonly #channel: HttpChannel;
  readonly #message: JsonObject;
  readonly #options: HttpRequestOptions;
  readonly #post: HttpPost;
  /** The text that the server sent in place of the answer. */
  #problem: string | undefined;
  #lingerTimer: NodeJS.Timeout | undefined;
  #isStream = false;
  #isOver = false;
  #isAnswered = false;

  constructor(channel: HttpChannel, message: JsonObject, options: HttpRequestOptions) {
    this.#channel = channel;
    this.#message = message;
    this.#options = options;
    const isRequest = typeof message['method'] === 'string' && message['id'] !== undefined;
    this.#post = new HttpPost(channel, { message, isRequest, headers: options.headers }, this);
  }

  send(): void {
    this.#post.send();
  }

  abandon(): void {
    this.#close();
    this.#post.abort();
  }

  finish(): void {
    this.#post.finish();
    if (this.#isOver || !this.#isStream) return;
    this.#lingerTimer = setTimeout(() => this.abandon(), ANSWERED_STREAM_MS).unref();
  }

  onAccepted(head: HttpHead, isStream: boolean): void {
    this.#isStream = isStream;
    // A server that accepts the request under another session has replaced the forgotten session.
    const { headers } = this.#channel;
    if (headers.isOtherSession(head)) headers.sessionId = head.header(SESSION_HEADER);
    this.#options.onAccepted?.(head, isStream);
  }

  onMessage(value: unknown): void {
    if (!isJsonObject(value)) {
      this.#refuse('a value that is no JSON-RPC message');
      return;
    }
    const { id } = this.#message;
    if (typeof value['method'] === 'string') this.#pass(value);
    else if (answerId(value['id']) === id) this.#answer(value);
    // A server that could not parse the request id answers with id null.
    else if ((value['id'] ?? null) === null && isRefusal(value)) this.#answer({ ...value, id });
    else this.#takeOther(value);
  }

  #pass(message: JsonObject): void {
    this.#channel.observer?.onMessage(message, this.#options.owner);
  }

  #answer(message: JsonObject): void {
    this.#isAnswered = true;
    this.#options.onAnswered?.();
    this.#pass(message);
  }

  /** Takes a value that is no answer to this request. */
  #takeOther(message: JsonObject): void {
    if (!isMessage(message)) this.#refuse('a value that is no JSON-RPC message');
    else if (message['id'] === undefined) this.#refuse('a JSON-RPC answer without "id"');
    else {
      this.#refuse('a JSON-RPC answer with the "id" of another request');
      if (!this.#isStream) this.#post.closeConnection();
      this.#pass(message);
    }
  }

  #refuse(what: string): void {
    this.#problem = `${String(this.#message['method'])} was answered with ${what}`;
    this.onError(new Error(this.#problem));
  }

  onError(error: Error): void {
    this.#channel.observer?.onError(error);
  }

  onOver(failure: HttpFailure): void {
    this.#close();
    const known =
      failure.kind === 'no-answer' && this.#problem !== undefined
        ? { ...failure, reason: this.#problem }
        : failure;
    // The answer to this request would be taken for the answer to the next one.
    if (known.kind === 'no-answer' && !this.#isAnswered) this.#post.closeConnection();
    this.#options.onEnd(known, this.#isStream);
  }

  #close(): void {
    this.#isOver = true;
    clearTimeout(this.#lingerTimer);
  }
}
