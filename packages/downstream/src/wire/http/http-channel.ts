import type { InFlight, JsonObject } from '@gateway/call-contract';
import type { Deadlines, Timed } from '../deadlines.ts';
import type { HttpAuthority } from './http-authority.ts';
import type { HttpHandler, HttpHead } from './http-exchange.ts';
import { HttpExchange } from './http-exchange.ts';
import type { HttpConnections, HttpParts, HttpTarget } from './http-connections.ts';
import type { HttpHeaders } from './http-headers.ts';
import { HttpPost } from './http-post.ts';
import type { PostSink } from './http-post.ts';
import { renewing } from './renewing-handler.ts';
import type { WireObserver } from '../wire.ts';

/** Where the messages of a connection are posted, and how. */
export interface PostChannel {
  readonly target: HttpTarget;
  readonly connections: HttpConnections;
  readonly headers: HttpHeaders;
  /** Authorizes the requests; absent when only the server's definition does. */
  readonly authority: HttpAuthority | undefined;
  readonly maxBytes: number;
  /** The open posts, which end with the connection. */
  readonly open: InFlight<number, HttpPost>;
}

/** The shared state of a Streamable HTTP connection. */
export interface HttpChannel extends PostChannel {
  readonly observer: WireObserver;
  /** Answered requests whose streams are still open. */
  readonly lingering: Set<Timed>;
  readonly lingerDeadlines: Deadlines;
}

/** A message to post. */
export interface OutgoingMessage {
  readonly method: string | undefined;
  readonly params: JsonObject | undefined;
  readonly text: string;
  readonly isRequest: boolean;
  readonly headers: Readonly<Record<string, string>> | undefined;
}

/** The request of 2026-07-28 that stays open as long as the connection. */
const LONG_LIVED_METHOD = 'subscriptions/listen';

/** Returns an exchange that is not sent yet. */
export const exchangeOn = (
  channel: PostChannel,
  parts: HttpParts,
  handler: HttpHandler,
): HttpExchange => new HttpExchange(channel.connections, channel.target, parts, handler);

/**
 * Sends the GET for an event stream.
 *
 * @param again called after the credential was renewed; without it the stream is opened like after a lost connection, with its backoff
 */
export const openStream = (
  channel: PostChannel,
  lastEventId: string | undefined,
  handler: HttpHandler,
  again = (): void => handler.onFailure(new Error('the credential was renewed')),
): HttpExchange => {
  const headers = channel.headers.stream(lastEventId);
  const parts = { method: 'GET', headers, isLongLived: true } as const;
  const exchange = exchangeOn(channel, parts, renewing(channel.authority, handler, again));
  exchange.send();
  return exchange;
};

/** Posts one message. */
export const post = (channel: PostChannel, message: OutgoingMessage, sink: PostSink): HttpPost => {
  const { method, params, text, isRequest, headers } = message;
  const options = {
    maxBytes: channel.maxBytes,
    isRequest,
    open: channel.open,
    namesOtherSession: (head: HttpHead) => channel.headers.isOtherSession(head),
    resume: (lastEventId: string | undefined, handler: HttpHandler) =>
      openStream(channel, lastEventId, handler),
  };
  const posted = new HttpPost(options, sink);
  const send = (resend?: () => void): void => {
    const parts: HttpParts = {
      method: 'POST',
      headers: channel.headers.message(method, params, headers),
      body: text,
      isLongLived: method === LONG_LIVED_METHOD,
    };
    posted.send(exchangeOn(channel, parts, renewing(channel.authority, posted, resend)));
  };
  send(() => {
    if (!posted.isOver) send();
  });
  return posted;
};
