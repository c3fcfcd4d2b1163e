import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { GATEWAY_VERSION } from '@gateway/gateway-config';
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
  /** Resolves when the gateway answers a ping; rejects otherwise. */
  ping(): Promise<void>;
}

/** The gateway and the toolset of requests. */
export interface GatewayAddress {
  readonly url: URL;
  readonly toolset?: string | undefined;
  /** Returns the token of the person, asked before each request; without one requests are anonymous. */
  readonly accessToken?: () => Promise<string | undefined>;
}

type Listener = (params: Readonly<Record<string, unknown>>) => void;

/** Connects to the gateway, runs `use`, and closes the session. */
export async function withGateway<T>(
  { url, toolset, accessToken }: GatewayAddress,
  use: (gateway: GatewayClient) => Promise<T>,
): Promise<T> {
  const client = new Client({ name: 'gateway-cli', version: GATEWAY_VERSION });
  const headers = toolset === undefined ? {} : { 'X-Gateway-Toolset': toolset };
  const transport = new StreamableHTTPClientTransport(url, {
    requestInit: { headers },
    ...(accessToken && { fetch: authorizedFetch(accessToken) }),
  });
  const listeners = new Map<string, Listener>();
  client.fallbackNotificationHandler = ({ method, params }) => {
    listeners.get(method)?.(params ?? {});
    return Promise.resolve();
  };
  try {
    await client.connect(transport, { timeout: CONNECT_TIMEOUT_MS });
  } catch (error) {
    throw connectionFailure(url, error);
  }
  try {
    return await use({
      url,
      onNotification: (method, listener) => void listeners.set(method, listener),
      call: (tool, args, options) => callMetaTool(client, { url, tool, args, options }),
      ping: async () => {
        try {
          await client.ping({ timeout: PING_TIMEOUT_MS });
        } catch (error) {
          throw connectionFailure(url, error);
        }
      },
    });
  } finally {
    await closeSession(client, transport);
  }
}

/** Sends each request with the token that is valid then, and follows no redirect with it. */
const authorizedFetch =
  (accessToken: () => Promise<string | undefined>) =>
  async (input: string | URL, init: RequestInit = {}): Promise<Response> => {
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
      ? new CommandFailure('failed', 'interrupted; the call was cancelled')
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
