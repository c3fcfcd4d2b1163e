import { discardBody, KeyedSlots } from '@gateway/mcp-http';
import type { IncomingMessage, ServerResponse, IncomingHttpHeaders } from 'node:http';
import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Agent, type Dispatcher } from 'undici';
import { answerRefusal, type PortalRefusal, DATA_SECURITY_HEADERS } from '../answers.ts';
import { TOOLSET_HEADER_KEY } from '@gateway/toolset-grammar';

/** The headers of a browser's request that reach the service. Cookies and origins of the browser do not. */
const REQUEST_HEADERS = [
  'accept',
  'content-type',
  'last-event-id',
  'mcp-method',
  'mcp-name',
  'mcp-protocol-version',
  'mcp-session-id',
  'traceparent',
  'tracestate',
  'x-gateway-expose',
  TOOLSET_HEADER_KEY,
];

/** The headers of a service's response that reach the browser. */
const RESPONSE_HEADERS = ['content-type', 'mcp-session-id', 'retry-after', 'x-request-id'] as const;

const MCP_PARAMETER = 'mcp-param-';

/** Returns the headers of the request to the service. */
const requestHeaders = (
  headers: IncomingHttpHeaders,
  token: string | undefined,
): Record<string, string | string[]> => {
  const sent: Record<string, string | string[]> = {};
  for (const name of requestHeaderNames(headers)) {
    const value = headers[name];
    if (value !== undefined) sent[name] = value;
  }
  if (token !== undefined) sent['authorization'] = `Bearer ${token}`;
  return sent;
};

const requestHeaderNames = (headers: IncomingHttpHeaders): readonly string[] => [
  ...REQUEST_HEADERS,
  ...Object.keys(headers).filter((name) => name.startsWith(MCP_PARAMETER)),
];

/** Returns the headers of the response to the browser. */
const createResponseHeaders = (
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Record<string, string | string[]> => {
  const sent: Record<string, string | string[]> = {
    'cache-control': 'no-store',
    ...DATA_SECURITY_HEADERS,
  };
  for (const name of RESPONSE_HEADERS) {
    const value = headers[name];
    if (value !== undefined) sent[name] = value;
  }
  return sent;
};

const FORWARDED_FOR = 'x-forwarded-for';
/** Receivers read the last addresses. */
const MAX_ADDRESSES = 1_000;

/** Returns the header that names the browser after the proxies in front of the portal. A service reads it where it trusts the portal. */
const createForwardedHeader = ({
  headers,
  socket,
}: Pick<IncomingMessage, 'headers' | 'socket'>): Record<string, string> => {
  const before = headers[FORWARDED_FOR]?.toString().slice(-MAX_ADDRESSES);
  const addresses = [before, socket.remoteAddress].filter((one) => one !== undefined);
  return addresses.length === 0 ? {} : { [FORWARDED_FOR]: addresses.join(', ') };
};

/** Sends requests of browsers to the services. */
export interface Forwarder {
  /** Sends a request and streams its response. A browser that goes away ends the request at the service. */
  readonly forward: (exchange: Exchange) => Promise<void>;
  /** Ends the requests that still run. */
  readonly close: () => Promise<void>;
}

/** One request of a browser on its way to a service. */
interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly url: URL;
  /** The token of the user. */
  readonly token: string | undefined;
  /** The session, or the address of a browser without one, whose requests are counted together. */
  readonly countedAs: string;
  /** The service learns the address of the browser, to count its requests. */
  readonly namesAddress?: boolean;
  /** Aborted when the session ends, and the request with it. */
  readonly sessionEnd: AbortSignal;
  /** The refusal when the service does not answer. */
  readonly unreachable: PortalRefusal;
  /** Called when the service does not accept the token. */
  readonly onUnauthorized?: () => Promise<void>;
}

/** Limits of a forwarder. */
interface ForwarderLimits {
  /** Requests of one session that run at the same time. */
  readonly maxPerSession: number;
}

const DEFAULT_LIMITS: ForwarderLimits = { maxPerSession: 128 };
const CONNECT_MS = 5_000;
/** A quiet stream is not a dead one: the gateway sends comments within 30 seconds. */
const QUIET_MS = 120_000;

const METHODS_WITHOUT_BODY: ReadonlySet<string> = new Set(['GET', 'HEAD', 'DELETE']);

const readMethod = ({ method = 'GET' }: IncomingMessage): Dispatcher.HttpMethod => method;

/** The service may answer before it has read the body: that must not end the connection of the browser. */
const openBody = (request: IncomingMessage): PassThrough | null =>
  METHODS_WITHOUT_BODY.has(readMethod(request)) ? null : request.pipe(new PassThrough());

const createHeaders = ({ request, token, namesAddress = false }: Exchange) => ({
  ...requestHeaders(request.headers, token),
  ...(namesAddress && createForwardedHeader(request)),
});

const forward = async (exchange: Exchange, dispatcher: Dispatcher): Promise<void> => {
  const { request, response, url, sessionEnd } = exchange;
  const ended = new AbortController();
  response.once('close', () => {
    ended.abort();
  });
  // The browser may have gone away while the session was read.
  if (response.destroyed) return;
  try {
    const { origin, pathname, search } = new URL(url);
    const answer = await dispatcher.request({
      origin,
      path: `${pathname}${search}`,
      method: readMethod(request),
      headers: createHeaders(exchange),
      body: openBody(request),
      signal: AbortSignal.any([ended.signal, sessionEnd]),
    });
    if (answer.statusCode === 401) await exchange.onUnauthorized?.();
    response.writeHead(answer.statusCode, createResponseHeaders(answer.headers));
    response.flushHeaders();
    await pipeline(answer.body, response);
  } catch {
    answerRefusal(response, sessionEnd.aborted ? 'signed-out' : exchange.unreachable);
  } finally {
    request.unpipe();
    if (!request.complete) discardBody(request);
  }
};

/** Creates the forwarder of the portal's services. */
export const createForwarder = ({ maxPerSession } = DEFAULT_LIMITS): Forwarder => {
  const dispatcher = new Agent({
    connect: { timeout: CONNECT_MS },
    headersTimeout: QUIET_MS,
    bodyTimeout: QUIET_MS,
  });
  const slots = new KeyedSlots({ maxRunning: maxPerSession, maxQueued: 0 });
  return {
    forward: async (exchange) => {
      const sessionSlots = slots.get(exchange.countedAs);
      if (!sessionSlots.take()) {
        answerRefusal(exchange.response, 'too-many-requests');
        discardBody(exchange.request);
        return;
      }
      try {
        await forward(exchange, dispatcher);
      } finally {
        sessionSlots.release();
      }
    },
    close: () => dispatcher.destroy(),
  };
};
