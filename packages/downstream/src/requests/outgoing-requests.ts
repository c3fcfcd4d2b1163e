import { InFlight } from '@gateway/call-contract';
import type { RequestOptions } from './call.ts';
import { createDeadlines } from '../wire/deadlines.ts';
import type { Timed } from '../wire/deadlines.ts';
import { reasonOf } from '../wire/reason.ts';
import { callerMeta, outgoingMeta } from './request-meta.ts';
import { outcomeOfAnswer } from '../wire/request-outcome.ts';
import type { RequestFailure, RequestOutcome } from '../wire/request-outcome.ts';
import type { OpenRecord, Wire, WireExchange, WireSink } from '../wire/wire.ts';

/** One request of the gateway. */
export interface OutgoingRequest {
  readonly method: string;
  readonly params: OpenRecord;
  readonly timeoutMs: number;
  /** HTTP headers that the protocol derives from the arguments. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly options?: RequestOptions;
}

/** A pending request. */
export interface RunningRequest {
  readonly id: number;
  readonly request: OutgoingRequest;
}

/** Receives the ends of requests. */
export interface RequestWatcher {
  /** The request has ended, with an answer of the server or without one. */
  onRequestOver(request: RunningRequest, how: 'settled' | 'given-up'): void;
  /** The server answered an abandoned request. */
  onLateAnswer(id: number): void;
}

/** The SDK counts its request ids from 0; the gateway's ids start above any of them and fit into 31 bits. */
const FIRST_ID = 1_000_000_000;
const LAST_ID = 2_000_000_000;
const MAX_CANCELLATION_CHARS = 200;

/** Returns whether an id or progress token belongs to the gateway. */
export const isOwnId = (id: unknown): id is number => typeof id === 'number' && id >= FIRST_ID;

const failed = (failure: RequestFailure): RequestOutcome => ({ ok: false, failure });

/** Returns the reason of a cancellation for the server. Never splits a surrogate pair. */
const cancellationText = ({ kind }: RequestFailure, signal: AbortSignal | undefined): string => {
  const reason: unknown = kind === 'cancelled' ? signal?.reason : undefined;
  const text = reason instanceof Error ? reason.message : reason;
  if (typeof text !== 'string' || text === '') return kind;
  return text.slice(0, MAX_CANCELLATION_CHARS).replace(/[\ud800-\udbff]$/u, '');
};

/** The state that the requests of a connection share. */
interface RequestChannel {
  readonly wire: Wire;
  /** Returns the `_meta` that every request of this connection carries, if any. */
  readonly envelope: () => OpenRecord | undefined;
  readonly isModern: () => boolean;
  readonly running: InFlight<number, Running>;
  readonly watcher: RequestWatcher | undefined;
}

const wireParams = (
  channel: RequestChannel,
  id: number,
  { params, options }: OutgoingRequest,
): OpenRecord => {
  const envelope = channel.isModern()
    ? { ...channel.envelope(), ...callerMeta(options?.caller) }
    : undefined;
  const own = options?.onProgress === undefined ? envelope : { ...envelope, progressToken: id };
  const meta = outgoingMeta(options, own);
  return meta === undefined ? params : { ...params, _meta: meta };
};

const sendCancellation = (channel: RequestChannel, id: number, reason: string): void => {
  // A modern HTTP server detects the end of the request's own stream.
  if (channel.isModern() && channel.wire.hasPerRequestStream) return;
  const params = { requestId: id, reason };
  const meta = outgoingMeta(undefined, channel.envelope());
  channel.wire
    .send({
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: meta === undefined ? params : { ...params, _meta: meta },
    })
    // The server is gone; there is nothing to cancel.
    .catch(() => undefined);
};

/** Returns the signal of a request if it already exists. A signal that is created on first access is left for later. */
const readySignal = (options: RequestOptions | undefined): AbortSignal | undefined =>
  options === undefined
    ? undefined
    : // The value of a getter is not in here.
      (Object.getOwnPropertyDescriptor(options, 'signal')?.value as AbortSignal | undefined);

/** One pending request. */
class Running implements RunningRequest, Timed, WireSink {
  readonly id: number;
  readonly request: OutgoingRequest;
  readonly deadline: number;
  readonly #channel: RequestChannel;
  readonly #resolve: (outcome: RequestOutcome) => void;
  #exchange: WireExchange | undefined;
  #signal: AbortSignal | undefined;
  /** The request was pending at an earlier tick. */
  #isSlow = false;
  readonly #onAbort = (): void => this.#giveUp({ kind: 'cancelled' });

  constructor(
    id: number,
    request: OutgoingRequest,
    channel: RequestChannel,
    resolve: (outcome: RequestOutcome) => void,
  ) {
    this.id = id;
    this.request = request;
    this.#channel = channel;
    this.#resolve = resolve;
    this.deadline = performance.now() + request.timeoutMs;
  }

  send(): void {
    const { id, request } = this;
    this.#channel.running.set(id, this);
    this.#watch(readySignal(request.options));
    const params = wireParams(this.#channel, id, request);
    const { method, headers } = request;
    try {
      this.#exchange = this.#channel.wire.exchange({ id, method, params, headers }, this);
    } catch (error) {
      // A request that cannot be serialized is never sent.
      this.onEnd({ kind: 'lost', reason: reasonOf(error) });
    }
  }

  settle(outcome: RequestOutcome, how: 'settled' | 'given-up' = 'settled'): void {
    if (!this.#channel.running.delete(this.id)) return;
    this.#signal?.removeEventListener('abort', this.#onAbort);
    this.#exchange?.finish();
    this.#channel.watcher?.onRequestOver(this, how);
    this.#resolve(outcome);
  }

  onTick(): void {
    // Most answers arrive before the second tick, so the signal of a fast request is never created.
    if (this.#isSlow && this.#signal === undefined) this.#watch(this.request.options?.signal);
    this.#isSlow = true;
  }

  onLate(): void {
    this.#giveUp({ kind: 'timeout', timeoutMs: this.request.timeoutMs });
  }

  onEnd(failure: RequestFailure): void {
    // A server whose answer was lost may still be processing the request.
    this.settle(failed(failure), failure.kind === 'lost' ? 'given-up' : 'settled');
  }

  #watch(signal: AbortSignal | undefined): void {
    this.#signal = signal;
    if (signal?.aborted === true) this.#onAbort();
    else signal?.addEventListener('abort', this.#onAbort, { once: true });
  }

  #giveUp(failure: RequestFailure): void {
    if (!this.#channel.running.has(this.id)) return;
    this.settle(failed(failure), 'given-up');
    sendCancellation(this.#channel, this.id, cancellationText(failure, this.#signal));
    this.#exchange?.abandon();
  }
}

/** The gateway's own requests on one connection. */
export interface OutgoingRequests {
  /** Sends one request. Never rejects, never sends it twice, and settles by its deadline. */
  request(request: OutgoingRequest): Promise<RequestOutcome>;
  /** Settles the request with this id; an answer to an abandoned request is only recorded. */
  answer(id: number, message: OpenRecord, resultText: string | undefined): void;
  get(id: number): RunningRequest | undefined;
  all(): Iterable<RunningRequest>;
  /** Number of pending requests. */
  readonly size: number;
  /** Fails all pending requests. */
  end(reason: string): void;
}

/** Returns the requests of one connection. `envelope` returns the `_meta` that each of them carries. */
export const createOutgoingRequests = (
  wire: Wire,
  envelope: () => OpenRecord | undefined,
  isModern: () => boolean,
  watcher?: RequestWatcher,
): OutgoingRequests => {
  const running = new InFlight<number, Running>();
  const channel: RequestChannel = { wire, envelope, isModern, running, watcher };
  const deadlines = createDeadlines(() => running.values());
  let nextId = FIRST_ID;
  return {
    request(request) {
      if (readySignal(request.options)?.aborted === true)
        return Promise.resolve(failed({ kind: 'cancelled' }));
      const id = nextId;
      nextId = id >= LAST_ID ? FIRST_ID : id + 1;
      deadlines.watch();
      return new Promise((resolve) => new Running(id, request, channel, resolve).send());
    },
    answer(id, message, resultText) {
      const request = running.get(id);
      if (request === undefined) watcher?.onLateAnswer(id);
      else request.settle(outcomeOfAnswer(message, resultText));
    },
    get: (id) => running.get(id),
    all: () => running.values(),
    get size() {
      return running.size;
    },
    end(reason) {
      deadlines.stop();
      for (const one of running.values()) one.settle(failed({ kind: 'lost', reason }));
    },
  };
};
