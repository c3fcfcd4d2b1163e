import { TOOLSET_HEADER } from '@gateway/toolset-grammar';
import { findText, isResolvedWithin, readOwnField } from '@gateway/call-contract';
import {
  Client,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { EXPOSE_HEADER, GATEWAY_VERSION } from '@gateway/gateway-config';
import { escapeToLines } from '@gateway/service-host';
import { CommandFailure, findErrorCode, TemporaryFailure } from '../failure.ts';
import { type PrintedResult } from '../json-fields.ts';
import { signInRequired } from '../sign-in/sign-in-store.ts';

const NO_ENDPOINT = 'there is no MCP endpoint at this address; the path of a gateway is /mcp';

const REFUSED_BY_STATUS: Readonly<Record<number, string>> = {
  404: NO_ENDPOINT,
  405: NO_ENDPOINT,
};

const NO_ANSWER = 'no answer in time';

/** Statuses that a later attempt may not have, besides 5xx: a session or route that is gone, and limits. RFC 9110 §15.5, RFC 6585 */
const TEMPORARY: ReadonlySet<number> = new Set([404, 408, 425, 429]);

export const createGatewayOutage = (url: URL, reason: string, message: string): TemporaryFailure =>
  new TemporaryFailure(message, { subject: `the gateway at ${url.href}`, reason });

const createUnreachableFailure = (url: URL, reason: string): TemporaryFailure =>
  createGatewayOutage(
    url,
    reason,
    [
      `no gateway answers at ${url.href} (${reason}).`,
      'Start one with:      gateway serve --config-dir <dir>',
      'Or name another by:  --url <url>, or the environment variable GATEWAY_URL',
    ].join('\n'),
  );

const formatMessage = (error: unknown): string =>
  escapeToLines(error instanceof Error ? error.message : String(error)).slice(0, 500);

const isTimeout = (error: unknown): boolean =>
  error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout;

function toConnectionFailure(url: URL, error: unknown): CommandFailure {
  if (error instanceof CommandFailure) return error;
  if (error instanceof SdkHttpError && error.status === 401) return signInRequired(url.href);
  const code = findErrorCode(error, /^E[A-Z]+|^UND_|^ERR_/u);
  if (code !== undefined) return createUnreachableFailure(url, code);
  if (isTimeout(error)) return createUnreachableFailure(url, NO_ANSWER);
  // `fetch` could not send the request.
  if (error instanceof TypeError && error.cause instanceof Error)
    return createUnreachableFailure(url, formatMessage(error.cause));
  if (!(error instanceof SdkHttpError))
    return new CommandFailure('failed', `${url.href} does not speak MCP: ${formatMessage(error)}`);
  const { status } = error;
  const message = `${url.href} answers HTTP ${status}: ${REFUSED_BY_STATUS[status] ?? formatMessage(error)}`;
  return status >= 500 || TEMPORARY.has(status)
    ? createGatewayOutage(url, `HTTP ${status}`, message)
    : new CommandFailure('failed', message);
}

/** Returns the refusal of the caller with the sentence of the gateway, where the answer has one. */
async function readRefusal(url: URL, response: Response): Promise<CommandFailure> {
  const answer: unknown = await response.json().catch(() => undefined);
  const sentence = findText(readOwnField(readOwnField(answer, 'error'), 'message'));
  return new CommandFailure(
    'failed',
    sentence === undefined
      ? `${url.href} answers HTTP 403: it refuses this caller`
      : formatMessage(sentence),
  );
}

/** The code of a call of an unknown tool: a gateway without meta-tools answers with it. MCP, Tools, Error Handling */
const INVALID_PARAMS = -32_602;

function requestFailure(url: URL, error: unknown): CommandFailure {
  if (error instanceof ProtocolError)
    return new CommandFailure(
      'failed',
      error.code === INVALID_PARAMS
        ? `the server at ${url.href} has no meta-tools: it is another MCP server, or an older gateway in native mode`
        : formatMessage(error),
    );
  return isTimeout(error)
    ? createGatewayOutage(
        url,
        NO_ANSWER,
        'no answer in time; --timeout <seconds> sets how long to wait',
      )
    : toConnectionFailure(url, error);
}

const CONNECT_TIMEOUT_MS = 10_000;
const CLOSE_TIMEOUT_MS = 2_000;
const PING_TIMEOUT_MS = 10_000;

export interface CallProgress {
  readonly progress: number;
  readonly total?: number | undefined;
  readonly message?: string | undefined;
}

export interface ClientRequestOptions {
  readonly timeoutSeconds: number;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: CallProgress) => void;
  readonly meta?: Readonly<Record<string, unknown>>;
}

type Listener = (params: Readonly<Record<string, unknown>>) => void;

/** A client of a running gateway. Requests reject only with a {@link CommandFailure}. */
export interface GatewayClient {
  readonly url: URL;
  call(tool: string, args: object, options: ClientRequestOptions): Promise<PrintedResult>;
  onNotification(method: string, listener: Listener): void;
  /** Calls the listener when the stream that carries notifications has ended and is opened again: notifications may be missing. */
  onStreamEnd(listener: () => void): void;
  ping(signal?: AbortSignal): Promise<void>;
}

export interface GatewayAddress {
  readonly url: URL;
  readonly toolset?: string | undefined;
  /** Returns the token of the user, asked before each request; without one requests are anonymous. */
  readonly accessToken?: () => Promise<string | undefined>;
  readonly signal?: AbortSignal | undefined;
}

export interface OpenGateway {
  readonly gateway: GatewayClient;
  isFollowing(): boolean;
  close(): Promise<void>;
}

/** Opens a session. @throws CommandFailure */
export async function openGateway(address: GatewayAddress): Promise<OpenGateway> {
  const { url, signal } = address;
  const client = new Client({ name: 'gateway-cli', version: GATEWAY_VERSION });
  let streamEnded = (): void => undefined;
  const transport = createTransport(address, () => {
    streamEnded();
  });
  const listeners = new Map<string, Listener>();
  client.fallbackNotificationHandler = ({ method, params }) => {
    listeners.get(method)?.(params ?? {});
    return Promise.resolve();
  };
  try {
    await client.connect(transport, { timeout: CONNECT_TIMEOUT_MS, ...(signal && { signal }) });
  } catch (error) {
    throw toConnectionFailure(url, error);
  }
  const gateway: GatewayClient = {
    url,
    onNotification: (method, listener) => void listeners.set(method, listener),
    onStreamEnd: (listener) => {
      streamEnded = listener;
    },
    call: async (tool, args, { timeoutSeconds, signal: ended, onProgress, meta }) => {
      const params = { name: tool, arguments: { ...args }, ...(meta && { _meta: { ...meta } }) };
      try {
        const result = await client.callTool(params, {
          timeout: timeoutSeconds * 1_000,
          ...(ended && { signal: ended }),
          ...(onProgress && { onprogress: onProgress, resetTimeoutOnProgress: true }),
        });
        return result as unknown as PrintedResult;
      } catch (error) {
        throw ended?.aborted === true
          ? new CommandFailure('interrupted', 'interrupted; the call was cancelled')
          : requestFailure(url, error);
      }
    },
    ping: async (ended) => {
      try {
        await client.ping({ timeout: PING_TIMEOUT_MS, ...(ended && { signal: ended }) });
      } catch (error) {
        throw toConnectionFailure(url, error);
      }
    },
  };
  return {
    gateway,
    isFollowing: () => listeners.size > 0,
    close: async () => {
      await isResolvedWithin(
        transport.terminateSession().catch(() => undefined),
        CLOSE_TIMEOUT_MS,
      );
      await client.close().catch(() => undefined);
    },
  };
}

/**
 * Creates the transport to a gateway. Each request has the token that is valid then, with which no redirect is followed. `onStreamEnd` is called
 * when a stream is opened after another: the transport opens one stream, and another when that has ended.
 */
function createTransport(
  { url, toolset, accessToken }: GatewayAddress,
  onStreamEnd: () => void,
): StreamableHTTPClientTransport {
  // The commands use the meta-tools, which a native gateway lists for requests with this header only.
  const headers = {
    [EXPOSE_HEADER]: 'meta',
    ...(toolset !== undefined && { [TOOLSET_HEADER]: toolset }),
  };
  let isOpened = false;
  return new StreamableHTTPClientTransport(url, {
    requestInit: { headers },
    fetch: async (input, init = {}) => {
      const isStream = init.method === 'GET';
      if (isStream && isOpened) onStreamEnd();
      const token = await accessToken?.();
      const own = new Headers(init.headers);
      if (token !== undefined) own.set('authorization', `Bearer ${token}`);
      const response = await fetch(input, {
        ...init,
        headers: own,
        ...(token !== undefined && { redirect: 'error' }),
      });
      // The library drops the sentence of this refusal.
      if (response.status === 403) throw await readRefusal(url, response);
      isOpened ||= isStream && response.ok;
      return response;
    },
  });
}

/** Most sessions that are open at the same time: one for each gateway and toolset. */
const MAX_SESSIONS = 4;

/**
 * Keeps one session for each gateway and toolset. Sends a ping before it uses a session again, and opens another when the gateway does not
 * answer it: a request is never sent twice. A session in which notifications were requested is not used again.
 */
export class SessionPool {
  readonly #open: (address: GatewayAddress) => Promise<OpenGateway>;
  readonly #kept = new Map<string, OpenGateway>();

  constructor(open: (address: GatewayAddress) => Promise<OpenGateway> = openGateway) {
    this.#open = open;
  }

  /** Runs `use` in an open session to the address. @throws CommandFailure when none can be opened */
  async run<T>(address: GatewayAddress, use: (gateway: GatewayClient) => Promise<T>): Promise<T> {
    const key = JSON.stringify([address.url.href, address.toolset]);
    const session = (await this.#takeLive(key)) ?? (await this.#open(address));
    try {
      return await use(session.gateway);
    } finally {
      await this.#giveBack(key, session);
    }
  }

  async close(): Promise<void> {
    const sessions = [...this.#kept.values()];
    this.#kept.clear();
    await Promise.all(sessions.map((session) => session.close()));
  }

  /** Takes a session, so that no other command uses it, and checks that the gateway still knows it. */
  async #takeLive(key: string): Promise<OpenGateway | undefined> {
    const session = this.#kept.get(key);
    if (session === undefined) return undefined;
    this.#kept.delete(key);
    try {
      await session.gateway.ping();
      return session;
    } catch {
      await session.close();
      return undefined;
    }
  }

  async #giveBack(key: string, session: OpenGateway): Promise<void> {
    if (session.isFollowing() || this.#kept.has(key)) {
      await session.close();
      return;
    }
    this.#kept.set(key, session);
    const [oldest] = this.#kept;
    if (this.#kept.size <= MAX_SESSIONS || oldest === undefined) return;
    this.#kept.delete(oldest[0]);
    await oldest[1].close();
  }
}
