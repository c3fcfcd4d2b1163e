import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { Agent, request as sendRequest, type Dispatcher } from 'undici';
import { answerRefusal } from '../answers/json-answer.ts';
import { requestHeaders, responseHeaders } from './forwarded-headers.ts';

/** Sends requests of browsers to one service. */
export interface Forwarder {
  /** Sends a request and streams its response. A browser that goes away ends the request at the service. */
  readonly forward: (exchange: Exchange) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** One request of a browser on its way to a service. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly url: URL;
  /** The token of the person. */
  readonly token: string | undefined;
}

const CONNECTIONS = 256;
const CONNECT_MS = 5_000;
/** A quiet stream is not a dead one: the gateway sends comments within 30 seconds. */
const QUIET_MS = 120_000;

const METHODS_WITHOUT_BODY: ReadonlySet<string> = new Set(['GET', 'HEAD', 'DELETE']);

const methodOf = ({ method = 'GET' }: IncomingMessage): Dispatcher.HttpMethod => method;

/** Creates the forwarder of the portal's services. */
export const createForwarder = (): Forwarder => {
  const dispatcher = new Agent({
    connections: CONNECTIONS,
    connect: { timeout: CONNECT_MS },
    headersTimeout: QUIET_MS,
    bodyTimeout: QUIET_MS,
  });
  return {
    forward: (exchange) => forward(exchange, dispatcher),
    close: () => dispatcher.close(),
  };
};

const forward = async (exchange: Exchange, dispatcher: Dispatcher): Promise<void> => {
  const { request, response, url, token } = exchange;
  const ended = new AbortController();
  response.once('close', () => ended.abort());
  try {
    const answer = await sendRequest(url, {
      dispatcher,
      method: methodOf(request),
      headers: requestHeaders(request.headers, token),
      body: METHODS_WITHOUT_BODY.has(methodOf(request)) ? null : request,
      signal: ended.signal,
    });
    response.writeHead(answer.statusCode, responseHeaders(answer.headers));
    response.flushHeaders();
    await pipeline(answer.body, response);
  } catch {
    if (response.headersSent) response.destroy();
    else answerRefusal(response, 'unreachable');
  }
};
