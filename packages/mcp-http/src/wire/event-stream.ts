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
import {
  closeWhenUnread,
  type IncomingExchange,
  type AcceptedFramings,
  type RequestCredentials,
  type UnreadAnswers,
} from './incoming-exchange.ts';

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
  }: Pick<IncomingExchange, 'caller' | 'response'>): EndpointRefusal | undefined {
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
export interface EventSink {
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
export class EventStream implements EventSink {
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

/** Returns the refusal of a caller that accepts no event stream; `undefined` for any other. */
export const refuseWithoutEvents = (accepted: AcceptedFramings): EndpointRefusal | undefined =>
  accepted.events ? undefined : { code: 'not-acceptable', expected: EVENT_STREAM_TYPE };

/** Longest delay of a timer. */
const MAX_DELAY_MS = 2 ** 31 - 1;

/** Time after which the credentials of an open stream are checked again, in milliseconds. */
const CHECK_MS = 5_000;

/** The streams of a process are checked together, so that they wake it once. */
const computeCheckDelay = (): number => CHECK_MS - (performance.now() % CHECK_MS);

const computeExpiryDelay = (expiresAt: number): number =>
  Math.min(Math.max(0, expiresAt - Date.now()), MAX_DELAY_MS);

/** Calls `end` when credentials are no longer accepted: the user has signed out, or the token was revoked. Returns what ends the checks. */
const followCredentials = ({ areAccepted }: RequestCredentials, end: () => void): (() => void) => {
  let timer: NodeJS.Timeout | undefined;
  const wait = (): void => {
    timer = setTimeout(() => void check(), computeCheckDelay()).unref();
  };
  const check = async (): Promise<void> => {
    timer = undefined;
    if (!(await areAccepted())) end();
    else if (!isOver) wait();
  };
  let isOver = false;
  wait();
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
};

/**
 * Closes the connection of a stream when the credentials of its request expire, so that the client continues with new ones, or when they
 * are no longer accepted. A stream that can be resumed is resumed by new ones.
 */
export const endExpiredStream = ({
  credentials,
  response,
}: Pick<IncomingExchange, 'credentials' | 'response'>): void => {
  if (credentials === undefined) return;
  const { expiresAt } = credentials;
  const end = (): void => void response.destroy();
  const expiry =
    expiresAt === undefined ? undefined : setTimeout(end, computeExpiryDelay(expiresAt)).unref();
  const stopChecks = followCredentials(credentials, end);
  response.once('close', () => {
    clearTimeout(expiry);
    stopChecks();
  });
};
