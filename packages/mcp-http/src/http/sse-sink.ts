import { joinText, type LongText } from '@gateway/mcp-wire';
import { sizeOf } from '../wire/answer.ts';
import { whenClosed } from '../wire/connection-watch.ts';
import { errorMessage, type RpcId } from '../protocol/json-rpc.ts';
import { refusalError, type Refusal } from '../protocol/refusal.ts';
import type { ResponseSink, SettledResponse } from '../protocol/response-sink.ts';
import type { UnreadAnswers } from '../wire/unread-answers.ts';
import type { SseStream } from './sse-stream.ts';

/** The answer to one request on the stream of its client. */
export class SseSink implements ResponseSink {
  readonly #stream: SseStream;
  readonly #unread: UnreadAnswers;
  readonly #id: RpcId;
  #isSettled = false;

  constructor(stream: SseStream, unread: UnreadAnswers, id: RpcId) {
    this.#stream = stream;
    this.#unread = unread;
    this.#id = id;
    stream.begin();
  }

  get canStream(): boolean {
    return !this.#isSettled && !this.#stream.http.response.destroyed;
  }

  notify(message: string): void {
    if (this.canStream) this.#stream.notify(message);
  }

  send(message: string): boolean {
    if (!this.canStream || !this.#unread.admits(sizeOf(message))) return false;
    this.#stream.write(message);
    return true;
  }

  /** Does nothing: the stream is open already. */
  keepAlive(): void {
    return undefined;
  }

  settle({ message, refusal }: SettledResponse): void {
    if (this.#isSettled) return;
    const isOpen = this.canStream;
    this.#isSettled = true;
    // The status and the headers of the `POST` were sent with 202.
    if (refusal !== undefined) this.#stream.http.recordRefusal(refusal);
    if (message !== undefined && isOpen) this.#stream.write(this.#admitted(message));
    this.#stream.finish();
  }

  onDisconnect(listener: () => void): () => void {
    return whenClosed(this.#stream.http.request.socket, listener);
  }

  /** Returns the message, or the error in its place when clients leave too much unread. */
  #admitted(message: LongText): string {
    if (this.#unread.admits(sizeOf(message))) return joinText(message);
    const full: Refusal = { code: 'answers-full', limit: this.#unread.limit };
    this.#stream.http.recordRefusal(full);
    return errorMessage(this.#id, refusalError(full));
  }
}
