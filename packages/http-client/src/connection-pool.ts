import { Connection } from './connection.ts';
import type { ConnectionOwner, ResponseHandler } from './connection.ts';
import { HttpClientError } from './http-client-error.ts';
import { SocketOpener, socketTarget } from './open-socket.ts';
import { PooledRequest } from './pooled-request.ts';
import { RequestHeads } from './request-head.ts';
import type { HttpRequest } from './request-head.ts';

/** The options of a pool. */
export interface ConnectionPoolOptions {
  /** Maximum number of connections; further requests wait. */
  readonly maxConnections: number;
  /** Bounds the TCP and TLS handshakes, in milliseconds. */
  readonly connectTimeoutMs: number;
  /** Maximum size of the head of a response, in bytes. Default 16 KiB */
  readonly maxHeadBytes?: number;
}

const DEFAULT_MAX_HEAD_BYTES = 16 * 1024;

/**
 * After this time without a request the server may have closed a connection. Its end is read before the connection is used again, in
 * milliseconds.
 */
const UNCHECKED_MS = 1;

/** Calls after a whole turn of the event loop, in which all that has arrived is read. */
const afterTurn = (listener: () => void): void => {
  setImmediate(() => setImmediate(listener));
};

/**
 * Connections to one origin, `http:` or `https:`. They are opened on demand, used again while they are open, and closed after a few seconds
 * without a request. A request that was written is never written again.
 */
export class ConnectionPool implements ConnectionOwner {
  readonly maxHeadBytes: number;
  readonly #options: ConnectionPoolOptions;
  readonly #opener: SocketOpener;
  readonly #heads: RequestHeads;
  readonly #connections = new Set<Connection>();
  /** Connections without a request; the last one is used first, so that the others can be closed. */
  #idle: Connection[] = [];
  /** Requests without a connection, in order. */
  readonly #waiting = new Set<PooledRequest>();
  #opening = 0;
  /** Number of unused connections whose end may have arrived. */
  #checking = 0;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  /** @throws {HttpClientError} `invalid-request` for an origin of another scheme */
  constructor(origin: string, options: ConnectionPoolOptions) {
    const target = socketTarget(origin);
    this.maxHeadBytes = options.maxHeadBytes ?? DEFAULT_MAX_HEAD_BYTES;
    this.#options = options;
    this.#opener = new SocketOpener(target, options.connectTimeoutMs);
    this.#heads = new RequestHeads(target.authority);
  }

  /** Number of connections, including those that are being opened. */
  get size(): number {
    return this.#connections.size;
  }

  /** Sends a request on an unused or a new connection. The handler is not called before this returns. */
  request(request: HttpRequest, handler: ResponseHandler): PooledRequest {
    const { body } = request;
    let head: string;
    try {
      if (this.#isClosed) throw poolClosed();
      head = this.#heads.of(request);
    } catch (error) {
      return this.#refuse(error, handler);
    }
    const pooled = new PooledRequest({ head, body, handler });
    const now = performance.now();
    const idle = this.#takeIdle(now);
    if (idle !== undefined && idle.idleMs(now) < UNCHECKED_MS) pooled.start(idle);
    else this.#wait(pooled, idle);
    return pooled;
  }

  /** Closes all connections. Requests that are not complete fail. */
  close(): void {
    this.#isClosed = true;
    this.#stopTimer();
    for (const connection of this.#connections) connection.destroy(poolClosed());
    this.#failWaiting(poolClosed());
  }

  onIdle(connection: Connection): void {
    if (!connection.wasIdle) this.#opening -= 1;
    const [next] = this.#waiting;
    if (next !== undefined) {
      this.#waiting.delete(next);
      next.start(connection);
      return;
    }
    this.#idle.push(connection);
    this.#timer ??= this.#closeIdleIn(connection.leftMs(performance.now()));
  }

  onClosed(connection: Connection, error: Error): void {
    this.#connections.delete(connection);
    if (this.#connections.size === 0) this.#stopTimer();
    const place = this.#idle.indexOf(connection);
    if (place !== -1) this.#idle.splice(place, 1);
    if (!connection.wasIdle) this.#failAttempt(error);
    this.#openMore();
  }

  #refuse(error: unknown, handler: ResponseHandler): PooledRequest {
    const pooled = new PooledRequest({ head: '', body: undefined, handler });
    process.nextTick(() => pooled.fail(error instanceof Error ? error : new Error(String(error))));
    return pooled;
  }

  #takeIdle(now: number): Connection | undefined {
    let connection = this.#idle.pop();
    while (connection !== undefined && connection.leftMs(now) <= 0) {
      connection.destroy();
      connection = this.#idle.pop();
    }
    return connection;
  }

  /** @param idle an unused connection that carries the request if it is still open */
  #wait(pooled: PooledRequest, idle: Connection | undefined): void {
    this.#waiting.add(pooled);
    pooled.onAbort = () => this.#waiting.delete(pooled);
    if (idle === undefined) this.#openMore();
    else this.#check(idle);
  }

  #check(idle: Connection): void {
    this.#checking += 1;
    afterTurn(() => {
      this.#checking -= 1;
      if (idle.leftMs(performance.now()) > 0) this.onIdle(idle);
      else idle.destroy();
      this.#openMore();
    });
  }

  /** Opens connections for the waiting requests. */
  #openMore(): void {
    const { maxConnections } = this.#options;
    const isWaiting = (): boolean => this.#waiting.size > this.#opening + this.#checking;
    while (isWaiting() && this.#connections.size < maxConnections) {
      this.#opening += 1;
      this.#connections.add(new Connection(this, this.#opener));
    }
  }

  /** A connection could not be opened: one request fails, or all of them when none has a chance. */
  #failAttempt(error: Error): void {
    this.#opening -= 1;
    if (this.#connections.size === 0) {
      this.#failWaiting(error);
      return;
    }
    const [first] = this.#waiting;
    if (first === undefined) return;
    this.#waiting.delete(first);
    first.fail(error);
  }

  #failWaiting(error: Error): void {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const pooled of waiting) pooled.fail(error);
  }

  #stopTimer(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #closeIdleIn(ms: number): NodeJS.Timeout {
    return setTimeout(() => this.#closeIdle(), Math.ceil(ms)).unref();
  }

  #closeIdle(): void {
    this.#timer = undefined;
    const now = performance.now();
    for (const connection of this.#idle) if (connection.leftMs(now) <= 0) connection.destroy();
    const left = this.#idle.map((connection) => connection.leftMs(now)).filter((ms) => ms > 0);
    if (left.length > 0) this.#timer = this.#closeIdleIn(Math.min(...left));
  }
}

const poolClosed = (): HttpClientError =>
  new HttpClientError('pool-closed', 'the connections were closed');
