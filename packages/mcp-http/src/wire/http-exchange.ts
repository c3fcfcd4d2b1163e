import { ANONYMOUS, type Principal, InFlightMap } from '@gateway/call-contract';
import {
  countBytes,
  EVENT_STREAM_TYPE,
  formatErrorMessage,
  type LongText,
  type RpcId,
  MESSAGE_TYPES,
} from '@gateway/mcp-wire';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { McpHttpLimits } from '../protocol/limits.ts';
import { type EndpointRefusal, toRpcError, toRefusalStatus } from '../protocol/refusal.ts';
import {
  type HeaderReader,
  createHeaderReader,
  type HeaderValue,
  joinValues,
  KnownHeaders,
} from '../protocol/client-message.ts';

/** Handles one request of a path. */
export type RouteHandler = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * Reports connections that close. One listener per connection serves all waiters on it, sequential on a kept-alive connection
 * and concurrent on a pipelined one.
 */
const waiting = new WeakMap<Socket, (() => void)[]>();

const watchSocket = (socket: Socket): (() => void)[] => {
  const found = waiting.get(socket);
  if (found !== undefined) return found;
  const listeners: (() => void)[] = [];
  waiting.set(socket, listeners);
  socket.once('close', () => {
    for (const listener of [...listeners]) listener();
  });
  return listeners;
};

/** Calls the listener when the connection closes, until the returned function is called. */
export const addCloseListener = (socket: Socket, listener: () => void): (() => void) => {
  const listeners = watchSocket(socket);
  listeners.push(listener);
  return () => {
    const at = listeners.indexOf(listener);
    if (at >= 0) listeners.splice(at, 1);
  };
};

/**
 * Emits `close` on a pipelined response when the connection closes before its turn. Node assigns it no socket until then, and
 * nothing else would emit the event.
 */
export const closeWithConnection = (
  { socket }: IncomingMessage,
  response: ServerResponse,
): void => {
  if (response.socket !== null) return;
  const stop = addCloseListener(socket, () => {
    if (response.socket !== null) return;
    response.destroy();
    response.emit('close');
  });
  response.once('close', stop);
};

/** Bytes of an unread body that are still taken after a refusal, so that the sender can read the answer. */
const MAX_DISCARDED_BYTES = 16 * 1024 * 1024;
const MAX_DISCARD_MS = 5_000;
const RETRY_AFTER_SECONDS = '1';

/** Characters from which the bytes of a text are counted. */
const LARGE_BODY = 64 * 1024;

/** Returns the bytes of a body, or about the bytes of a small one. */
export const estimateSize = (body: LongText): number =>
  typeof body === 'string' && body.length < LARGE_BODY ? body.length : countBytes(body);

/** The runtime writes a header and the body that ends an answer in one part from Node 24 on, and in two parts before. */
const JOINS_AT_END = Number.parseInt(process.versions.node, 10) >= 24;

/** Ends an answer with its body, in one write. Two parts take 1 µs more, and the other way to join them takes 1 µs more where the end does it. */
const endWith = (response: ServerResponse, body: LongText, encoding: 'latin1' | 'utf8'): void => {
  if (JOINS_AT_END && typeof body === 'string') {
    response.end(body, encoding);
    return;
  }
  response.cork();
  if (typeof body === 'string') response.write(body, encoding);
  else for (const part of body) response.write(part);
  response.uncork();
  response.end();
};

/**
 * Writes a whole JSON answer.
 *
 * @param body a text is written faster than bytes, but the runtime holds it with its bytes until the client has read them
 * @param size the bytes of the body
 */
export const answerJson = (
  response: ServerResponse,
  status: number,
  body: LongText,
  size: number = countBytes(body),
): void => {
  // In pairs, which the runtime accepts without conversion.
  response.writeHead(status, ['content-type', 'application/json', 'content-length', String(size)]);
  // A text of ASCII characters is the same in both encodings, and the runtime copies it as `latin1` without another count.
  endWith(response, body, body.length === size ? 'latin1' : 'utf8');
};

/** Closes the connection of a reader that leaves the rest of a finished answer unread for too long. */
export const closeWhenUnread = (response: ServerResponse, timeoutMs: number): void => {
  const timer = setTimeout(() => response.destroy(), timeoutMs);
  timer.unref();
  response.once('close', () => {
    clearTimeout(timer);
  });
};

/** Answers without a body: an accepted notification or an ended session. */
export const answerEmpty = (response: ServerResponse, status: number): void => {
  response.writeHead(status, { 'content-length': 0 });
  response.end();
};

/** Answers a refusal and discards the rest of the request's body within bounds. */
export const answerRefusal = (
  exchange: { readonly request: IncomingMessage; readonly response: ServerResponse },
  refusal: EndpointRefusal,
  id: RpcId | null = null,
): void => {
  const { request, response } = exchange;
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const status = toRefusalStatus(refusal);
  setRefusalHeaders(response, refusal);
  answerJson(response, status, formatErrorMessage(id, toRpcError(refusal)));
  if (!request.complete) discardBody(request);
};

/** Sets the headers that state what a client may do instead. */
const setRefusalHeaders = (response: ServerResponse, refusal: EndpointRefusal): void => {
  const status = toRefusalStatus(refusal);
  if (refusal.code === 'method-not-allowed') response.setHeader('allow', refusal.allow);
  if (status === 503 || status === 429) {
    const seconds =
      refusal.code === 'rate-limited' ? String(refusal.retryAfterSeconds) : RETRY_AFTER_SECONDS;
    response.setHeader('retry-after', seconds);
  }
  if ('challenge' in refusal) response.setHeader('www-authenticate', refusal.challenge);
  if (refusal.code === 'draining') response.setHeader('connection', 'close');
};

/** Discards the rest of a request's body, within bounds, so that its sender can read the answer. */
export const discardBody = (request: IncomingMessage): void => {
  let left = MAX_DISCARDED_BYTES;
  const timer = setTimeout(() => request.destroy(), MAX_DISCARD_MS);
  timer.unref();
  request
    .on('data', (chunk: Buffer) => {
      left -= chunk.length;
      if (left < 0) request.destroy();
    })
    .on('error', () => undefined)
    .once('close', () => {
      clearTimeout(timer);
    });
};

/** The framings of an answer that the caller accepts. */
export interface AcceptedFramings {
  readonly json: boolean;
  readonly events: boolean;
}

const JSON_TYPE = 'application/json';

const BOTH_FRAMINGS: AcceptedFramings = { json: true, events: true };

const isRefusedByWeight = (parameters: readonly string[]): boolean =>
  parameters.some((parameter) => /^\s*q\s*=\s*0(?:\.0{0,3})?\s*$/i.test(parameter));

const canAcceptType = (ranges: readonly string[], type: string): boolean => {
  const family = `${type.slice(0, type.indexOf('/'))}/*`;
  return ranges.some((range) => {
    const [essence = '', ...parameters] = range.split(';');
    const name = essence.trim().toLowerCase();
    return (name === type || name === family || name === '*/*') && !isRefusedByWeight(parameters);
  });
};

/** Parses `Accept`; a request without one accepts JSON. RFC 9110 §12.5.1 */
const parseAccept = (accept: HeaderValue): AcceptedFramings => {
  if (accept === undefined) return { json: true, events: false };
  // Nearly all clients send it exactly so.
  if (accept === MESSAGE_TYPES) return BOTH_FRAMINGS;
  const ranges = joinValues(accept, ',')?.split(',') ?? [];
  return {
    json: canAcceptType(ranges, JSON_TYPE),
    events: canAcceptType(ranges, EVENT_STREAM_TYPE),
  };
};

/** Returns the refusal of a `POST` whose body is not plain JSON, by its headers; `undefined` for an accepted one. */
export const refuseBodyType = ({
  contentType,
  contentEncoding,
}: Pick<KnownHeaders, 'contentType' | 'contentEncoding'>): EndpointRefusal | undefined => {
  if (contentType !== JSON_TYPE) {
    const essence = joinValues(contentType, ',')?.split(';', 1)[0]?.trim().toLowerCase();
    if (essence !== JSON_TYPE) return { code: 'unsupported-media-type' };
  }
  const encoding = joinValues(contentEncoding, ',')?.trim().toLowerCase();
  if (encoding !== undefined && encoding !== 'identity') return { code: 'unsupported-encoding' };
  return undefined;
};

/** Returns the refusal of a caller that accepts neither framing of an answer; `undefined` for any other. */
export const refuseFramings = (accepted: AcceptedFramings): EndpointRefusal | undefined =>
  accepted.json || accepted.events
    ? undefined
    : { code: 'not-acceptable', expected: `${JSON_TYPE} or ${EVENT_STREAM_TYPE}` };

/** The members of an endpoint that its exchanges share. */
export interface ExchangeOwner {
  /** Called with each refusal and the key of its caller. */
  readonly onRefusal: (refusal: EndpointRefusal, caller: string) => void;
  /** Returns the address of the caller of a request. */
  readonly resolveAddress: (request: IncomingMessage) => string;
}

/** The credentials of a request that was accepted. */
export interface RequestCredentials {
  /** Time at which they expire, in milliseconds since the epoch; absent: they do not expire. */
  readonly expiresAt: number | undefined;
  /** Returns whether they are accepted now: their user may have signed out. Never rejects. */
  readonly areAccepted: () => boolean | Promise<boolean>;
}

/** One HTTP request, its parsed headers and its refusal. Every member is parsed when it is first read. */
export class HttpExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  #principal: Principal = ANONYMOUS;
  #credentials: RequestCredentials | undefined;
  readonly #owner: ExchangeOwner;
  #caller: string | undefined;
  #known: KnownHeaders | undefined;
  #header: HeaderReader | undefined;
  #accepted: AcceptedFramings | undefined;

  constructor(request: IncomingMessage, response: ServerResponse, owner: ExchangeOwner) {
    this.request = request;
    this.response = response;
    this.#owner = owner;
  }

  /** The party that sent the request; {@link ANONYMOUS} until {@link identify}. */
  get principal(): Principal {
    return this.#principal;
  }

  /** Absent for a request without credentials. */
  get credentials(): RequestCredentials | undefined {
    return this.#credentials;
  }

  /** The key under which the caller is counted: its principal when it has signed in, otherwise its address. */
  get caller(): string {
    return (this.#caller ??= this.#owner.resolveAddress(this.request));
  }

  /** Records the party that sent the request. */
  identify(principal: Principal, credentials: RequestCredentials): void {
    this.#principal = principal;
    this.#credentials = credentials;
    if (principal.key !== ANONYMOUS.key) this.#caller = `principal:${principal.key}`;
  }

  /** The headers that the endpoint itself reads. */
  get known(): KnownHeaders {
    return (this.#known ??= new KnownHeaders(this.request));
  }

  /** Any header, for the service. */
  get header(): HeaderReader {
    return (this.#header ??= createHeaderReader(this.request));
  }

  /** The framings of an answer that the caller accepts. */
  get accepted(): AcceptedFramings {
    return (this.#accepted ??= parseAccept(this.known.accept));
  }

  /** Reports a refusal that is answered in another way. */
  recordRefusal(refusal: EndpointRefusal): void {
    this.#owner.onRefusal(refusal, this.caller);
  }

  refuse(refusal: EndpointRefusal, id?: RpcId | null): void {
    this.#owner.onRefusal(refusal, this.caller);
    answerRefusal(this, refusal, id);
  }
}

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
