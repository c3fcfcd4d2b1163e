import type { HttpParts, HttpConnections } from './http-connections.ts';
import type { Dispatcher } from 'undici';
import { DiscardedBody, decodingReader, pacedReader } from './http-body.ts';
import type { BodyReader, BodySource } from './http-body.ts';

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

/** The part of the text of a parser that says what is wrong: `Response does not match the HTTP/1.1 protocol (Invalid EOF state)`. */
const DETAIL = /\(([^)]*)\)$/u;

const knownReason = (code: string, { name, message }: Error, target: URL) => {
  if (name === 'HTTPParserError') {
    const detail = DETAIL.exec(message)?.[1] ?? message;
    return detail.startsWith('Invalid EOF') ? ENDED : `${INVALID}: ${detail}`;
  }
  if (code === 'UND_ERR_CONNECT_TIMEOUT')
    return `${target.host} does not accept a connection in time`;
  const reason = REASONS.get(code) ?? REASONS.get(`${code}: ${message}`);
  return code === 'UND_ERR_SOCKET' ? (reason ?? `${INVALID}: ${message}`) : reason;
};

/** Returns the error of a failed request without bytes of the server. Errors of the system and of TLS remain as they are. */
const exchangeError = (error: Error, target: URL): Error => {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const reason = knownReason(code, error, target);
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

const redirectOf = (
  status: number,
  location: string | readonly string[] | undefined,
  from: URL,
): URL | undefined => {
  if (!REDIRECT_STATUSES.has(status) || typeof location !== 'string') return undefined;
  return URL.canParse(location, from.href) ? new URL(location, from) : undefined;
};

/**
 * Returns the target of the redirected request when the redirect stays within the origin and preserves the method: headers of the server's
 * definition are sent to no other origin.
 */
const followed = (
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
  /** Number of bytes that the reader of the body gets; `undefined` when it is not known. */
  readonly bytes: number | undefined;
  /** The target of a redirect that was not followed. */
  readonly redirect: URL | undefined;
}

export interface HttpHandler {
  /** Called once. Returns the reader of the body; without one the body is discarded. */
  onHead(head: HttpHead): BodyReader | undefined;
  /** The request failed. Not called after `abort`, or when no more of the body is needed. */
  onFailure(error: Error): void;
}

type Controller = Dispatcher.DispatchController;
type Headers = Parameters<NonNullable<Dispatcher.DispatchHandler['onResponseStart']>>[2];

/** Time for an unused body to end by itself, in milliseconds. */
const DROP_MS = 2_000;

const ABORTED = new Error('the request was aborted');

const LENGTH = /^\d{1,15}$/;

const firstOf = (headers: Headers, name: string): string | undefined => {
  const value = Object.hasOwn(headers, name) ? headers[name] : undefined;
  return Array.isArray(value) ? value[0] : value;
};

export class HttpExchange implements Dispatcher.DispatchHandler {
  readonly #connections: HttpConnections;
  readonly #parts: HttpParts;
  readonly #handler: HttpHandler;
  #target: URL;
  #redirects = 0;
  #next: URL | undefined;
  #controller: Controller | undefined;
  #reader: BodyReader | undefined;
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

  /** Aborts the request; nothing is reported any more. */
  abort(): void {
    if (this.#over) return;
    this.#over = true;
    clearTimeout(this.#dropTimer);
    this.#controller?.abort(ABORTED);
  }

  /** Closes the connection, whose bytes cannot be believed any more. */
  closeConnection(): void {
    this.#over = true;
    clearTimeout(this.#dropTimer);
    this.#controller?.abort(ABORTED);
    // The answer may be complete, and then its connection is one of those without a request.
    this.#connections.replace();
  }

  onRequestStart(controller: Controller): void {
    if (this.#over) throw ABORTED;
    this.#controller = controller;
  }

  onResponseStart(_controller: Controller, status: number, headers: Headers): void {
    // Interim responses do not matter. RFC 9110 §15.2
    if (status < 200) return;
    const redirect = redirectOf(status, firstOf(headers, 'location'), this.#target);
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
    if (this.#goOn()) return;
    this.#reader?.end();
    this.#over = true;
  }

  onResponseError(_controller: Controller | null, error: Error): void {
    // The handler has its outcome, or the redirect is known: it does not matter how an unused body ends.
    if (this.#reader instanceof DiscardedBody) this.#cut();
    else this.#fail(exchangeError(error, this.#target), this.#reader !== undefined);
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
    this.#over = !this.#goOn();
    controller?.abort(ABORTED);
  }

  /** Follows a redirect. The client of HTTP cannot send a request while it calls a handler. */
  #goOn(): boolean {
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
      ? followed(status, to, this.#target, this.#parts.method)
      : undefined;
  }

  #drop(): void {
    this.#reader = new DiscardedBody();
    this.#dropTimer = setTimeout(() => this.#cut(), DROP_MS);
    this.#dropTimer.unref();
  }

  #read(status: number, headers: Headers, redirect: URL | undefined): void {
    const header = (name: string): string | undefined => firstOf(headers, name);
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

  #pace(reader: BodyReader): void {
    this.#reader = pacedReader(reader, this.#source(), () => {
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

  #decode(coding: string, reader: BodyReader): void {
    try {
      this.#reader = decodingReader(coding, reader, this.#source(), (error) => {
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
