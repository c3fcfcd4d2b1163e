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
import { closeWhenUnread } from './http-exchange.ts';
import type { UnreadAnswers } from './unread-answers.ts';

const EVENT_STREAM_HEADERS = {
  'content-type': EVENT_STREAM_TYPE,
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
} as const;

/** A reader of a stream of events: an open connection of this process, or one that another process holds. */
export interface EventSink {
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

/** The limits of an {@link EventStream}. */
interface EventStreamLimits {
  readonly limits: Pick<McpHttpLimits, 'keepAliveMs' | 'maxUnreadBytes' | 'writeTimeoutMs'>;
  readonly unread: UnreadAnswers;
}

/** One open `text/event-stream` answer. Comments keep its connection open, and it is closed when its reader stalls. */
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
