import { HttpHeaders } from '@gateway/downstream';
import type { Readable } from 'node:stream';
import { Agent, type Dispatcher } from 'undici';
import type { BridgeFailure } from './bridge-failure.ts';

/** The address of a gateway, and what each request to it carries. */
export interface EndpointOptions {
  readonly url: URL;
  /** Headers of each request, such as the toolset. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Returns the token of the person, asked before each request; without one requests are anonymous. */
  readonly accessToken?: () => Promise<string | undefined>;
}

/** An answer of the gateway whose body is not read. */
export interface Answer {
  readonly status: number;
  readonly isStream: boolean;
  readonly isJson: boolean;
  readonly sessionId: string | undefined;
  readonly body: Readable;
}

/** The outcome of a request: an answer of any status, or the reason why there is none. */
export type Sent =
  | { readonly ok: true; readonly answer: Answer }
  | { readonly ok: false; readonly failure: BridgeFailure };

/** The description of a message for its headers. */
export interface Described {
  readonly method?: string | undefined;
  readonly params?: Readonly<Record<string, unknown>> | undefined;
  readonly extra?: Readonly<Record<string, string>> | undefined;
}

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

const codeOf = (error: unknown): string => {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 4; depth += 1) {
    const { code } = cause as NodeJS.ErrnoException;
    if (typeof code === 'string') return code;
    cause = cause.cause;
  }
  return 'the connection failed';
};

/** Returns the failure of a request or of the reading of its answer. */
export const lostBy = (error: unknown): BridgeFailure => {
  const reason = codeOf(error);
  return UNSENT.has(reason) ? { code: 'unreachable', reason } : { code: 'lost', reason };
};

const valueOf = (headers: Dispatcher.ResponseData['headers'], name: string): string | undefined => {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
};

const answerOf = ({ statusCode, headers, body }: Dispatcher.ResponseData): Answer => {
  const type = valueOf(headers, 'content-type') ?? '';
  return {
    status: statusCode,
    isStream: /^text\/event-stream\b/iu.test(type),
    isJson: /^application\/json\b/iu.test(type),
    sessionId: valueOf(headers, 'mcp-session-id'),
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
  post(line: string, { method, params, extra }: Described, signal?: AbortSignal): Promise<Sent> {
    return this.#send({ method: 'POST', body: line }, signal, () =>
      this.headers.message(method, params, extra),
    );
  }

  /** Opens the stream of the session, after an event where an id is given; never rejects. */
  listen(lastEventId: string | undefined, signal: AbortSignal): Promise<Sent> {
    return this.#send({ method: 'GET' }, signal, () => this.headers.stream(lastEventId));
  }

  /** Ends the session; never rejects. */
  endSession(signal: AbortSignal): Promise<Sent> {
    return this.#send({ method: 'DELETE' }, signal, () => this.headers.bare());
  }

  /** Ends all connections. */
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
        ...{ origin, method, path: `${pathname}${search}` },
        headers: [...headers()],
        ...(body !== undefined && { body }),
        ...(signal !== undefined && { signal }),
      });
      return { ok: true, answer: answerOf(response) };
    } catch (error) {
      return { ok: false, failure: lostBy(error) };
    }
  }
}
