import { EXPOSE_HEADER, GATEWAY_VERSION } from '@gateway/gateway-config';
import { escapeToLines } from '@gateway/service-host';
import {
  Client,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { CommandFailure, TemporaryFailure } from '../failure.ts';
import { signInRequired } from '../sign-in/sign-in-store.ts';

const REFUSED_BY_STATUS: Readonly<Record<number, string>> = {
  403: 'it refuses this caller',
  404: 'there is no MCP endpoint at this address; the path of a gateway is /mcp',
  405: 'there is no MCP endpoint at this address; the path of a gateway is /mcp',
};

const NO_ANSWER = 'no answer in time';

/** Returns the code of an error below HTTP, such as `ECONNREFUSED`. */
function systemCodeOf(error: unknown): string | undefined {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 5; depth += 1) {
    const { code } = cause as NodeJS.ErrnoException;
    if (typeof code === 'string' && /^E[A-Z]+|^UND_|^ERR_/u.test(code)) return code;
    cause = cause.cause;
  }
  return undefined;
}

const unreachable = (url: URL, reason: string): TemporaryFailure =>
  gatewayOutage(url, {
    reason,
    message: [
      `no gateway answers at ${url.href} (${reason}).`,
      'Start one with:      gateway serve --config-dir <dir>',
      'Or name another by:  --url <url>, or the environment variable GATEWAY_URL',
    ].join('\n'),
  });

/** Returns the failure of a gateway that may answer again later. */
export const gatewayOutage = (
  url: URL,
  { reason, message }: { readonly reason: string; readonly message: string },
): TemporaryFailure =>
  new TemporaryFailure(message, { subject: `the gateway at ${url.href}`, reason });

const messageOf = (error: unknown): string =>
  escapeToLines(error instanceof Error ? error.message : String(error)).slice(0, 500);

/** Returns the failure to connect to a gateway, with its cause and remedy. */
function connectionFailure(url: URL, error: unknown): CommandFailure {
  if (error instanceof CommandFailure) return error;
  if (error instanceof SdkHttpError && error.status === 401) return signInRequired(url.href);
  const code = systemCodeOf(error);
  if (code !== undefined) return unreachable(url, code);
  if (isTimeout(error)) return unreachable(url, NO_ANSWER);
  // `fetch` could not send the request.
  if (error instanceof TypeError && error.cause instanceof Error)
    return unreachable(url, messageOf(error.cause));
  if (error instanceof SdkHttpError) return statusFailure(url, error);
  return new CommandFailure('failed', `${url.href} does not speak MCP: ${messageOf(error)}`);
}

/** Statuses that a later attempt may not have, besides 5xx: a session or route that is gone, and limits. RFC 9110 §15.5, RFC 6585 */
const TEMPORARY: ReadonlySet<number> = new Set([404, 408, 425, 429]);

function statusFailure(url: URL, error: SdkHttpError): CommandFailure {
  const { status } = error;
  const message = `${url.href} answers HTTP ${status}: ${REFUSED_BY_STATUS[status] ?? messageOf(error)}`;
  return status >= 500 || TEMPORARY.has(status)
    ? gatewayOutage(url, { reason: `HTTP ${status}`, message })
    : new CommandFailure('failed', message);
}

const isTimeout = (error: unknown): boolean =>
  error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout;

/** The code of a call of an unknown tool: a gateway without meta-tools answers with it. MCP, Tools, Error Handling */
const INVALID_PARAMS = -32_602;

/** Returns the failure of a request in an open session. */
function requestFailure(url: URL, error: unknown): CommandFailure {
  if (error instanceof CommandFailure) return error;
  if (error instanceof ProtocolError)
    return new CommandFailure(
      'failed',
      error.code === INVALID_PARAMS
        ? `the server at ${url.href} has no meta-tools: it is another MCP server, or an older gateway in native mode`
        : messageOf(error),
    );
  if (isTimeout(error))
    return gatewayOutage(url, {
      reason: NO_ANSWER,
      message: 'no answer in time; --timeout <seconds> sets how long to wait',
    });
  return connectionFailure(url, error);
}

const CONNECT_TIMEOUT_MS = 10_000;
const CLOSE_TIMEOUT_MS = 2_000;
const PING_TIMEOUT_MS = 10_000;

/** Progress of a call. */
export interface CallProgress {
  readonly progress: number;
  readonly total?: number | undefined;
  readonly message?: string | undefined;
}

/** Options of a request. */
interface RequestOptions {
  readonly timeoutSeconds: number;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: CallProgress) => void;
  readonly meta?: Readonly<Record<string, unknown>>;
}

/** One item of a result. */
export interface ContentItem {
  readonly type: string;
  readonly text?: string;
  readonly [key: string]: unknown;
}

/** The result of a tool, a success or an error. */
export interface ToolResult {
  readonly content: readonly ContentItem[];
  readonly isError?: boolean;
  readonly structuredContent?: unknown;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/** A client of a running gateway. Requests reject only with a {@link CommandFailure}. */
export interface GatewayClient {
  readonly url: URL;
  /** Calls one of the gateway's meta-tools. */
  call(tool: string, args: object, options: RequestOptions): Promise<ToolResult>;
  /** Calls the listener with the parameters of each notification of the method. */
  onNotification(
    method: string,
    listener: (params: Readonly<Record<string, unknown>>) => void,
  ): void;
  /** Calls the listener when the stream that carries notifications has ended and is opened again: notifications may be missing. */
  onStreamEnd(listener: () => void): void;
  /** Resolves when the gateway answers a ping; rejects otherwise. */
  ping(signal?: AbortSignal): Promise<void>;
}

/** The gateway and the toolset of requests. */
interface GatewayAddress {
  readonly url: URL;
  readonly toolset?: string | undefined;
  /** Returns the token of the person, asked before each request; without one requests are anonymous. */
  readonly accessToken?: () => Promise<string | undefined>;
  /** Ends the attempt to connect. */
  readonly signal?: AbortSignal;
}

type Listener = (params: Readonly<Record<string, unknown>>) => void;

/** A session that its owner closes. */
interface OpenGateway {
  readonly gateway: GatewayClient;
  /** Notifications were requested in this session. */
  isFollowing(): boolean;
  /** Ends the session within a time limit and ignores failures. */
  close(): Promise<void>;
}

/** Connects to the gateway, runs `use`, and closes the session. */
export async function withGateway<T>(
  address: GatewayAddress,
  use: (gateway: GatewayClient) => Promise<T>,
): Promise<T> {
  const opened = await openGateway(address);
  try {
    return await use(opened.gateway);
  } finally {
    await opened.close();
  }
}

/** Opens a session. @throws CommandFailure */
async function openGateway(address: GatewayAddress): Promise<OpenGateway> {
  const { url, signal } = address;
  const client = new Client({ name: 'gateway-cli', version: GATEWAY_VERSION });
  let streamEnded = (): void => undefined;
  const transport = transportTo(address, () => {
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
    throw connectionFailure(url, error);
  }
  return {
    gateway: {
      url,
      onNotification: (method, listener) => void listeners.set(method, listener),
      call: (tool, args, options) => callMetaTool(client, { url, tool, args, options }),
      onStreamEnd: (listener) => {
        streamEnded = listener;
      },
      ping: async (pingSignal) => {
        try {
          await client.ping({
            timeout: PING_TIMEOUT_MS,
            ...(pingSignal && { signal: pingSignal }),
          });
        } catch (error) {
          throw connectionFailure(url, error);
        }
      },
    },
    isFollowing: () => listeners.size > 0,
    close: () => closeSession(client, transport),
  };
}

function transportTo(
  { url, toolset, accessToken }: GatewayAddress,
  onStreamEnd: () => void,
): StreamableHTTPClientTransport {
  // The commands use the meta-tools, which a native gateway lists for requests with this header only.
  const headers = {
    [EXPOSE_HEADER]: 'meta',
    ...(toolset !== undefined && { 'X-Gateway-Toolset': toolset }),
  };
  const send = accessToken === undefined ? fetch : authorizedFetch(accessToken);
  return new StreamableHTTPClientTransport(url, {
    requestInit: { headers },
    fetch: watchStream(send, onStreamEnd),
  });
}

type Fetch = (input: string | URL, init?: RequestInit) => Promise<Response>;

/** Calls `onEnd` when a stream is opened after another one: the transport opens one stream, and another when that has ended. */
function watchStream(send: Fetch, onEnd: () => void): Fetch {
  let isOpened = false;
  return async (input, init) => {
    if (init?.method !== 'GET') return send(input, init);
    if (isOpened) onEnd();
    const response = await send(input, init);
    isOpened ||= response.ok;
    return response;
  };
}

/** Sends each request with the token that is valid then, and follows no redirect with it. */
const authorizedFetch =
  (accessToken: () => Promise<string | undefined>): Fetch =>
  async (input, init = {}) => {
    const token = await accessToken();
    if (token === undefined) return fetch(input, init);
    const headers = new Headers(init.headers);
    headers.set('authorization', `Bearer ${token}`);
    return fetch(input, { ...init, headers, redirect: 'error' });
  };

interface MetaToolCall {
  readonly url: URL;
  readonly tool: string;
  readonly args: object;
  readonly options: RequestOptions;
}

async function callMetaTool(
  client: Client,
  { url, tool, args, options }: MetaToolCall,
): Promise<ToolResult> {
  const { timeoutSeconds, signal, onProgress, meta } = options;
  const params = { name: tool, arguments: { ...args }, ...(meta && { _meta: { ...meta } }) };
  try {
    const result = await client.callTool(params, {
      timeout: timeoutSeconds * 1_000,
      ...(signal && { signal }),
      ...(onProgress && { onprogress: onProgress, resetTimeoutOnProgress: true }),
    });
    return result as unknown as ToolResult;
  } catch (error) {
    throw signal?.aborted === true
      ? new CommandFailure('interrupted', 'interrupted; the call was cancelled')
      : requestFailure(url, error);
  }
}

/** Ends the session within a time limit and ignores failures. */
async function closeSession(
  client: Client,
  transport: StreamableHTTPClientTransport,
): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timedOut = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, CLOSE_TIMEOUT_MS);
  });
  const ended = transport.terminateSession().catch(() => undefined);
  await Promise.race([ended, timedOut]);
  clearTimeout(timer);
  await client.close().catch(() => undefined);
}

/** Most sessions that are open at the same time: one for each gateway and toolset. */
const MAX_SESSIONS = 4;

/** Sessions that stay open between commands. */
export interface GatewaySessions {
  /** Runs `use` in an open session to the address. @throws CommandFailure when none can be opened */
  run<T>(address: GatewayAddress, use: (gateway: GatewayClient) => Promise<T>): Promise<T>;
}

const keyOf = ({ url, toolset }: GatewayAddress): string => JSON.stringify([url.href, toolset]);

/**
 * Keeps one session for each gateway and toolset. Sends a ping before it uses a session again, and opens another one when the gateway does
 * not answer it: a request is never sent twice. A session in which notifications were requested is not used again.
 */
export class KeptSessions implements GatewaySessions {
  readonly #open: (address: GatewayAddress) => Promise<OpenGateway>;
  readonly #kept = new Map<string, OpenGateway>();

  constructor(open: (address: GatewayAddress) => Promise<OpenGateway> = openGateway) {
    this.#open = open;
  }

  async run<T>(address: GatewayAddress, use: (gateway: GatewayClient) => Promise<T>): Promise<T> {
    const key = keyOf(address);
    const session = (await this.#takeLive(key)) ?? (await this.#open(address));
    try {
      return await use(session.gateway);
    } finally {
      await this.#giveBack(key, session);
    }
  }

  /** Closes all sessions that are not in use. */
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
    const isLive = await session.gateway.ping().then(
      () => true,
      () => false,
    );
    if (isLive) return session;
    await session.close();
    return undefined;
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
