import { type Principal, RPC_CODE } from '@gateway/call-contract';
import { countBytes, formatError, joinText, type LongText, type RpcId } from '@gateway/mcp-wire';
import type { JSONRPCRequest } from '@modelcontextprotocol/server';
import type { ServiceProtocol } from '../callers/service-protocol.ts';
import { refusalError, type InsufficientScope, type Refusal } from '../protocol/refusal.ts';
import type { HeaderReader } from '../protocol/request-headers.ts';
import type { ResponseSink, SettledResponse } from '../protocol/request-scope.ts';
import type { Era } from '../protocol/results.ts';
import type { Session, SessionScope } from '../sessions/session-store.ts';
import type { ResumableStream } from '../sessions/session-streams.ts';
import { whenClosed } from '../wire/connection-watch.ts';
import { EventStream } from '../wire/event-stream.ts';
import type { UnreadAnswers } from '../wire/unread-answers.ts';
import { answerJson, closeWhenUnread, sizeOf, type HttpExchange } from '../wire/http-exchange.ts';

/** The scope of the requests of one `POST`. */
export class PostScope implements SessionScope {
  readonly era: Era;
  readonly principal: Principal;
  readonly session: Session | undefined;
  readonly exchange: ResponseSink;
  readonly #http: HttpExchange;

  constructor(http: HttpExchange, era: Era, session: Session | undefined, exchange: ResponseSink) {
    this.era = era;
    this.principal = http.principal;
    this.session = session;
    this.exchange = exchange;
    this.#http = http;
  }

  get callerKey(): string {
    return this.#http.caller;
  }

  get header(): HeaderReader {
    return this.#http.header;
  }
}

const answersFull = ({ limit }: UnreadAnswers): Refusal => ({ code: 'answers-full', limit });

/** Returns a message of a stream, or the error in its place when clients leave too much unread. */
export const admitMessage = (
  message: LongText,
  id: RpcId | null,
  http: HttpExchange,
  unread: UnreadAnswers,
): string => {
  if (unread.admits(sizeOf(message))) return joinText(message);
  const refusal = answersFull(unread);
  http.recordRefusal(refusal);
  return formatError(id, refusalError(refusal));
};

/**
 * The answer to one `POST`: a JSON body, or an event stream once a message precedes the response. Writes nothing after its end
 * or after the caller has disconnected.
 */
export class Exchange implements ResponseSink {
  readonly #http: HttpExchange;
  readonly #protocol: ServiceProtocol;
  readonly #session: Session | undefined;
  /** Id of the request; `null` for a batch. */
  readonly #id: RpcId | null;
  readonly #batchSize: number | undefined;
  /** The request, where it is the only one. */
  readonly #request: JSONRPCRequest | undefined;
  /** Messages that wait for the end of a JSON answer or for the start of a stream. */
  #settled: LongText[] | undefined;
  #pending: number;
  #status = 200;
  #stream: EventStream | ResumableStream | undefined;
  #isResumable = false;
  #onAbandoned: (() => void) | undefined;

  /** @param requests the request, or those of a batch, whose answer is an array */
  constructor(
    http: HttpExchange,
    protocol: ServiceProtocol,
    session: Session | undefined,
    requests: JSONRPCRequest | readonly JSONRPCRequest[],
  ) {
    this.#http = http;
    this.#protocol = protocol;
    this.#session = session;
    if (isBatch(requests)) {
      this.#id = null;
      this.#batchSize = requests.length;
      this.#request = requests.length === 1 ? requests[0] : undefined;
    } else {
      this.#id = requests.id;
      this.#request = requests;
    }
    this.#pending = this.#batchSize ?? 1;
  }

  get canStream(): boolean {
    const { accepted, response } = this.#http;
    return accepted.events && this.#pending > 0 && (this.#isResumable || !response.destroyed);
  }

  notify(message: string): void {
    if (this.canStream) this.#upgraded().notify(message);
  }

  send(message: string): boolean {
    if (!this.canStream || !this.#protocol.parts.unread.admits(sizeOf(message))) return false;
    this.#upgraded().write(message);
    return true;
  }

  keepAlive(): void {
    if (this.canStream) this.#upgraded();
  }

  settle({ message, status, refusal }: SettledResponse): void {
    if (this.#pending === 0) return;
    this.#pending -= 1;
    if (refusal !== undefined && this.#refuse(refusal)) return;
    this.#status = status;
    if (message !== undefined) {
      if (this.#stream === undefined) (this.#settled ??= []).push(message);
      else this.#stream.write(this.#admitted(message));
    }
    if (this.#pending === 0) this.#finish();
  }

  onDisconnect(listener: () => void): () => void {
    this.#onAbandoned = listener;
    // A pipelined response has no socket of its own before its turn, but its request has.
    return whenClosed(this.#http.request.socket, () => {
      if (!this.#isResumable) listener();
    });
  }

  /** Answers with the status and the headers of a refusal. Returns `false` for one request of a batch, and after the stream began. */
  #refuse(refusal: InsufficientScope): boolean {
    if (this.#batchSize !== undefined || this.#stream !== undefined) {
      this.#http.recordRefusal(refusal);
      return false;
    }
    this.#http.refuse(refusal, this.#id);
    return true;
  }

  #upgraded(): EventStream | ResumableStream {
    if (this.#stream === undefined) {
      this.#stream = this.#started();
      for (const message of this.#settled?.splice(0) ?? []) {
        this.#stream.write(this.#admitted(message));
      }
    }
    return this.#stream;
  }

  #started(): EventStream | ResumableStream {
    const { response, header } = this.#http;
    const reader = new EventStream(response, this.#protocol.parts);
    // The only request that is settled already has nothing to come back for.
    const session = this.#pending > 0 ? this.#session : undefined;
    const request = this.#request;
    if (session === undefined || request === undefined) return reader;
    const onAbandoned = (): void => this.#onAbandoned?.();
    const { channels } = this.#protocol;
    const stream = channels.startResumable(session, header, { request, onAbandoned });
    if (stream === undefined) return reader;
    this.#isResumable = true;
    stream.open(reader);
    response.once('close', () => stream.lose(reader));
    return stream;
  }

  #finish(): void {
    const { response } = this.#http;
    if (this.#isResumable) this.#stream?.end();
    if (response.destroyed) return;
    if (this.#stream === undefined && this.#takesJson()) this.#finishAsJson();
    else if (!this.#isResumable) this.#upgraded().end();
  }

  #admitted(message: LongText): string {
    return admitMessage(message, this.#id, this.#http, this.#protocol.parts.unread);
  }

  /** Returns whether the answer is JSON; an exchange without messages is an empty stream for a caller that accepts one. */
  #takesJson(): boolean {
    const { accepted } = this.#http;
    return accepted.json && !(accepted.events && this.#settled === undefined);
  }

  #finishAsJson(): void {
    // A caller that reads JSON only still has to learn that its request has ended.
    const messages = this.#settled ?? [CANCELLED_MESSAGE];
    const isArray = this.#batchSize !== undefined;
    const body = isArray ? this.#batchBody(messages) : (messages[0] ?? '');
    const { response } = this.#http;
    const { unread, limits } = this.#protocol.parts;
    const size = countBytes(body ?? '');
    if (body !== undefined && unread.admits(size)) {
      const content =
        typeof body === 'string' && !unread.admitsText(size) ? [Buffer.from(body)] : body;
      answerJson(response, isArray ? 200 : this.#status, content, size);
    } else this.#http.refuse(answersFull(unread), this.#id);
    if (response.writableLength === 0) return;
    unread.follow(response);
    closeWhenUnread(response, limits.writeTimeoutMs);
  }

  /** Returns the answer to a batch; `undefined` for one over the limit of unread answers, which would fill the memory or be too long. */
  #batchBody(messages: readonly LongText[]): string | undefined {
    const bytes = messages.reduce((sum, message) => sum + sizeOf(message), 0);
    if (!this.#protocol.parts.unread.admits(bytes)) return undefined;
    return `[${messages.map(joinText).join(',')}]`;
  }
}

// `Array.isArray` does not narrow a list that is read-only.
const isBatch = (
  requests: JSONRPCRequest | readonly JSONRPCRequest[],
): requests is readonly JSONRPCRequest[] => Array.isArray(requests);

const CANCELLED_MESSAGE = formatError(null, {
  code: RPC_CODE.transport,
  message: 'Request cancelled',
});
