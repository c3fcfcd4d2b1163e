import { request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { setTimeout as delay } from 'node:timers/promises';
import type { HttpMethod, KubeConfig, RequestContext } from './client-library.ts';
import { readAnswer } from './api-answer.ts';
import { failed, type ApiFailure, type ApiResult } from './api-failure.ts';
import { ConnectionAgents } from './connection-agents.ts';
import { ANSWER_TIMEOUT_MS } from './limits.ts';

/** The field manager of what is written: Kubernetes takes it from the user agent, and it is named in every write besides. */
export const FIELD_MANAGER = 'agent-manager';

/** A request to the Kubernetes API. */
export interface ApiRequest {
  readonly method: `${HttpMethod}`;
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** A reading that goes on until it is aborted. */
export type ApiStream = ApiResult<IncomingMessage>;

/** What the official client brings: where the API is, and who asks. */
export interface ApiCredentials {
  readonly library: {
    readonly HttpMethod: typeof HttpMethod;
    readonly RequestContext: typeof RequestContext;
  };
  readonly kubeConfig: KubeConfig;
}

/** A way to one cluster. */
export interface ApiConnection {
  /** Asks and reads the answer, within the time limit. Never rejects. */
  readonly ask: (request: ApiRequest) => Promise<ApiResult<Readonly<Record<string, unknown>>>>;
  /** Asks and hands over the answer when it begins. Never rejects; the stream ends in an error when the signal aborts. */
  readonly open: (request: ApiRequest, signal: AbortSignal) => Promise<ApiStream>;
  /** Ends what is under way. Everything asked later fails. */
  readonly close: () => void;
}

class CredentialsError extends Error {
  readonly code: string | undefined;

  constructor(cause: unknown) {
    super('no credentials', { cause });
    this.code = codeOf(cause);
  }
}

const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined;

const isTooManyRequests = (response: IncomingMessage): boolean => response.statusCode === 429;

/** How long the API asks to wait, in milliseconds: whole seconds, one where it does not say. */
const waitOf = (response: IncomingMessage): number => {
  const seconds = Number(response.headers['retry-after'] ?? '1');
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : 1000;
};

/** Settles as the promise does, but rejects as soon as the signal aborts. */
const until = <T>(promise: Promise<T>, signal: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    const onAbort = (): void => reject(new Error('aborted'));
    signal.addEventListener('abort', onAbort, { once: true });
    void promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
    if (signal.aborted) onAbort();
  });

/** The connection to one cluster: credentials as the official client has them, bounded answers, no call without a time limit. */
class Connection implements ApiConnection {
  readonly #agents = new ConnectionAgents();
  readonly #underWay = new Set<AbortController>();
  readonly #credentials: ApiCredentials;
  readonly #timeoutMs: number;
  readonly #server: string;
  #isClosed = false;

  constructor(credentials: ApiCredentials, timeoutMs: number) {
    this.#credentials = credentials;
    this.#timeoutMs = timeoutMs;
    this.#server = (credentials.kubeConfig.getCurrentCluster()?.server ?? '').replace(/\/+$/, '');
  }

  async ask(request: ApiRequest): Promise<ApiResult<Readonly<Record<string, unknown>>>> {
    if (this.#isClosed) return failed({ kind: 'closed' });
    const controller = new AbortController();
    const endsAt = performance.now() + this.#timeoutMs;
    const timer = setTimeout(() => controller.abort(), this.#timeoutMs);
    this.#underWay.add(controller);
    try {
      return await this.#answered(request, controller.signal, endsAt);
    } catch (error) {
      return failed(this.#failureOf(error, controller.signal));
    } finally {
      clearTimeout(timer);
      this.#underWay.delete(controller);
    }
  }

  async open(request: ApiRequest, signal: AbortSignal): Promise<ApiStream> {
    if (this.#isClosed) return failed({ kind: 'closed' });
    const controller = new AbortController();
    const end = (): void => controller.abort();
    signal.addEventListener('abort', end, { once: true });
    if (signal.aborted) end();
    const timer = setTimeout(end, this.#timeoutMs);
    this.#underWay.add(controller);
    const forget = (): void => {
      signal.removeEventListener('abort', end);
      this.#underWay.delete(controller);
    };
    try {
      const response = await this.#sendOnce(request, controller.signal);
      if (response.statusCode === 200) {
        response.once('close', forget);
        return { ok: true, value: response };
      }
      const answer = await readAnswer(response);
      forget();
      return answer.ok ? failed({ kind: 'unreadable' }) : answer;
    } catch (error) {
      forget();
      return failed(this.#failureOf(error, controller.signal));
    } finally {
      clearTimeout(timer);
    }
  }

  close(): void {
    this.#isClosed = true;
    for (const controller of this.#underWay) controller.abort();
    this.#agents.close();
  }

  /** Waits as the API asks where it has too much to do: such a request was not looked at. */
  async #answered(
    request: ApiRequest,
    signal: AbortSignal,
    endsAt: number,
  ): Promise<ApiResult<Readonly<Record<string, unknown>>>> {
    for (;;) {
      const response = await this.#send(request, signal);
      const answer = await readAnswer(response);
      const waitMs = waitOf(response);
      if (!isTooManyRequests(response) || performance.now() + waitMs >= endsAt) return answer;
      await delay(waitMs, undefined, { signal });
    }
  }

  async #send(request: ApiRequest, signal: AbortSignal): Promise<IncomingMessage> {
    try {
      return await this.#sendOnce(request, signal, this.#agents);
    } catch (error) {
      if (request.method !== 'GET' || !(error instanceof StaleConnectionError)) throw error;
      return this.#sendOnce(request, signal, this.#agents);
    }
  }

  /** Without kept agents, the connection is one of its own, which a watch may hold for as long as it likes. */
  async #sendOnce(
    { method, path, query, body }: ApiRequest,
    signal: AbortSignal,
    kept?: ConnectionAgents,
  ): Promise<IncomingMessage> {
    const { library, kubeConfig } = this.#credentials;
    const url = new URL(this.#server + path);
    for (const [key, value] of Object.entries(query ?? {})) url.searchParams.set(key, value);
    const context = new library.RequestContext(url.href, library.HttpMethod[method]);
    await until(kubeConfig.applySecurityAuthentication(context), signal).catch((error: unknown) => {
      throw signal.aborted ? error : new CredentialsError(error);
    });
    const text = body === undefined ? undefined : JSON.stringify(body);
    const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
    const made = context.getAgent();
    const sent = send(url, {
      method,
      signal,
      ...(made === undefined ? {} : { agent: kept?.like(made) ?? made }),
      headers: {
        ...context.getHeaders(),
        accept: 'application/json',
        'user-agent': FIELD_MANAGER,
        ...(text === undefined
          ? {}
          : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
      },
    });
    return responseTo(sent, text);
  }

  #failureOf(error: unknown, signal: AbortSignal): ApiFailure {
    if (this.#isClosed) return { kind: 'closed' };
    if (signal.aborted) return { kind: 'late', afterMs: this.#timeoutMs };
    if (error instanceof CredentialsError)
      return { kind: 'no-credentials', ...(error.code === undefined ? {} : { code: error.code }) };
    const cause = error instanceof StaleConnectionError ? error.cause : error;
    return { kind: 'broken', code: codeOf(cause) ?? 'unknown' };
  }
}

/** A kept connection that the server had ended before the request reached it. */
class StaleConnectionError extends Error {
  constructor(cause: unknown) {
    super('stale connection', { cause });
  }
}

const responseTo = (sent: ClientRequest, body: string | undefined): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    sent.once('response', resolve);
    sent.on('error', (error) =>
      reject(sent.reusedSocket ? new StaleConnectionError(error) : error),
    );
    sent.end(body);
  });

/** A connection with these credentials. Nothing is asked yet. */
export const openConnection = (
  credentials: ApiCredentials,
  timeoutMs: number = ANSWER_TIMEOUT_MS,
): ApiConnection => {
  const connection = new Connection(credentials, timeoutMs);
  return {
    ask: (request) => connection.ask(request),
    open: (request, signal) => connection.open(request, signal),
    close: () => connection.close(),
  };
};
