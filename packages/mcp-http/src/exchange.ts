import { answerJson } from './answer.ts';
import { EventStream } from './event-stream.ts';
import type { HttpExchange } from './http-exchange.ts';
import { errorMessage, RPC_CODE } from './json-rpc.ts';
import type { McpHttpLimits } from './limits.ts';
import type { ResumableStream } from './resumable-stream.ts';

/** How one `POST` wants to be answered. */
export interface ExchangeOptions {
  /** The answer of a batch is an array, even with one element. */
  readonly isBatch: boolean;
  /** How many requests of this `POST` are still to be settled. */
  readonly pending: number;
  readonly limits: Pick<McpHttpLimits, 'keepAliveMs' | 'maxUnreadBytes' | 'writeTimeoutMs'>;
  /** Starts a stream that the caller may come back to, once there is a stream at all; `undefined`: the caller cannot. */
  readonly resumable?: (onAbandoned: () => void) => ResumableStream | undefined;
}

/** What became of one request of an exchange, as text of a JSON-RPC message; `undefined`: cancelled, no answer. */
export interface Settled {
  readonly message: string | undefined;
  /** HTTP status when this message is the whole answer. */
  readonly status: number;
}

/** The way back to the caller of a request: its `POST` here, or one that another process holds. */
export interface AnswerWay {
  /** Whether anything but the answer can be sent. */
  readonly canStream: boolean;
  /** Sends a notification of a running request; dropped when the caller takes no event stream or lags behind. */
  notify(message: string): void;
  /** Sends a message that must not be lost; `false` when the caller takes no event stream. */
  send(message: string): boolean;
  /** Opens the event stream early, for its comments, when the caller takes one. */
  keepAlive(): void;
  /** Settles one request; the last one ends the exchange. */
  settle(settled: Settled): void;
  /** Calls the listener once the caller has gone and will not come back, until the returned function is called. */
  whenGone(listener: () => void): () => void;
}

/**
 * The answer to one `POST`: a JSON body, or an event stream once there is something to say before the end.
 * Writes nothing after its end or after the caller has gone.
 */
export class Exchange implements AnswerWay {
  readonly #http: HttpExchange;
  readonly #options: ExchangeOptions;
  readonly #settled: string[] = [];
  #pending: number;
  #status = 200;
  #stream: EventStream | ResumableStream | undefined;
  #isResumable = false;
  #onAbandoned: (() => void) | undefined;

  constructor(http: HttpExchange, options: ExchangeOptions) {
    this.#http = http;
    this.#options = options;
    this.#pending = options.pending;
  }

  get canStream(): boolean {
    const { accepted, response } = this.#http;
    return accepted.events && this.#pending > 0 && (this.#isResumable || !response.destroyed);
  }

  notify(message: string): void {
    if (this.canStream) this.#upgraded().notify(message);
  }

  send(message: string): boolean {
    if (!this.canStream) return false;
    this.#upgraded().write(message);
    return true;
  }

  keepAlive(): void {
    if (this.canStream) this.#upgraded();
  }

  settle({ message, status }: Settled): void {
    if (this.#pending === 0) return;
    this.#pending -= 1;
    this.#status = status;
    if (message !== undefined) {
      if (this.#stream === undefined) this.#settled.push(message);
      else this.#stream.write(message);
    }
    if (this.#pending === 0) this.#finish();
  }

  whenGone(listener: () => void): () => void {
    const connection = connectionOf(this.#http);
    const onClose = (): void => {
      if (!this.#isResumable) listener();
    };
    this.#onAbandoned = listener;
    connection.once('close', onClose);
    return () => {
      connection.off('close', onClose);
    };
  }

  #upgraded(): EventStream | ResumableStream {
    if (this.#stream === undefined) {
      this.#stream = this.#started();
      for (const message of this.#settled.splice(0)) this.#stream.write(message);
    }
    return this.#stream;
  }

  #started(): EventStream | ResumableStream {
    const { response } = this.#http;
    const { limits, resumable, pending } = this.#options;
    const reader = new EventStream(response, limits);
    // The only request that is settled already has nothing to come back for.
    const isUseful = this.#pending > 0 && pending === 1;
    const stream = isUseful ? resumable?.(() => this.#onAbandoned?.()) : undefined;
    if (stream === undefined) return reader;
    this.#isResumable = true;
    stream.open(reader);
    response.once('close', () => stream.lose(reader));
    return stream;
  }

  #finish(): void {
    const { response, accepted } = this.#http;
    if (this.#isResumable) this.#stream?.end();
    if (response.destroyed) return;
    const { isBatch } = this.#options;
    const isSilent = this.#settled.length === 0;
    if (this.#stream === undefined && accepted.json && !(isSilent && accepted.events)) {
      this.#finishAsJson(isBatch, isSilent);
    } else if (!this.#isResumable) this.#upgraded().end();
    if (response.writableLength > 0) this.#cutSlowReader();
  }

  #finishAsJson(isBatch: boolean, isSilent: boolean): void {
    // A caller that reads JSON only still has to learn that its request has ended.
    if (isSilent) this.#settled.push(CANCELLED_MESSAGE);
    const body = isBatch ? `[${this.#settled.join(',')}]` : this.#settled.join('');
    answerJson(this.#http.response, isBatch ? 200 : this.#status, body);
  }

  #cutSlowReader(): void {
    const { response } = this.#http;
    const timer = setTimeout(() => response.destroy(), this.#options.limits.writeTimeoutMs);
    timer.unref();
    response.once('close', () => {
      clearTimeout(timer);
    });
  }
}

/** What emits `close` when the caller goes: a pipelined response has no socket of its own before its turn. */
const connectionOf = ({
  request,
  response,
}: HttpExchange): Pick<NodeJS.EventEmitter, 'off' | 'once'> =>
  response.socket === null ? request.socket.setMaxListeners(0) : response;

const CANCELLED_MESSAGE = errorMessage(null, {
  code: RPC_CODE.transport,
  message: 'Request cancelled',
});
