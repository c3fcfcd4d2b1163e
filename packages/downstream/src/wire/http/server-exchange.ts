import {
  type DispatcherOptions,
  loadDispatchers,
  type OpenDispatcher,
} from '@gateway/guarded-fetch';
import type { Dispatcher } from 'undici';
import { InputBudget } from '../input-budget.ts';
import {
  type AnswerReader,
  type BodySource,
  createDecodingReader,
  DiscardedBody,
  createPacedReader,
} from './http-body.ts';

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
  onUnauthorized?(): void;
  onStatus?(status: number): void;
  /** The request failed without an answer: refused, reset, unknown host, TLS. Aborts by this side are not reported. */
  onNetworkError(error: unknown): void;
}

/** The connections to one server, which are not shared with other servers. A request that was written is never sent again. */
export class HttpConnections {
  readonly budget = new InputBudget();
  readonly #options: HttpConnectionOptions;
  readonly #observer: HttpObserver;
  /** Opens connections on demand. Idle connections are closed by the server, or by this client after a few seconds. */
  #requests: Dispatcher | undefined;
  #longLived: Dispatcher | undefined;
  #openRequests: (() => Dispatcher) | undefined;
  readonly #ending = new Set<Dispatcher>();
  #isClosed = false;

  constructor(options: HttpConnectionOptions, observer: HttpObserver) {
    this.#options = options;
    this.#observer = observer;
  }

  /** Loads the HTTP client. Requests may be sent when it resolves. */
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

  /** Sends further requests over new connections only: the bytes of an open connection cannot be attributed to a request. */
  replace(): void {
    const replaced = this.#requests;
    if (this.#isClosed || replaced === undefined) return;
    this.#requests = this.#openRequests?.();
    this.#ending.add(replaced);
    void replaced.close().finally(() => this.#ending.delete(replaced));
  }

  onStatus(status: number): void {
    this.#observer.onStatus?.(status);
    if (status === 401) this.#observer.onUnauthorized?.();
  }

  onNetworkError(error: unknown): void {
    if (!this.#isClosed) this.#observer.onNetworkError(error);
  }

  close(): void {
    this.#isClosed = true;
    const dispatchers = [...this.#ending, this.#requests, this.#longLived];
    for (const dispatcher of dispatchers) void dispatcher?.destroy();
  }
}

/** The refusal of an HTTP request before the server processed it. */
export interface ServerRefusal {
  readonly status: 401 | 403;
  readonly challenge: string | undefined;
  readonly authorization: string | undefined;
}

export interface HttpAuthority {
  /** Returns the value of the `Authorization` header of the next request; it replaces the header of the server definition. */
  authorization(): string | undefined;
  /** Resolves to true when the request should be repeated with the current header. Never rejects. */
  renew(refusal: ServerRefusal): Promise<boolean>;
  /** The repeated request was refused too, or was not repeated. */
  onRefused(refusal: ServerRefusal): void;
}

const INSUFFICIENT_SCOPE = /\berror\s*=\s*"?insufficient_scope\b/i;

/** Returns a refusal that another credential may change: 401, or 403 whose challenge names `insufficient_scope`. RFC 6750 §3.1 */
const toHttpRefusal = (
  status: number,
  challenge: string | undefined,
  authorization: string | undefined,
): ServerRefusal | undefined => {
  if (status === 401) return { status, challenge, authorization };
  return status === 403 && challenge !== undefined && INSUFFICIENT_SCOPE.test(challenge)
    ? { status, challenge, authorization }
    : undefined;
};

/** Returns a handler that reports a refusal to the authority. `resend` sends the request once more after the credential was renewed. */
export const createRenewingHandler = (
  authority: HttpAuthority | undefined,
  handler: HttpHandler,
  resend?: () => void,
): HttpHandler => {
  if (authority === undefined) return handler;
  const authorization = authority.authorization();
  let isRefused = false;
  const renew = async (refusal: ServerRefusal, head: HttpHead): Promise<void> => {
    if (resend !== undefined && (await authority.renew(refusal))) {
      resend();
      return;
    }
    authority.onRefused(refusal);
    handler.onHead(head)?.end();
  };
  return {
    onHead(head) {
      const challenge = head.header('www-authenticate');
      const refusal = toHttpRefusal(head.status, challenge, authorization);
      if (refusal === undefined) return handler.onHead(head);
      isRefused = true;
      void renew(refusal, head);
      return undefined;
    },
    onFailure(error) {
      // The body of a refusal is not used.
      if (!isRefused) handler.onFailure(error);
    },
  };
};

const ENDED = 'the server closed the connection before the end of its answer';
const CLOSED = 'the connections were closed';
const INVALID = 'the response is not valid HTTP';

/** Reasons in place of the texts of the HTTP client. */
const REASONS: ReadonlyMap<string, string> = new Map([
  ['UND_ERR_SOCKET: other side closed', ENDED],
  ['UND_ERR_SOCKET: closed', ENDED],
  ['UND_ERR_RES_CONTENT_LENGTH_MISMATCH', `${INVALID}: its length is not the stated one`],
  ['ERR_ASSERTION', `${INVALID}: it is no answer to the request`],
  ['UND_ERR_CLOSED', CLOSED],
  ['UND_ERR_DESTROYED', CLOSED],
  ['UND_ERR_HEADERS_OVERFLOW', `${INVALID}: its head is too long`],
]);

/** The reason in the message of the HTTP parser: `Response does not match the HTTP/1.1 protocol (Invalid EOF state)`. */
const DETAIL = /\(([^)]*)\)$/u;

const findNetworkReason = (code: string, { name, message }: Error, target: URL) => {
  if (name === 'HTTPParserError') {
    const detail = DETAIL.exec(message)?.[1] ?? message;
    return detail.startsWith('Invalid EOF') ? ENDED : `${INVALID}: ${detail}`;
  }
  if (code === 'UND_ERR_CONNECT_TIMEOUT')
    return `${target.host} does not accept a connection in time`;
  const reason = REASONS.get(code) ?? REASONS.get(`${code}: ${message}`);
  return code === 'UND_ERR_SOCKET' ? (reason ?? `${INVALID}: ${message}`) : reason;
};

/** Returns the error of a failed request without bytes of the server. System and TLS errors are returned unchanged. */
const toExchangeError = (error: Error, target: URL): Error => {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const reason = findNetworkReason(code, error, target);
  return reason === undefined ? error : Object.assign(new Error(reason), { code });
};

const MAX_REDIRECTS = 5;
const REDIRECT_STATUSES: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const KEEP_METHOD: ReadonlySet<number> = new Set([307, 308]);

/** Returns whether both URLs have the same scheme, host and port, or upgrade http to https on the default ports. */
const isWithinOrigin = (from: URL, to: URL): boolean =>
  from.origin === to.origin ||
  (from.protocol === 'http:' &&
    to.protocol === 'https:' &&
    from.hostname === to.hostname &&
    from.port === '' &&
    to.port === '');

const findRedirect = (
  status: number,
  location: string | readonly string[] | undefined,
  from: URL,
): URL | undefined => {
  if (!REDIRECT_STATUSES.has(status) || typeof location !== 'string') return undefined;
  return URL.canParse(location, from.href) ? new URL(location, from) : undefined;
};

/** Returns the target of a redirect that stays within the origin and preserves the method: headers are sent to no other origin. */
const findSafeRedirect = (
  status: number,
  to: URL,
  from: URL,
  method: HttpParts['method'],
): URL | undefined => {
  const keepsMethod = method === 'GET' || KEEP_METHOD.has(status);
  const isPlain = to.username === '' && to.password === '';
  return keepsMethod && isPlain && isWithinOrigin(from, to) ? to : undefined;
};

export interface HttpHead {
  readonly status: number;
  header(name: string): string | undefined;
  /** Size of the body in bytes; `undefined` when unknown. */
  readonly bytes: number | undefined;
  /** The target of a redirect that was not followed. */
  readonly redirect: URL | undefined;
}

export interface HttpHandler {
  /** Called once. Returns the reader of the body; without one the body is discarded. */
  onHead(head: HttpHead): AnswerReader | undefined;
  /** The request failed. Not called after `abort`, or when no more of the body is needed. */
  onFailure(error: Error): void;
}

type Controller = Dispatcher.DispatchController;
type Headers = Parameters<NonNullable<Dispatcher.DispatchHandler['onResponseStart']>>[2];

/** Maximum time to wait for the end of an unused body, in milliseconds. */
const DROP_MS = 2_000;

const ABORTED = new Error('the request was aborted');

const LENGTH = /^\d{1,15}$/;

const findHeader = (headers: Headers, name: string): string | undefined => {
  const value = Object.hasOwn(headers, name) ? headers[name] : undefined;
  return Array.isArray(value) ? value[0] : value;
};

/** One HTTP request to a server: follows redirects within the origin, and reads the answer within the budget of the server. */
export class ServerExchange implements Dispatcher.DispatchHandler {
  readonly #connections: HttpConnections;
  readonly #parts: HttpParts;
  readonly #handler: HttpHandler;
  #target: URL;
  #redirects = 0;
  #next: URL | undefined;
  #controller: Controller | undefined;
  #reader: AnswerReader | undefined;
  #dropTimer: NodeJS.Timeout | undefined;
  #over = false;

  constructor(connections: HttpConnections, target: URL, parts: HttpParts, handler: HttpHandler) {
    this.#connections = connections;
    this.#target = target;
    this.#parts = parts;
    this.#handler = handler;
  }

  send(): void {
    this.#controller = undefined;
    this.#connections.send(this.#target, this.#parts, this);
  }

  /** Aborts the request. The handler is not called again. */
  abort(): void {
    if (this.#over) return;
    this.#over = true;
    clearTimeout(this.#dropTimer);
    this.#controller?.abort(ABORTED);
  }

  /** Closes the connection, whose bytes can no longer be trusted. */
  closeConnection(): void {
    this.#over = true;
    clearTimeout(this.#dropTimer);
    this.#controller?.abort(ABORTED);
    // After a complete response the connection is idle, and would be reused.
    this.#connections.replace();
  }

  onRequestStart(controller: Controller): void {
    if (this.#over) throw ABORTED;
    this.#controller = controller;
  }

  onResponseStart(_controller: Controller, status: number, headers: Headers): void {
    // Interim responses do not matter. RFC 9110 §15.2
    if (status < 200) return;
    const redirect = findRedirect(status, findHeader(headers, 'location'), this.#target);
    this.#next = redirect === undefined ? undefined : this.#follow(status, redirect);
    if (this.#next === undefined) this.#read(status, headers, redirect);
    else this.#drop();
  }

  onResponseData(_controller: Controller, bytes: Buffer): void {
    if (!this.#over && this.#reader?.push(bytes) === false) this.#cut();
  }

  onResponseEnd(): void {
    if (this.#over) return;
    clearTimeout(this.#dropTimer);
    if (this.#sendNext()) return;
    this.#reader?.end();
    this.#over = true;
  }

  onResponseError(_controller: Controller | null, error: Error): void {
    // The response or the redirect is known already: errors of an unused body are ignored.
    if (this.#reader instanceof DiscardedBody) this.#cut();
    else this.#fail(toExchangeError(error, this.#target), this.#reader !== undefined);
  }

  #fail(error: Error, hasHead: boolean): void {
    if (this.#over) return;
    this.#over = true;
    clearTimeout(this.#dropTimer);
    this.#controller?.abort(ABORTED);
    if (!hasHead) this.#connections.onNetworkError(error);
    this.#handler.onFailure(error);
  }

  #cut(): void {
    if (this.#over) return;
    clearTimeout(this.#dropTimer);
    const controller = this.#controller;
    this.#over = !this.#sendNext();
    controller?.abort(ABORTED);
  }

  /** Follows a redirect. The HTTP client cannot send a request while it calls a handler. */
  #sendNext(): boolean {
    const next = this.#next;
    if (next === undefined) return false;
    this.#next = undefined;
    this.#reader = undefined;
    this.#controller = undefined;
    this.#target = next;
    this.#redirects += 1;
    queueMicrotask(() => {
      if (!this.#over) this.send();
    });
    return true;
  }

  #follow(status: number, to: URL): URL | undefined {
    return this.#redirects < MAX_REDIRECTS
      ? findSafeRedirect(status, to, this.#target, this.#parts.method)
      : undefined;
  }

  #drop(): void {
    this.#reader = new DiscardedBody();
    this.#dropTimer = setTimeout(() => this.#cut(), DROP_MS);
    this.#dropTimer.unref();
  }

  #read(status: number, headers: Headers, redirect: URL | undefined): void {
    const header = (name: string): string | undefined => findHeader(headers, name);
    const coding = header('content-encoding')?.trim().toLowerCase() ?? 'identity';
    const isPlain = coding === 'identity';
    const length = isPlain ? (header('content-length') ?? '') : '';
    const bytes = LENGTH.test(length) ? Number(length) : undefined;
    this.#connections.onStatus(status);
    const reader = this.#handler.onHead({ status, header, bytes, redirect });
    if (this.#over) return;
    if (reader === undefined) this.#drop();
    else if (!isPlain) this.#decode(coding, reader);
    else if (reader.isStream === true) this.#pace(reader);
    else this.#reader = reader;
  }

  #pace(reader: AnswerReader): void {
    this.#reader = createPacedReader(reader, this.#source(), () => {
      if (!this.#over) this.#cut();
    });
  }

  #source(): BodySource {
    const controller = this.#controller;
    const connection = {
      pause: () => controller?.pause(),
      resume: () => controller?.resume(),
    };
    return { connection, budget: this.#connections.budget };
  }

  #decode(coding: string, reader: AnswerReader): void {
    try {
      this.#reader = createDecodingReader(coding, reader, this.#source(), (error) => {
        // The whole body may have arrived while its end is still being decoded.
        if (error !== undefined && this.#over) this.#handler.onFailure(error);
        else if (error === undefined) this.abort();
        else this.#fail(error, true);
      });
    } catch (error) {
      this.#fail(error instanceof Error ? error : new Error(String(error)), true);
    }
  }
}
