import type { ServerResponse } from 'node:http';
import { answerJson } from './answer.ts';
import type { AcceptedFramings } from './content-negotiation.ts';
import { EventStream } from './event-stream.ts';
import { errorMessage, RPC_CODE } from './json-rpc.ts';
import type { McpHttpLimits } from './limits.ts';

/** How one `POST` wants to be answered. */
export interface ExchangeOptions {
  readonly accepted: AcceptedFramings;
  /** The answer of a batch is an array, even with one element. */
  readonly isBatch: boolean;
  /** How many requests of this `POST` are still to be settled. */
  readonly pending: number;
  readonly limits: Pick<McpHttpLimits, 'keepAliveMs' | 'maxUnreadBytes' | 'writeTimeoutMs'>;
}

/** What became of one request of an exchange, as text of a JSON-RPC message; `undefined`: cancelled, no answer. */
export interface Settled {
  readonly message: string | undefined;
  /** HTTP status when this message is the whole answer. */
  readonly status: number;
}

/**
 * The answer to one `POST`: a JSON body, or an event stream once there is something to say before the end.
 * Writes nothing after its end or after the caller has gone.
 */
export class Exchange {
  readonly #response: ServerResponse;
  readonly #options: ExchangeOptions;
  readonly #settled: string[] = [];
  #pending: number;
  #status = 200;
  #stream: EventStream | undefined;

  constructor(response: ServerResponse, options: ExchangeOptions) {
    this.#response = response;
    this.#options = options;
    this.#pending = options.pending;
  }

  /** Sends a notification of a running request; dropped when the caller takes no event stream or lags behind. */
  notify(message: string): void {
    if (!this.#canStream) return;
    const stream = this.#upgraded();
    if (!stream.isBehind) stream.write(message);
  }

  /** Opens the event stream early, for its comments, when the caller takes one. */
  keepAlive(): void {
    if (this.#canStream) this.#upgraded();
  }

  get #canStream(): boolean {
    return this.#options.accepted.events && this.#pending > 0 && !this.#response.destroyed;
  }

  /** Settles one request; the last one ends the exchange. */
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

  #upgraded(): EventStream {
    if (this.#stream === undefined) {
      this.#stream = new EventStream(this.#response, this.#options.limits);
      for (const message of this.#settled.splice(0)) this.#stream.write(message);
    }
    return this.#stream;
  }

  #finish(): void {
    const response = this.#response;
    if (response.destroyed) return;
    const { accepted, isBatch } = this.#options;
    const isSilent = this.#settled.length === 0;
    if (this.#stream === undefined && accepted.json && !(isSilent && accepted.events)) {
      this.#finishAsJson(isBatch, isSilent);
    } else this.#upgraded().end();
    if (response.writableLength > 0) this.#cutSlowReader();
  }

  #finishAsJson(isBatch: boolean, isSilent: boolean): void {
    // A caller that reads JSON only still has to learn that its request has ended.
    if (isSilent) this.#settled.push(CANCELLED_MESSAGE);
    const body = isBatch ? `[${this.#settled.join(',')}]` : this.#settled.join('');
    answerJson(this.#response, isBatch ? 200 : this.#status, body);
  }

  #cutSlowReader(): void {
    const timer = setTimeout(() => this.#response.destroy(), this.#options.limits.writeTimeoutMs);
    timer.unref();
    this.#response.once('close', () => {
      clearTimeout(timer);
    });
  }
}

const CANCELLED_MESSAGE = errorMessage(null, {
  code: RPC_CODE.transport,
  message: 'Request cancelled',
});
