import { loadDispatchers } from '@gateway/guarded-fetch';
import type { DispatcherOptions, OpenDispatcher } from '@gateway/guarded-fetch';
import type { Dispatcher } from 'undici';
import { TurnBudget } from '../turn-budget.ts';

export interface HttpConnectionOptions extends Pick<DispatcherOptions, 'lookup'> {
  /** Bounds the TCP and TLS handshake. */
  readonly connectTimeoutMs: number;
  /** Maximum number of concurrent requests per origin; further requests wait. */
  readonly maxConnections: number;
}

export interface HttpParts {
  readonly method: 'POST' | 'GET' | 'DELETE';
  readonly headers: readonly string[];
  readonly body?: string | undefined;
  /** A stream that stays open as long as the connection and does not use a request slot. */
  readonly isLongLived?: boolean;
}

export interface HttpObserver {
  onStatus(status: number): void;
  /** The request failed without an answer: refused, reset, unknown host, TLS. Aborts by this side are not reported. */
  onNetworkError(error: unknown): void;
}

/** The connections to one server, which are not shared with other servers. A request that was written is never sent again. */
export class HttpConnections {
  readonly budget = new TurnBudget();
  readonly #options: HttpConnectionOptions;
  readonly #observer: HttpObserver;
  /** Each opens connections on demand, which the server closes, or this side after a few idle seconds. */
  #requests: Dispatcher | undefined;
  #longLived: Dispatcher | undefined;
  #openRequests: (() => Dispatcher) | undefined;
  readonly #ending = new Set<Dispatcher>();
  #isClosed = false;

  constructor(options: HttpConnectionOptions, observer: HttpObserver) {
    this.#options = options;
    this.#observer = observer;
  }

  /** Loads the client of HTTP. Requests may be sent when it resolves. */
  async open(): Promise<void> {
    const open: OpenDispatcher = await loadDispatchers();
    const { maxConnections, ...rest } = this.#options;
    this.#openRequests = () => open({ ...rest, connections: maxConnections });
    this.#requests = this.#openRequests();
    this.#longLived = open(rest);
    if (this.#isClosed) this.close();
  }

  send(target: URL, parts: HttpParts, handler: Dispatcher.DispatchHandler): void {
    const { origin, pathname, search } = target;
    const { method, headers, body = null, isLongLived = false } = parts;
    const dispatcher = isLongLived ? this.#longLived : this.#requests;
    if (dispatcher === undefined) throw new Error('the connections were not opened');
    const path = `${pathname}${search}`;
    dispatcher.dispatch({ origin, path, method, headers: headers as string[], body }, handler);
  }

  /** Gives no further request to a connection that is open now: what one of them said belongs to something else. */
  replace(): void {
    const replaced = this.#requests;
    if (this.#isClosed || replaced === undefined) return;
    this.#requests = this.#openRequests?.();
    this.#ending.add(replaced);
    void replaced.close().finally(() => this.#ending.delete(replaced));
  }

  onStatus(status: number): void {
    this.#observer.onStatus(status);
  }

  onNetworkError(error: unknown): void {
    if (!this.#isClosed) this.#observer.onNetworkError(error);
  }

  close(): void {
    this.#isClosed = true;
    for (const one of [...this.#ending, this.#requests, this.#longLived]) void one?.destroy();
  }
}
