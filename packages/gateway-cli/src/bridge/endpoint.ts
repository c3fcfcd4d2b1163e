import { EventStreamReader, isEventStream, SESSION_HEADER } from '@gateway/mcp-wire';
import type { JsonObject } from '@gateway/call-contract';
import { HttpHeaders } from '@gateway/downstream';
import type { Readable } from 'node:stream';
import { Agent, type Dispatcher } from 'undici';
import { findErrorCode } from '../failure.ts';

export type BridgeFailure =
  /** Nothing was sent: no connection could be opened. */
  | { readonly code: 'unreachable'; readonly reason: string }
  /** The connection ended after the request was sent. */
  | { readonly code: 'lost'; readonly reason: string }
  /** The gateway requires a sign-in, or does not accept the token. */
  | { readonly code: 'unauthorized' }
  | { readonly code: 'refused'; readonly status: number }
  | { readonly code: 'no-endpoint' }
  | { readonly code: 'not-mcp'; readonly status: number }
  /** The session of the request has ended, and its stream cannot be resumed. */
  | { readonly code: 'session-ended' }
  | { readonly code: 'too-large' }
  | { readonly code: 'too-many'; readonly limit: string };

/** Returns the text of a failure; it has no credentials and no content of messages. */
export const formatBridgeFailure = (failure: BridgeFailure, url: string): string => {
  switch (failure.code) {
    case 'unreachable':
      return `no gateway answers at ${url} (${failure.reason})`;
    case 'lost':
      return `the connection to the gateway at ${url} ended before its answer (${failure.reason}); a call may have been executed`;
    case 'unauthorized':
      return `the gateway at ${url} requires a sign-in: run gateway auth login ${url}, or set GATEWAY_TOKEN`;
    case 'refused':
      return `the gateway at ${url} refuses this client: HTTP ${failure.status}`;
    case 'no-endpoint':
      return `there is no MCP endpoint at ${url}; the path of a gateway is /mcp`;
    case 'not-mcp':
      return `${url} answers HTTP ${failure.status} with something else than MCP`;
    case 'session-ended':
      return `the gateway at ${url} was restarted before its answer; a call may have been executed`;
    case 'too-large':
      return `a message of the gateway at ${url} exceeds the limit of 64 MiB`;
    case 'too-many':
      return `more than ${failure.limit} are waiting for an answer`;
  }
};

export interface EndpointOptions {
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>>;
  /** Returns the token of the user, asked before each request; without one requests are anonymous. */
  readonly accessToken?: () => Promise<string | undefined>;
}

export interface HttpAnswer {
  readonly status: number;
  readonly isStream: boolean;
  readonly isJson: boolean;
  readonly sessionId: string | undefined;
  readonly body: Readable;
}

export type Sent =
  | { readonly ok: true; readonly answer: HttpAnswer }
  | { readonly ok: false; readonly failure: BridgeFailure };

const CONNECT_MS = 10_000;
/** A quiet stream is not a dead one: a gateway sends comments within 30 seconds. */
const QUIET_MS = 180_000;

/** Codes of failures before the first byte of a request was sent. */
const UNSENT: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

const toBridgeFailure = (error: unknown): BridgeFailure => {
  const reason = findErrorCode(error, /./u) ?? 'the connection failed';
  return UNSENT.has(reason) ? { code: 'unreachable', reason } : { code: 'lost', reason };
};

const toValue = (headers: Dispatcher.ResponseData['headers'], name: string): string | undefined => {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
};

const toAnswer = ({ statusCode, headers, body }: Dispatcher.ResponseData): HttpAnswer => {
  const type = toValue(headers, 'content-type') ?? '';
  return {
    status: statusCode,
    isStream: isEventStream(type),
    isJson: /^application\/json\b/iu.test(type),
    sessionId: toValue(headers, SESSION_HEADER),
    body,
  };
};

/** The HTTP side of a bridge. Redirects are not followed, so that a token reaches its gateway only. */
export class Endpoint {
  readonly headers: HttpHeaders;
  readonly #options: EndpointOptions;
  readonly #agent = new Agent({
    connect: { timeout: CONNECT_MS },
    headersTimeout: QUIET_MS,
    bodyTimeout: QUIET_MS,
  });
  #authorization: string | undefined;

  constructor(options: EndpointOptions) {
    this.#options = options;
    this.headers = new HttpHeaders(options.headers ?? {}, () => this.#authorization);
  }

  get url(): string {
    return this.#options.url.href;
  }

  /** Sends a message; never rejects. */
  post(
    line: string,
    {
      method,
      params,
    }: { readonly method?: string | undefined; readonly params?: JsonObject | undefined },
    signal?: AbortSignal,
    extra?: Readonly<Record<string, string>>,
  ): Promise<Sent> {
    return this.#send({ method: 'POST', body: line }, signal, () =>
      this.headers.listForMessage(method, params, extra),
    );
  }

  /** Opens the stream of the session, after an event where an id is given; never rejects. */
  listen(lastEventId: string | undefined, signal: AbortSignal): Promise<Sent> {
    return this.#send({ method: 'GET' }, signal, () => this.headers.listForStream(lastEventId));
  }

  /** Ends the session; never rejects. */
  endSession(signal: AbortSignal): Promise<Sent> {
    return this.#send({ method: 'DELETE' }, signal, () => this.headers.listBare());
  }

  close(): Promise<void> {
    return this.#agent.destroy();
  }

  async #send(
    { method, body }: { readonly method: Dispatcher.HttpMethod; readonly body?: string },
    signal: AbortSignal | undefined,
    headers: () => readonly string[],
  ): Promise<Sent> {
    try {
      const token = await this.#options.accessToken?.();
      this.#authorization = token === undefined ? undefined : `Bearer ${token}`;
      const { origin, pathname, search } = this.#options.url;
      const response = await this.#agent.request({
        origin,
        method,
        path: `${pathname}${search}`,
        headers: [...headers()],
        ...(body !== undefined && { body }),
        ...(signal !== undefined && { signal }),
      });
      return { ok: true, answer: toAnswer(response) };
    } catch (error) {
      return { ok: false, failure: toBridgeFailure(error) };
    }
  }
}

/** Maximum size of one message of the gateway. */
export const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;

type BodyText =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly failure: BridgeFailure };

const TOO_LARGE: BridgeFailure = { code: 'too-large' };

/** Discards a body, so that its connection can be used again. */
export const discard = ({ body }: Pick<HttpAnswer, 'body'>): void => {
  body.on('error', () => undefined).resume();
};

/** Reads a whole body; never rejects. */
export const readBody = async ({ body }: Pick<HttpAnswer, 'body'>): Promise<BodyText> => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > MAX_MESSAGE_BYTES) return { ok: false, failure: TOO_LARGE };
      chunks.push(chunk);
    }
  } catch (error) {
    return { ok: false, failure: toBridgeFailure(error) };
  }
  return { ok: true, text: Buffer.concat(chunks).toString('utf8') };
};

/** Reads a stream to its end; never rejects. Returns why it ended early, `undefined` for its own end. */
export const readStream = async (
  { body }: Pick<HttpAnswer, 'body'>,
  onMessage: (text: string) => Promise<void> | void,
  onId?: (id: string) => void,
): Promise<BridgeFailure | undefined> => {
  let messages: string[] = [];
  const events = new EventStreamReader(MAX_MESSAGE_BYTES, {
    onEvent: ({ data }) => {
      if (data.length > 0) messages.push(data.toString('utf8'));
    },
    onId: (id) => onId?.(id),
    onRetry: () => undefined,
  });
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      const isWithin = events.push(chunk);
      const arrived = messages;
      messages = [];
      for (const message of arrived) await onMessage(message);
      if (!isWithin) return TOO_LARGE;
    }
    return undefined;
  } catch (error) {
    return toBridgeFailure(error);
  }
};

/** Returns why an answer with a status has no message of a gateway; `undefined` for other statuses. */
export const findStatusFailure = (status: number): BridgeFailure | undefined => {
  switch (status) {
    case 401:
      return { code: 'unauthorized' };
    case 403:
      return { code: 'refused', status };
    case 404:
      return { code: 'no-endpoint' };
    default:
      return undefined;
  }
};
