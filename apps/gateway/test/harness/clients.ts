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

/** Starts a command and speaks MCP over its standard streams. */
export interface StdioCommand {
  readonly command: string;
  readonly args: string[];
  readonly env: Record<string, string>;
}

/** Opens a client, which the end closes. It reads the headers for every request, so that a test can change them. */
export type HttpClientFactory = (url: URL, headers?: Record<string, string>) => Promise<TestClient>;

/** Opens a client on a command of its own. */
export type StdioClientFactory = (command: StdioCommand) => Promise<TestClient>;

const INFO = { name: 'test', version: '1.0.0' };

/** The generations have different types of results; the tests compare JSON. */
const LIBRARIES = {
  'generation 1, 2025 era': {
    create: () => new FirstClient(INFO),
    Http: FirstHttp,
    Stdio: FirstStdio,
  },
  'generation 2, 2025 era': {
    create: () => new SecondClient(INFO) as unknown as FirstClient,
    Http: SecondHttp as unknown as typeof FirstHttp,
    Stdio: SecondStdio as unknown as typeof FirstStdio,
  },
  'generation 2, 2026-07-28': {
    create: () =>
      new SecondClient(INFO, {
        versionNegotiation: { mode: { pin: '2026-07-28' } },
      }) as unknown as FirstClient,
    Http: SecondHttp as unknown as typeof FirstHttp,
    Stdio: SecondStdio as unknown as typeof FirstStdio,
  },
};

/** The client libraries and protocol eras that the gateway is proven with. */
export type Library = keyof typeof LIBRARIES;

const forEach = <Factory>(create: (library: Library) => Factory): Record<Library, Factory> => ({
  'generation 1, 2025 era': create('generation 1, 2025 era'),
  'generation 2, 2025 era': create('generation 2, 2025 era'),
  'generation 2, 2026-07-28': create('generation 2, 2026-07-28'),
});

/** Opens a client of a library over HTTP, or on a command. */
const open = async (
  library: Library,
  at: URL | StdioCommand,
  headers: Record<string, string> = {},
): Promise<FirstClient> => {
  const { create, Http, Stdio } = LIBRARIES[library];
  const client = create();
  const transport =
    at instanceof URL
      ? new Http(new URL('/mcp', at), { requestInit: { headers } })
      : new Stdio({ ...at, stderr: 'ignore' });
  await client.connect(transport);
  atEnd(() => client.close());
  return client;
};

const wrap = (client: FirstClient, isFirst: boolean): TestClient => ({
  listTools: async () => (await client.listTools()).tools,
  call: async (name, args = {}, { signal, onProgress, meta } = {}) => {
    const params = { name, arguments: args, ...(meta && { _meta: meta }) };
    const options = { ...(signal && { signal }), ...(onProgress && { onprogress: onProgress }) };
    const call = client.callTool.bind(client) as (...given: unknown[]) => Promise<unknown>;
    return (await (isFirst
      ? call(params, undefined, options)
      : call(params, options))) as ToolAnswer;
  },
  close: () => client.close(),
});

const isFirst = (library: Library): boolean => library === 'generation 1, 2025 era';

/** Clients over HTTP. */
export const HTTP_CLIENTS = forEach<HttpClientFactory>(
  (library) => async (url, headers) => wrap(await open(library, url, headers), isFirst(library)),
);

/** Clients over stdio. */
export const STDIO_CLIENTS = forEach<StdioClientFactory>(
  (library) => async (command) => wrap(await open(library, command), isFirst(library)),
);

/** The client of the tests that are not about clients. */
export const connect: HttpClientFactory = HTTP_CLIENTS['generation 2, 2025 era'];

/** Clients with the methods of the protocol. */
export const NATIVE_CLIENTS = forEach<
  (url: URL, headers?: Record<string, string>) => Promise<FirstClient>
>((library) => (url, headers) => open(library, url, headers));

/** Opens a client with the methods of the protocol on a command. */
export const openNativeStdio = (command: StdioCommand): Promise<FirstClient> =>
  open('generation 1, 2025 era', command);
