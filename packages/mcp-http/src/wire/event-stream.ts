import { InFlight } from '@gateway/call-contract';
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

/** Number of the unread answer of a response. */
const NUMBER = Symbol('unread answer');

interface Followed extends ServerResponse {
  [NUMBER]?: number | undefined;
}

interface UnreadAnswer {
  readonly response: Followed;
  /** Time of the first unread byte. */
  readonly since: number;
  /** Unread bytes when they were last counted. */
  bytes: number;
}

/**
 * Part of the bound up to which answers are texts. An unread text counts its characters, and occupies up to five bytes for each: two
 * of the text and three of its bytes.
 */
const TEXT_PART = 1 / 8;

/**
 * The bytes of answers that clients have not read, bounded over all connections. When an answer would exceed the bound, the
 * connections that have had unread bytes for the longest time are closed, and the answer is refused when that is not enough.
 */
export class UnreadAnswers {
  readonly #maxBytes: number;
  readonly #slowReaderMs: number;
  readonly #now: () => number;
  readonly #unread = new InFlight<number, UnreadAnswer>();
  #count = 0;
  /** At least the number of unread bytes: readers read without a report. */
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

  /** The bound, in bytes. */
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
   * Returns whether clients leave so little unread that the runtime may hold the text of an answer with its bytes. Texts add half of
   * the bound at most.
   */
  admitsText(bytes: number): boolean {
    return this.#bytes + bytes <= this.#maxBytes * TEXT_PART;
  }

  /** Counts the bytes of a response that are not read yet, until they are. Called after each write. */
  follow(response: Followed): void {
    const bytes = response.writableLength;
    if (bytes === 0 || response.destroyed) return;
    const found = this.#find(response);
    if (found !== undefined) {
      this.#bytes += bytes - found.bytes;
      found.bytes = bytes;
      return;
    }
    response[NUMBER] = this.#count += 1;
    this.#unread.set(this.#count, { response, since: this.#now(), bytes });
    this.#bytes += bytes;
    // Both listeners go at the first event: a stream lags and drains many times before it closes.
    const forget = (): void => {
      response.off('close', forget).off('drain', forget);
      this.#forget(response);
    };
    response.on('close', forget).on('drain', forget);
  }

  #find({ [NUMBER]: number }: Followed): UnreadAnswer | undefined {
    return number === undefined ? undefined : this.#unread.get(number);
  }

  #forget(response: Followed): void {
    const { [NUMBER]: number } = response;
    const found = this.#find(response);
    if (number === undefined || found === undefined) return;
    response[NUMBER] = undefined;
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

const waiting = new WeakSet<ServerResponse>();

/** Marks a response as an event stream behind which nothing runs: its client waits for changes. */
const markWaitingStream = (response: ServerResponse): void => {
  waiting.add(response);
};

/** Returns whether a response is such a stream. */
export const isWaitingStream = (response: ServerResponse): boolean => waiting.has(response);

/**
 * The open event streams behind which no call runs, of sessions and of `subscriptions/listen`, bounded in number for the process
 * and per caller. At the limit of the process, a caller that has more streams than the new one loses its oldest, so that the
 * streams of one caller do not exclude the others.
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

  /** Closes the oldest stream of the caller with the most, when it still has more than the new one afterwards or as many. */
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

/** A reader of a stream of events: an open connection of this process, or one that another process holds. */
export interface StreamSink {
  /** `true` when the reader has left more unread than allowed, so that messages that may be dropped are dropped. */
  readonly isBehind: boolean;
  /** Writes one JSON-RPC message as an event, with the id under which its reader may come back. */
  write(message: string, id?: string): void;
  /** Gives the reader an id to come back with before there is a message. */
  prime(id: string): void;
  /** Ends the stream after everything written so far. */
  end(): void;
}

/** Milliseconds after which a client should reconnect, as the stream states. */
const RETRY_MS = 1_000;

/** The same for the clients of a process that stops: they do not come back at the same time. */
const retryAfterStopMs = (): number => Math.round(RETRY_MS * (0.2 + 0.8 * Math.random()));

interface EventStreamLimits {
  readonly limits: Pick<McpHttpLimits, 'keepAliveMs' | 'maxUnreadBytes' | 'writeTimeoutMs'>;
  readonly unread: UnreadAnswers;
}

/** One open `text/event-stream` answer. Comments keep its connection open, and it is closed when its reader stalls. */
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
    const isRead = this.#response.write(formatEvent(message, id));
    if (!isRead) this.#dependencies.unread.follow(this.#response);
  }

  /** Writes a message that is dropped when the reader lags behind. */
  notify(message: string): void {
    if (!this.isBehind) this.write(message);
  }

  /** The event has no data, so that readers of events alone never see it. MCP 2025-11-25, Streamable HTTP */
  prime(id: string): void {
    this.#response.write(formatEventId(id, RETRY_MS));
  }

  /** Names the address of the client's messages. MCP 2024-11-05, HTTP with SSE */
  announceEndpoint(address: string): void {
    this.#response.write(formatEndpointEvent(address));
  }

  /** Advises the reader to reconnect soon, before the stream ends with its process. */
  announceStop(): void {
    this.#response.write(formatRetry(retryAfterStopMs()));
  }

  end(): void {
    clearInterval(this.#keepAlive);
    this.#response.end();
    const { limits } = this.#dependencies;
    if (this.#response.writableLength > 0) closeWhenUnread(this.#response, limits.writeTimeoutMs);
  }

  /** Cuts the connection of a reader that has no use for the rest. */
  cut(): void {
    this.#response.destroy();
  }

  #comment(): void {
    if (this.isBehind) this.cut();
    else this.#response.write(KEEP_ALIVE_COMMENT);
  }
}
