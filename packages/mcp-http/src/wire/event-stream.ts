import { InFlightMap } from '@gateway/call-contract';
import {
  EVENT_STREAM_TYPE,
  formatEndpointEvent,
  formatEvent,
  formatEventId,
  formatRetry,
  KEEP_ALIVE_COMMENT,
} from '@gateway/mcp-wire';
import type { ServerResponse } from 'node:http';
import type { McpHttpLimits } from '../protocol/limits.ts';
import type { EndpointRefusal } from '../protocol/refusal.ts';
import { closeWhenUnread, type HttpExchange } from './http-exchange.ts';

/** The property of a response that contains the id of its unread answer. */
const UNREAD_ID = Symbol('unread answer');

interface TrackedResponse extends ServerResponse {
  [UNREAD_ID]?: number | undefined;
}

interface UnreadAnswer {
  readonly response: TrackedResponse;
  /** Time of the first unread byte. */
  readonly since: number;
  /** Unread bytes at the last count. */
  bytes: number;
}

/**
 * Share of the limit up to which answers are written as strings. An unread string counts one byte per character but occupies up to
 * five: two in the string and three in its encoding.
 */
const TEXT_SHARE = 1 / 8;

/**
 * Limits the unread bytes of answers over all connections. When an answer would exceed the limit, the slowest readers are
 * disconnected; when that is not enough, the answer is refused.
 */
export class UnreadAnswers {
  readonly #maxBytes: number;
  readonly #slowReaderMs: number;
  readonly #now: () => number;
  readonly #unread = new InFlightMap<number, UnreadAnswer>();
  #count = 0;
  /** An upper bound of the unread bytes, because reads are not reported. */
  #bytes = 0;

  constructor(
    {
      maxUnreadAnswerBytes,
      slowReaderMs,
    }: Pick<McpHttpLimits, 'maxUnreadAnswerBytes' | 'slowReaderMs'>,
    now: () => number = () => performance.now(),
  ) {
    this.#maxBytes = maxUnreadAnswerBytes;
    this.#slowReaderMs = slowReaderMs;
    this.#now = now;
  }

  /** The limit, in bytes. */
  get limit(): number {
    return this.#maxBytes;
  }

  /** Unread bytes now. */
  get bytes(): number {
    this.#recount();
    return this.#bytes;
  }

  /** Returns whether an answer of this size can be written. */
  admits(bytes: number): boolean {
    if (this.#bytes + bytes <= this.#maxBytes) return true;
    this.#recount();
    if (this.#bytes + bytes > this.#maxBytes) this.#closeSlowReaders(bytes);
    return this.#bytes + bytes <= this.#maxBytes;
  }

  /**
   * Returns whether so little is unread that an answer can be written as a string, which the runtime keeps in addition to its bytes.
   * Strings add at most half of the limit.
   */
  admitsText(bytes: number): boolean {
    return this.#bytes + bytes <= this.#maxBytes * TEXT_SHARE;
  }

  /** Counts the unread bytes of a response until it drains or closes. Called after each write. */
  follow(response: TrackedResponse): void {
    const bytes = response.writableLength;
    if (bytes === 0 || response.destroyed) return;
    const found = this.#find(response);
    if (found !== undefined) {
      this.#bytes += bytes - found.bytes;
      found.bytes = bytes;
      return;
    }
    response[UNREAD_ID] = this.#count += 1;
    this.#unread.set(this.#count, { response, since: this.#now(), bytes });
    this.#bytes += bytes;
    // Removes both listeners at the first event, because a stream can drain many times before it closes.
    const forget = (): void => {
      response.off('close', forget).off('drain', forget);
      this.#forget(response);
    };
    response.on('close', forget).on('drain', forget);
  }

  #find({ [UNREAD_ID]: number }: TrackedResponse): UnreadAnswer | undefined {
    return number === undefined ? undefined : this.#unread.get(number);
  }

  #forget(response: TrackedResponse): void {
    const { [UNREAD_ID]: number } = response;
    const found = this.#find(response);
    if (number === undefined || found === undefined) return;
    response[UNREAD_ID] = undefined;
    this.#unread.delete(number);
    this.#bytes -= found.bytes;
  }

  #recount(): void {
    let total = 0;
    for (const answer of this.#unread.values()) {
      answer.bytes = answer.response.writableLength;
      total += answer.bytes;
    }
    this.#bytes = total;
  }

  #closeSlowReaders(bytes: number): void {
    const slowSince = this.#now() - this.#slowReaderMs;
    for (const { response, since } of this.#unread.values()) {
      if (this.#bytes + bytes <= this.#maxBytes || since > slowSince) return;
      this.#forget(response);
      // A pipelined response has no socket before its turn.
      if (response.socket === null) response.req.socket.destroy();
      else response.destroy();
    }
  }
}

const waitingStreams = new WeakSet<ServerResponse>();

/** Marks a response as an event stream without a running call, on which the client only waits for changes. */
const markWaitingStream = (response: ServerResponse): void => {
  waitingStreams.add(response);
};

/** Returns whether a response is an event stream without a running call. */
export const isWaitingStream = (response: ServerResponse): boolean => waitingStreams.has(response);

/**
 * Limits the open event streams without a running call (of sessions and of `subscriptions/listen`), per process and per caller.
 * At the limit of the process, the oldest stream of the caller with the most streams is closed, so that one caller cannot
 * exclude the others.
 */
export class StreamLimits {
  readonly #limits: Pick<McpHttpLimits, 'maxStreams' | 'maxStreamsPerCaller'>;
  /** Streams by caller, oldest first. */
  readonly #open = new Map<string, Set<ServerResponse>>();
  #count = 0;

  constructor(limits: Pick<McpHttpLimits, 'maxStreams' | 'maxStreamsPerCaller'>) {
    this.#limits = limits;
  }

  /** Number of open streams. */
  get size(): number {
    return this.#count;
  }

  /** Counts a stream until it closes. Returns the refusal when there are too many. */
  admit({
    caller,
    response,
  }: Pick<HttpExchange, 'caller' | 'response'>): EndpointRefusal | undefined {
    const { maxStreams, maxStreamsPerCaller } = this.#limits;
    const size = this.#open.get(caller)?.size ?? 0;
    if (size >= maxStreamsPerCaller) {
      return { code: 'caller-streams-full', limit: maxStreamsPerCaller };
    }
    if (this.#count >= maxStreams && !this.#replace(size)) {
      return { code: 'streams-full', limit: maxStreams };
    }
    this.#add(caller, response);
    return undefined;
  }

  #add(caller: string, response: ServerResponse): void {
    const streams = this.#open.get(caller) ?? new Set();
    this.#open.set(caller, streams.add(response));
    this.#count += 1;
    markWaitingStream(response);
    response.once('close', () => this.#remove(caller, response));
  }

  #remove(caller: string, response: ServerResponse): void {
    const streams = this.#open.get(caller);
    if (streams?.delete(response) !== true) return;
    this.#count -= 1;
    if (streams.size === 0) this.#open.delete(caller);
  }

  /** Closes the oldest stream of the caller with the most streams, if more than `size + 1`. Returns whether a stream was closed. */
  #replace(size: number): boolean {
    let [heaviest, most] = ['', 0];
    for (const [caller, streams] of this.#open) {
      if (streams.size > most) [heaviest, most] = [caller, streams.size];
    }
    const [oldest] = this.#open.get(heaviest) ?? [];
    if (oldest === undefined || most <= size + 1) return false;
    this.#remove(heaviest, oldest);
    oldest.destroy();
    return true;
  }
}

const EVENT_STREAM_HEADERS = {
  'content-type': EVENT_STREAM_TYPE,
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
} as const;

/** A reader of an event stream: an open connection of this or of another process. */
export interface StreamSink {
  /** `true` when the reader exceeds its limit of unread bytes. Optional messages are then dropped. */
  readonly isBehind: boolean;
  /** Writes a JSON-RPC message as an event, with the event id from which the reader can resume. */
  write(message: string, id?: string): void;
  /** Sends an event id to resume from, before the first message. */
  prime(id: string): void;
  /** Ends the stream after everything written so far. */
  end(): void;
}

/** Reconnection delay that the stream announces, in milliseconds. */
const RETRY_MS = 1_000;

/** Returns a random reconnection delay, so that the clients of a stopping process do not reconnect at the same time. */
const computeStopRetryMs = (): number => Math.round(RETRY_MS * (0.2 + 0.8 * Math.random()));

interface EventStreamLimits {
  readonly limits: Pick<McpHttpLimits, 'keepAliveMs' | 'maxUnreadBytes' | 'writeTimeoutMs'>;
  readonly unread: UnreadAnswers;
}

/** An open `text/event-stream` response. Sends keep-alive comments, and closes when the reader stalls. */
export class EventStream implements StreamSink {
  readonly #response: ServerResponse;
  readonly #dependencies: EventStreamLimits;
  readonly #keepAlive: NodeJS.Timeout;

  constructor(response: ServerResponse, dependencies: EventStreamLimits) {
    this.#response = response;
    this.#dependencies = dependencies;
    response.writeHead(200, EVENT_STREAM_HEADERS);
    response.flushHeaders();
    this.#keepAlive = setInterval(() => this.#comment(), dependencies.limits.keepAliveMs);
    this.#keepAlive.unref();
    response.once('close', () => {
      clearInterval(this.#keepAlive);
    });
  }

  get isBehind(): boolean {
    const bytes = this.#response.writableLength;
    const { limits, unread } = this.#dependencies;
    return bytes > limits.maxUnreadBytes || (bytes > 0 && !unread.admits(0));
  }

  write(message: string, id?: string): void {
    const isFlushed = this.#response.write(formatEvent(message, id));
    if (!isFlushed) this.#dependencies.unread.follow(this.#response);
  }

  /** Writes a message that is dropped when the reader lags behind. */
  notify(message: string): void {
    if (!this.isBehind) this.write(message);
  }

  /** Sends an event without data, which clients do not dispatch. MCP 2025-11-25, Streamable HTTP */
  prime(id: string): void {
    this.#response.write(formatEventId(id, RETRY_MS));
  }

  /** Sends the URL to which the client posts its messages. MCP 2024-11-05, HTTP with SSE */
  announceEndpoint(address: string): void {
    this.#response.write(formatEndpointEvent(address));
  }

  /** Announces a short reconnection delay before the process stops. */
  announceStop(): void {
    this.#response.write(formatRetry(computeStopRetryMs()));
  }

  end(): void {
    clearInterval(this.#keepAlive);
    this.#response.end();
    const { limits } = this.#dependencies;
    if (this.#response.writableLength > 0) closeWhenUnread(this.#response, limits.writeTimeoutMs);
  }

  /** Closes the connection without sending the remaining bytes. */
  cut(): void {
    this.#response.destroy();
  }

  #comment(): void {
    if (this.isBehind) this.cut();
    else this.#response.write(KEEP_ALIVE_COMMENT);
  }
}
