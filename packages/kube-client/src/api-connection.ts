import {
  type ClientRequest,
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingMessage,
  type OutgoingHttpHeaders,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest, type RequestOptions } from 'node:https';
import { setTimeout as delay } from 'node:timers/promises';
import {
  type ApiFailure,
  type ApiResult,
  toFailure,
  readResponse,
  parseRetryAfter,
} from './api-result.ts';
import type { KubeConfig } from './client-library.ts';

/** The time after which an idle stream is probed for a lost peer, in milliseconds. */
const STREAM_KEEP_ALIVE_MS = 30_000;

/** The maximum number of concurrent requests, without watches. Further requests wait within their time limit. */
const MAX_CONNECTIONS = 64;

/** The time for which an idle connection stays open, in milliseconds; shorter than that of servers and load balancers. */
const IDLE_CONNECTION_MS = 20_000;

/** The default time limit of a request including its retries, in milliseconds. */
const REQUEST_TIMEOUT_MS = 10_000;

/** Characters that JSON permits in a string, and YAML 1.1 refuses or reads as the end of a line. */
const NOT_IN_YAML = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g;

const escapeSegment = (character: string): string =>
  `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Returns a body as JSON that is also YAML: the API parses an apply as YAML. */
const formatBody = (body: unknown): string =>
  JSON.stringify(body).replace(NOT_IN_YAML, escapeSegment);

/** Returns the headers of a body; none without a body. */
const createBodyHeaders = (text: string | undefined, contentType: string): OutgoingHttpHeaders =>
  text === undefined
    ? {}
    : { 'content-type': contentType, 'content-length': Buffer.byteLength(text) };

/** A request to the Kubernetes API. */
interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** `application/json` when absent. */
  readonly contentType?: string;
  /** The media type of the response; `application/json` when absent. */
  readonly accept?: string;
  /** Replaces the header `Authorization` of the connection. Secret. */
  readonly headers?: { readonly authorization: string };
}

/** An open response, which ends when it is aborted. */
export type ApiStream = ApiResult<IncomingMessage>;

/** The address of the API and the credentials, as the official client reads them. */
export interface ApiCredentials {
  readonly library: { readonly KubeConfig: typeof KubeConfig };
  readonly kubeConfig: KubeConfig;
}

/** The headers and the options of TLS that the official client reads for a request. */
interface Credentials extends RequestOptions {
  headers?: OutgoingHttpHeaders;
}

/** The agents of Node have options that their types do not show. */
interface ProxyAgent {
  readonly options: object;
}

/** A connection to one cluster. */
export interface ApiConnection {
  /** The field manager of writes, which is also the user agent. */
  readonly fieldManager: string;
  /** Sends a request and reads the response, within the time limit. Never rejects. */
  readonly send: (request: ApiRequest) => Promise<ApiResult<Readonly<Record<string, unknown>>>>;
  /** Sends a request and resolves when its response begins. Never rejects; the stream fails when the signal aborts. */
  readonly openStream: (request: ApiRequest, signal: AbortSignal) => Promise<ApiStream>;
  /** Aborts the running requests. Later requests fail. */
  readonly close: () => void;
}

class CredentialsError extends Error {
  readonly code: string | undefined;

  constructor(cause: unknown) {
    super('no credentials', { cause });
    this.code = readCode(cause);
  }
}

const readCode = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined;

const isTooManyRequests = (response: IncomingMessage): boolean => response.statusCode === 429;

/** The time to wait when the API gives none, in milliseconds. */
const DEFAULT_RETRY_AFTER_MS = 1000;

/** Settles as the promise does, or rejects when the signal aborts. */
const raceSignal = <T>(promise: Promise<T>, signal: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    const onAbort = (): void => reject(new Error('aborted'));
    signal.addEventListener('abort', onAbort, { once: true });
    void promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
    if (signal.aborted) onAbort();
  });

/** Sends requests with the credentials of the official client. Responses are bounded, and every request has a time limit. */
class Connection implements ApiConnection {
  /** Reuses connections with the same certificates. */
  readonly #agent: HttpAgent;
  readonly #running = new Set<AbortController>();
  readonly #credentials: ApiCredentials;
  readonly fieldManager: string;
  readonly #timeoutMs: number;
  readonly #server: string;
  #isClosed = false;

  constructor(
    credentials: ApiCredentials,
    { fieldManager, timeoutMs = REQUEST_TIMEOUT_MS }: ConnectionOptions,
  ) {
    this.#credentials = credentials;
    this.fieldManager = fieldManager;
    this.#timeoutMs = timeoutMs;
    this.#server = (credentials.kubeConfig.getCurrentCluster()?.server ?? '').replace(/\/+$/, '');
    const Agent = this.#server.startsWith('https:') ? HttpsAgent : HttpAgent;
    this.#agent = new Agent({
      keepAlive: true,
      timeout: IDLE_CONNECTION_MS,
      maxSockets: MAX_CONNECTIONS,
    });
  }

  readonly send = async (
    request: ApiRequest,
  ): Promise<ApiResult<Readonly<Record<string, unknown>>>> => {
    if (this.#isClosed) return toFailure({ kind: 'closed' });
    const controller = new AbortController();
    const endsAt = performance.now() + this.#timeoutMs;
    const timer = setTimeout(() => controller.abort(), this.#timeoutMs);
    this.#running.add(controller);
    try {
      return await this.#sendUntilAccepted(request, controller.signal, endsAt);
    } catch (error) {
      return toFailure(this.#describeFailure(error, controller.signal));
    } finally {
      clearTimeout(timer);
      this.#running.delete(controller);
    }
  };

  readonly openStream = async (request: ApiRequest, signal: AbortSignal): Promise<ApiStream> => {
    if (this.#isClosed) return toFailure({ kind: 'closed' });
    const controller = new AbortController();
    const end = (): void => controller.abort();
    signal.addEventListener('abort', end, { once: true });
    if (signal.aborted) end();
    const timer = setTimeout(end, this.#timeoutMs);
    this.#running.add(controller);
    const forget = (): void => {
      signal.removeEventListener('abort', end);
      this.#running.delete(controller);
    };
    try {
      const response = await this.#sendOnce(request, controller.signal);
      if (response.statusCode === 200) {
        response.socket.setKeepAlive(true, STREAM_KEEP_ALIVE_MS);
        response.once('close', forget);
        return { ok: true, value: response };
      }
      const answer = await readResponse(response);
      forget();
      return answer.ok ? toFailure({ kind: 'unreadable' }) : answer;
    } catch (error) {
      forget();
      return toFailure(this.#describeFailure(error, controller.signal));
    } finally {
      clearTimeout(timer);
    }
  };

  readonly close = (): void => {
    this.#isClosed = true;
    for (const controller of this.#running) controller.abort();
    this.#agent.destroy();
  };

  /** Retries a request that the API rejected unprocessed because of overload (429), after the time that it asks for. */
  async #sendUntilAccepted(
    request: ApiRequest,
    signal: AbortSignal,
    endsAt: number,
  ): Promise<ApiResult<Readonly<Record<string, unknown>>>> {
    for (;;) {
      const response = await this.#sendWithRetry(request, signal);
      const answer = await readResponse(response);
      const waitMs = parseRetryAfter(response) ?? DEFAULT_RETRY_AFTER_MS;
      if (!isTooManyRequests(response) || performance.now() + waitMs >= endsAt) return answer;
      await delay(waitMs, undefined, { signal });
    }
  }

  async #sendWithRetry(request: ApiRequest, signal: AbortSignal): Promise<IncomingMessage> {
    try {
      return await this.#sendOnce(request, signal, this.#agent);
    } catch (error) {
      if (request.method !== 'GET' || !(error instanceof StaleConnectionError)) throw error;
      return this.#sendOnce(request, signal, this.#agent);
    }
  }

  /** Without an agent, the request has a connection of its own, as a watch needs. */
  async #sendOnce(
    { method, path, query, body, headers, ...types }: ApiRequest,
    signal: AbortSignal,
    agent: HttpAgent | false = false,
  ): Promise<IncomingMessage> {
    const { contentType = 'application/json', accept = 'application/json' } = types;
    const url = new URL(this.#server + path);
    for (const [key, value] of Object.entries(query ?? {})) url.searchParams.set(key, value);
    const credentials = await raceSignal(this.#readCredentials(), signal).catch(
      (error: unknown) => {
        throw signal.aborted ? error : new CredentialsError(error);
      },
    );
    const text = body === undefined ? undefined : formatBody(body);
    const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
    const sent = send(url, {
      ...credentials,
      method,
      signal,
      agent: credentials.agent ?? agent,
      headers: {
        ...credentials.headers,
        ...headers,
        accept,
        'user-agent': this.fieldManager,
        ...createBodyHeaders(text, contentType),
      },
    });
    return sendBody(sent, text);
  }

  /** Reads tokens and certificates again, which files and plugins renew. The agent, if any, is that of a proxy. */
  async #readCredentials(): Promise<Credentials> {
    const { kubeConfig } = this.#credentials;
    const options: Credentials = {};
    await kubeConfig.applyToHTTPSOptions(options);
    const { agent, ...credentials } = options;
    const isProxied = kubeConfig.getCurrentCluster()?.proxyUrl !== undefined;
    if (!isProxied || !(agent instanceof HttpAgent)) return credentials;
    // The library reuses the agent with the certificates that it read first.
    const { ca, cert, key } = credentials;
    Object.assign((agent as unknown as ProxyAgent).options, { ca, cert, key });
    return { ...credentials, agent };
  }

  #describeFailure(error: unknown, signal: AbortSignal): ApiFailure {
    if (this.#isClosed) return { kind: 'closed' };
    if (signal.aborted) return { kind: 'late', afterMs: this.#timeoutMs };
    if (error instanceof CredentialsError)
      return { kind: 'no-credentials', ...(error.code === undefined ? {} : { code: error.code }) };
    const cause = error instanceof StaleConnectionError ? error.cause : error;
    return { kind: 'broken', code: readCode(cause) ?? 'unknown' };
  }
}

/** A reused connection that the server had closed before the request reached it. */
class StaleConnectionError extends Error {
  constructor(cause: unknown) {
    super('stale connection', { cause });
  }
}

const sendBody = (sent: ClientRequest, body: string | undefined): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    sent.once('response', resolve);
    sent.on('error', (error) =>
      reject(sent.reusedSocket ? new StaleConnectionError(error) : error),
    );
    sent.end(body);
  });

/** Options of a connection. */
export interface ConnectionOptions {
  /** The field manager of writes. */
  readonly fieldManager: string;
  /** The time limit of a request, in milliseconds; 10,000 when absent. */
  readonly timeoutMs?: number;
}

/** Returns a connection with these credentials. Sends nothing yet. */
export const openConnection = (
  credentials: ApiCredentials,
  options: ConnectionOptions,
): ApiConnection => new Connection(credentials, options);
