import {
  Client as SecondClient,
  StreamableHTTPClientTransport as SecondHttp,
} from '@modelcontextprotocol/client';
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as FirstStdio } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as FirstHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { StdioCommand } from './clients.ts';
import { atEnd } from './lifetime.ts';

/** The common interface of the clients of both generations: the methods of the protocol, with loosely typed results. */
export interface NativeClient {
  listTools(): Promise<{ tools: readonly Entry[] }>;
  listResources(): Promise<{ resources: readonly Entry[] }>;
  listResourceTemplates(): Promise<{ resourceTemplates: readonly Entry[] }>;
  listPrompts(): Promise<{ prompts: readonly Entry[] }>;
  callTool(params: {
    name: string;
    arguments?: Record<string, unknown>;
  }): Promise<Record<string, unknown>>;
  readResource(params: { uri: string }): Promise<{ contents: readonly Record<string, unknown>[] }>;
  getPrompt(params: {
    name: string;
    arguments?: Record<string, string>;
  }): Promise<{ messages: readonly unknown[] }>;
  complete(params: {
    ref: { type: 'ref/prompt'; name: string };
    argument: { name: string; value: string };
    context?: { arguments: Record<string, string> };
  }): Promise<{ completion: { values: readonly string[] } }>;
  subscribeResource(params: { uri: string }): Promise<unknown>;
  unsubscribeResource(params: { uri: string }): Promise<unknown>;
  getServerCapabilities(): Record<string, unknown> | undefined;
  /** Gets every notification that nothing else takes. */
  fallbackNotificationHandler?: (notification: { readonly method: string }) => Promise<void>;
  close(): Promise<void>;
}

/** An entry of a list. */
export type Entry = Readonly<Record<string, unknown>>;

type Factory = (url: URL, headers?: Record<string, string>) => Promise<NativeClient>;

const INFO = { name: 'test', version: '1.0.0' };

/** The client libraries and protocol eras that native mode is proven with. */
export const NATIVE_CLIENTS = {
  'generation 1, 2025 era': async (url, headers = {}) => {
    const client = new FirstClient(INFO);
    await client.connect(new FirstHttp(new URL('/mcp', url), { requestInit: { headers } }));
    return loosely(client);
  },
  'generation 2, 2025 era': async (url, headers = {}) => {
    const client = new SecondClient(INFO);
    await client.connect(new SecondHttp(new URL('/mcp', url), { requestInit: { headers } }));
    return loosely(client);
  },
  'generation 2, 2026-07-28': async (url, headers = {}) => {
    const client = new SecondClient(INFO, {
      versionNegotiation: { mode: { pin: '2026-07-28' } },
    });
    await client.connect(new SecondHttp(new URL('/mcp', url), { requestInit: { headers } }));
    return loosely(client);
  },
} as const satisfies Record<string, Factory>;

/** A client of the first generation on a command of its own. */
export async function nativeStdioClient(command: StdioCommand): Promise<NativeClient> {
  const client = new FirstClient(INFO);
  await client.connect(new FirstStdio({ ...command, stderr: 'ignore' }));
  return loosely(client);
}

/** The generations have different result types; the tests compare JSON. */
function loosely(client: FirstClient | SecondClient): NativeClient {
  atEnd(() => client.close());
  return client;
}
