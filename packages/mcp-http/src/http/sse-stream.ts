import { randomBytes } from 'node:crypto';
import { EventStream, type EventStreamLimits } from '../wire/event-stream.ts';
import type { HttpExchange } from '../wire/http-exchange.ts';
import type { Session } from '../sessions/session.ts';

/** Path at which clients post the messages of a stream. */
export const MESSAGES_PATH = '/messages';

const STREAM_ID = /^([\w-]{1,64})\.[\w-]{32}$/;
const ID_BYTES = 24;

/** Returns the process that opened the stream with an id; `undefined` for a text that is no id. */
export const ownerOfStream = (id: string): string | undefined => STREAM_ID.exec(id)?.[1];

/** The stream of one client of the transport of 2024-11-05: the answers to its requests and the messages of its session. */
export class SseStream extends EventStream {
  /** Unguessable name of the stream, which starts with that of its process. */
  readonly id: string;
  /** The `GET` that opened the stream. */
  readonly http: HttpExchange;
  /** Set by the answer to `initialize`. */
  session: Session | undefined;
  #pending = 0;
  #isEnding = false;

  /** Begins the answer to the request, with the event that names the address of its messages. MCP 2024-11-05, HTTP with SSE */
  constructor(http: HttpExchange, owner: string, dependencies: EventStreamLimits) {
    super(http.response, dependencies);
    this.http = http;
    this.id = `${owner}.${randomBytes(ID_BYTES).toString('base64url')}`;
    this.announceEndpoint(`${MESSAGES_PATH}?sessionId=${this.id}`);
  }

  /** Counts a request whose answer the stream carries. */
  begin(): void {
    this.#pending += 1;
  }

  /** Counts an answer. */
  finish(): void {
    this.#pending -= 1;
    if (this.#isEnding) this.end();
  }

  /** Ends the stream after the answers to the requests that run. */
  override end(): void {
    this.#isEnding = true;
    if (this.#pending === 0) super.end();
  }
}
