import type { ServerResponse } from 'node:http';
import type { McpHttpLimits } from './limits.ts';

const EVENT_STREAM_HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
} as const;

/** One open `text/event-stream` answer that is kept alive by comments and cut when its reader stalls. */
export class EventStream {
  readonly #response: ServerResponse;
  readonly #maxUnreadBytes: number;
  readonly #keepAlive: NodeJS.Timeout;

  constructor(
    response: ServerResponse,
    limits: Pick<McpHttpLimits, 'keepAliveMs' | 'maxUnreadBytes'>,
  ) {
    this.#response = response;
    this.#maxUnreadBytes = limits.maxUnreadBytes;
    response.writeHead(200, EVENT_STREAM_HEADERS);
    response.flushHeaders();
    this.#keepAlive = setInterval(() => this.#comment(), limits.keepAliveMs);
    this.#keepAlive.unref();
    response.once('close', () => {
      clearInterval(this.#keepAlive);
    });
  }

  /** Whether the reader has left more unread than allowed, so that what can be dropped should be. */
  get isBehind(): boolean {
    return this.#response.writableLength > this.#maxUnreadBytes;
  }

  /** Writes one JSON-RPC message as an event. */
  write(message: string): void {
    this.#response.write(`event: message\ndata: ${message}\n\n`);
  }

  /** Ends the stream after everything written so far. */
  end(): void {
    clearInterval(this.#keepAlive);
    this.#response.end();
  }

  #comment(): void {
    if (this.isBehind) this.#response.destroy();
    else this.#response.write(': keep-alive\n\n');
  }
}
