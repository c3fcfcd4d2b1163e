import { isJsonObject, type JsonObject } from '@gateway/call-contract';
import { isEventStream, objectText } from '@gateway/mcp-wire';
import { renewing } from './http-authority.ts';
import { WholeBody } from './http-body.ts';
import type { BodyReader } from './http-body.ts';
import type { HttpParts } from './http-connections.ts';
import { HttpExchange } from './http-exchange.ts';
import type { HttpHandler, HttpHead } from './http-exchange.ts';
import type { HttpFailure } from './http-failure.ts';
import { MessageStream, passMessages } from './message-stream.ts';
import type { HttpChannel, StreamSink } from './message-stream.ts';
import { MessageReader } from '../message-text.ts';

/** Receives the outcome of a POST. */
export interface PostSink extends StreamSink {
  /** The server accepted the message; with `isStream` the messages follow. */
  onAccepted(head: HttpHead, isStream: boolean): void;
}

/** A message to post. */
export interface OutgoingMessage {
  readonly message: JsonObject;
  /** The message is a request, so an answer is read. */
  readonly isRequest: boolean;
  /** Further headers. */
  readonly headers: Readonly<Record<string, string>> | undefined;
}

/** The request of 2026-07-28 that stays open as long as the connection. */
const LONG_LIVED_METHOD = 'subscriptions/listen';

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
  readonly #channel: HttpChannel;
  readonly #message: OutgoingMessage;
  readonly #sink: PostSink;
  #exchange: HttpExchange | undefined;
  #stream: MessageStream | undefined;
  #isFinished = false;
  #over = false;

  constructor(channel: HttpChannel, message: OutgoingMessage, sink: PostSink) {
    this.#channel = channel;
    this.#message = message;
    this.#sink = sink;
  }

  /** Sends the message, and once more after its credential was renewed. */
  send(): void {
    this.#sendOnce(() => {
      if (!this.#over) this.#sendOnce();
    });
  }

  #sendOnce(again?: () => void): void {
    const { connections, target, headers, authority, open } = this.#channel;
    const { message, headers: extra } = this.#message;
    const method = typeof message['method'] === 'string' ? message['method'] : undefined;
    const params = isJsonObject(message['params']) ? message['params'] : undefined;
    const parts: HttpParts = {
      method: 'POST',
      headers: headers.message(method, params, extra),
      body: objectText(message, 2),
      isLongLived: method === LONG_LIVED_METHOD,
    };
    this.#exchange = new HttpExchange(connections, target, parts, renewing(authority, this, again));
    open.set(this.#number, this);
    this.#exchange.send();
  }

  /** The outcome is reported, or the post was aborted. */
  get isOver(): boolean {
    return this.#over;
  }

  /** Aborts the exchange. */
  abort(): void {
    this.#over = true;
    this.#channel.open.delete(this.#number);
    this.#stream?.close();
    this.#exchange?.abort();
  }

  /** Closes the connection, because it carried the answer to something else. */
  closeConnection(): void {
    this.#exchange?.closeConnection();
  }

  /** The answer arrived: a stream that ends from now on is complete. */
  finish(): void {
    this.#isFinished = true;
    this.#stream?.finish();
  }

  onHead(head: HttpHead): BodyReader | undefined {
    const { status } = head;
    if (status < 200 || status >= 300) return this.#refusal(head);
    if (!this.#message.isRequest || status === 202) {
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
    const { maxBytes } = this.#channel;
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
    const namesOtherSession = this.#channel.headers.isOtherSession(head);
    return this.#whole(head, (bytes) => {
      const text = bytes.toString('utf8');
      this.#end({ kind: 'status', status, text, redirect, namesOtherSession });
    });
  }

  #events(): MessageStream {
    this.#stream = new MessageStream(this.#channel, {
      onMessage: (message) => this.#sink.onMessage(message),
      onError: (error) => this.#sink.onError(error),
      onOver: (failure) => this.#end(failure),
    });
    return this.#stream;
  }

  #read(bytes: Buffer): void {
    const reader = new MessageReader({
      onMessage: (value) => {
        if (this.#over) return;
        passMessages(value, this.#sink);
        // The answer may have ended the exchange.
        if (this.isOver) return;
        const text = this.#isFinished ? '' : bytes.toString('utf8', 0, MAX_SHOWN_BYTES);
        this.#end({ kind: 'no-answer', reason: 'it is no JSON-RPC answer to the request', text });
      },
      onUnreadable: (error) => this.#end({ kind: 'not-json', error }),
    });
    reader.push(bytes);
  }

  #end(failure: HttpFailure): void {
    if (this.#over) return;
    this.#over = true;
    this.#channel.open.delete(this.#number);
    this.#sink.onOver(failure);
  }
}
