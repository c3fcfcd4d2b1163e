import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { EXPOSE_HEADER, GATEWAY_VERSION } from '@gateway/gateway-config';
import { CommandFailure } from '../failure.ts';
import { connectionFailure, requestFailure } from './connection-failure.ts';

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
export interface RequestOptions {
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
export interface GatewayAddress {
  readonly url: URL;
  readonly toolset?: string | undefined;
  /** Returns the token of the person, asked before each request; without one requests are anonymous. */
  readonly accessToken?: () => Promise<string | undefined>;
  /** Ends the attempt to connect. */
  readonly signal?: AbortSignal;
}

type Listener = (params: Readonly<Record<string, unknown>>) => void;

/** A session that its owner closes. */
export interface OpenGateway {
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
export async function openGateway(address: GatewayAddress): Promise<OpenGateway> {
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
