import {
  Client as SecondClient,
  StreamableHTTPClientTransport as SecondHttp,
} from '@modelcontextprotocol/client';
import { StdioClientTransport as SecondStdio } from '@modelcontextprotocol/client/stdio';
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as FirstHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { StdioClientTransport as FirstStdio } from '@modelcontextprotocol/sdk/client/stdio.js';
import { atEnd } from './lifetime.ts';

/** A `tools/call` result, loosely typed. */
export interface ToolAnswer {
  readonly content: readonly { type: string; text?: string; [key: string]: unknown }[];
  readonly isError?: boolean;
  readonly structuredContent?: unknown;
  readonly _meta?: Record<string, unknown>;
}

/** A tool as `tools/list` shows it. */
export interface ListedTool {
  readonly name: string;
  readonly description?: string | undefined;
  readonly annotations?: Record<string, unknown> | undefined;
  readonly inputSchema: unknown;
}

/** The parameters of a progress notification. */
export interface Progress {
  readonly progress: number;
  readonly total?: number | undefined;
  readonly message?: string | undefined;
}

/** Options of a call. */
export interface TestCallOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
  readonly meta?: Record<string, unknown>;
}

/** The client interface of the tests. */
export interface TestClient {
  readonly listTools: () => Promise<readonly ListedTool[]>;
  /** Calls a tool and gives the result as the client library gives it. */
  readonly call: (
    name: string,
    args?: Record<string, unknown>,
    options?: TestCallOptions,
  ) => Promise<ToolAnswer>;
  readonly close: () => Promise<void>;
}

/** Opens a client, which the end closes. It reads the headers for every request, so that a test can change them. */
export type HttpClientFactory = (url: URL, headers?: Record<string, string>) => Promise<TestClient>;

/** The client libraries and protocol eras that the gateway is proven with, over HTTP. */
export const HTTP_CLIENTS = {
  'generation 1, 2025 era': (url, headers = {}) => {
    const client = new FirstClient({ name: 'test', version: '1.0.0' });
    const transport = new FirstHttp(mcp(url), { requestInit: { headers } });
    return first(client, client.connect(transport));
  },
  'generation 2, 2025 era': (url, headers = {}) => {
    const client = new SecondClient({ name: 'test', version: '1.0.0' });
    return second(client, client.connect(new SecondHttp(mcp(url), { requestInit: { headers } })));
  },
  'generation 2, 2026-07-28': (url, headers = {}) => {
    const client = modernClient();
    return second(client, client.connect(new SecondHttp(mcp(url), { requestInit: { headers } })));
  },
} as const satisfies Record<string, HttpClientFactory>;

/** Starts a command and speaks MCP over its standard streams. */
export interface StdioCommand {
  readonly command: string;
  readonly args: string[];
  readonly env: Record<string, string>;
}

/** Opens a client on a command of its own. */
export type StdioClientFactory = (command: StdioCommand) => Promise<TestClient>;

/** The client libraries and protocol eras that the gateway is proven with, over stdio. */
export const STDIO_CLIENTS = {
  'generation 1, 2025 era': (command) => {
    const client = new FirstClient({ name: 'test', version: '1.0.0' });
    return first(client, client.connect(new FirstStdio({ ...command, stderr: 'ignore' })));
  },
  'generation 2, 2025 era': (command) => {
    const client = new SecondClient({ name: 'test', version: '1.0.0' });
    return second(client, client.connect(new SecondStdio({ ...command, stderr: 'ignore' })));
  },
  'generation 2, 2026-07-28': (command) => {
    const client = modernClient();
    return second(client, client.connect(new SecondStdio({ ...command, stderr: 'ignore' })));
  },
} as const satisfies Record<string, StdioClientFactory>;

/** The client of the tests that are not about clients. */
export const connect: HttpClientFactory = HTTP_CLIENTS['generation 2, 2025 era'];

function mcp(url: URL): URL {
  return new URL('/mcp', url);
}

function modernClient(): SecondClient {
  return new SecondClient(
    { name: 'test', version: '1.0.0' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } } },
  );
}

async function first(client: FirstClient, connecting: Promise<void>): Promise<TestClient> {
  await connecting;
  atEnd(() => client.close());
  return {
    listTools: async () => (await client.listTools()).tools,
    call: async (name, args = {}, options = {}) =>
      (await client.callTool(
        params(name, args, options),
        undefined,
        requestOptions(options),
      )) as unknown as ToolAnswer,
    close: () => client.close(),
  };
}

async function second(client: SecondClient, connecting: Promise<void>): Promise<TestClient> {
  await connecting;
  atEnd(() => client.close());
  return {
    listTools: async () => (await client.listTools()).tools,
    call: async (name, args = {}, options = {}) =>
      (await client.callTool(
        params(name, args, options),
        requestOptions(options),
      )) as unknown as ToolAnswer,
    close: () => client.close(),
  };
}

function params(name: string, args: Record<string, unknown>, { meta }: TestCallOptions) {
  return { name, arguments: args, ...(meta && { _meta: meta }) };
}

function requestOptions({ signal, onProgress }: TestCallOptions) {
  return { ...(signal && { signal }), ...(onProgress && { onprogress: onProgress }) };
}
