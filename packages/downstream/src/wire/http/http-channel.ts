import type { Deadlines, Timed } from '../deadlines.ts';
import type { HttpHandler } from './http-exchange.ts';
import { HttpExchange } from './http-exchange.ts';
import type { HttpConnections, HttpParts, HttpTarget } from './http-connections.ts';
import type { HttpHeaders } from './http-headers.ts';
import { HttpPost } from './http-post.ts';
import type { PostSink } from './http-post.ts';
import type { InFlight } from '../in-flight.ts';
import type { OpenRecord, WireObserver } from '../wire.ts';

/** What all messages of a Streamable HTTP connection share. */
export interface HttpChannel {
  readonly target: HttpTarget;
  readonly connections: HttpConnections;
  readonly headers: HttpHeaders;
  readonly maxBytes: number;
  readonly observer: WireObserver;
  /** What is under way, to be ended with the connection. */
  readonly open: InFlight<number, HttpPost>;
  /** Answered requests whose streams the server has not closed yet. */
  readonly lingering: Set<Timed>;
  readonly lingerDeadlines: Deadlines;
}

/** A message that is to be posted. */
export interface OutgoingMessage {
  readonly method: string | undefined;
  readonly params: OpenRecord | undefined;
  readonly text: string;
  readonly isRequest: boolean;
  readonly headers: Readonly<Record<string, string>> | undefined;
}

/** The request of 2026-07-28 that stays open for as long as the connection lives. */
const LONG_LIVED_METHOD = 'subscriptions/listen';

const isRecord = (value: unknown): value is OpenRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether a value is a JSON-RPC message at all. */
export const isMessage = (value: unknown): value is OpenRecord =>
  isRecord(value) &&
  value['jsonrpc'] === '2.0' &&
  (typeof value['method'] === 'string' ||
    Object.hasOwn(value, 'result') ||
    Object.hasOwn(value, 'error'));

/** An exchange that has not been sent. */
export const exchangeOn = (
  channel: HttpChannel,
  parts: HttpParts,
  handler: HttpHandler,
): HttpExchange => new HttpExchange(channel.connections, channel.target, parts, handler);

/** The GET for an event stream, under way. */
export const openStream = (
  channel: HttpChannel,
  lastEventId: string | undefined,
  handler: HttpHandler,
): HttpExchange => {
  const headers = channel.headers.stream(lastEventId);
  const exchange = exchangeOn(channel, { method: 'GET', headers, isLongLived: true }, handler);
  exchange.send();
  return exchange;
};

/** Posts one message. */
export const post = (channel: HttpChannel, message: OutgoingMessage, sink: PostSink): HttpPost => {
  const { method, params, text, isRequest, headers } = message;
  const options = {
    maxBytes: channel.maxBytes,
    isRequest,
    open: channel.open,
    resume: (lastEventId: string | undefined, handler: HttpHandler) =>
      openStream(channel, lastEventId, handler),
  };
  const posted = new HttpPost(options, sink);
  const parts: HttpParts = {
    method: 'POST',
    headers: channel.headers.message(method, params, headers),
    body: text,
    isLongLived: method === LONG_LIVED_METHOD,
  };
  posted.send(exchangeOn(channel, parts, posted));
  return posted;
};
