import {
  Client as ClientOfGeneration2,
  StreamableHTTPClientTransport as HttpOfGeneration2,
} from '@modelcontextprotocol/client';
import { Client as ClientOfGeneration1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as HttpOfGeneration1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

export interface CallOptions {
  readonly onProgress?: (progress: unknown) => void;
  readonly signal?: AbortSignal;
  readonly meta?: Readonly<Record<string, unknown>>;
}

/** The common interface of the two generations of SDK clients. */
export interface SdkClient {
  readonly toolNames: () => Promise<string[]>;
  readonly callTool: (name: string, args?: object, options?: CallOptions) => Promise<unknown>;
  readonly serverName: () => string | undefined;
  readonly instructions: () => string | undefined;
  readonly sessionId: () => string | undefined;
  readonly endSession: () => Promise<void>;
  readonly close: () => Promise<void>;
}

export type ConnectSdkClient = (
  url: string,
  headers?: Readonly<Record<string, string>>,
) => Promise<SdkClient>;

const INFO = { name: 'test', version: '1' };

const paramsOf = (name: string, args: object, { meta }: CallOptions) => ({
  name,
  arguments: args as Record<string, unknown>,
  ...(meta !== undefined && { _meta: meta }),
});

const optionsOf = ({ onProgress, signal }: CallOptions) => ({
  ...(onProgress !== undefined && { onprogress: onProgress }),
  ...(signal !== undefined && { signal }),
});

const connectGeneration1: ConnectSdkClient = async (url, headers = {}) => {
  const client = new ClientOfGeneration1(INFO);
  const transport = new HttpOfGeneration1(new URL(url), { requestInit: { headers } });
  await client.connect(transport);
  return {
    toolNames: async () => (await client.listTools()).tools.map(({ name }) => name),
    callTool: (name, args = {}, options = {}) =>
      client.callTool(paramsOf(name, args, options), undefined, optionsOf(options)),
    serverName: () => client.getServerVersion()?.name,
    instructions: () => client.getInstructions(),
    sessionId: () => transport.sessionId,
    endSession: () => transport.terminateSession(),
    close: () => client.close(),
  };
};

const connectGeneration2 =
  (mode: 'legacy' | 'auto' | { readonly pin: string }): ConnectSdkClient =>
  async (url, headers = {}) => {
    const client = new ClientOfGeneration2(INFO, { versionNegotiation: { mode } });
    const transport = new HttpOfGeneration2(new URL(url), { requestInit: { headers } });
    await client.connect(transport);
    return {
      toolNames: async () => (await client.listTools()).tools.map(({ name }) => name),
      callTool: (name, args = {}, options = {}) =>
        client.callTool(paramsOf(name, args, options), optionsOf(options)),
      serverName: () => client.getServerVersion()?.name,
      instructions: () => client.getInstructions(),
      sessionId: () => transport.sessionId,
      endSession: () => transport.terminateSession(),
      close: () => client.close(),
    };
  };

export const SDK_CLIENTS: readonly {
  readonly title: string;
  readonly connect: ConnectSdkClient;
  readonly hasSession: boolean;
}[] = [
  { title: 'generation 1', connect: connectGeneration1, hasSession: true },
  { title: 'generation 2, 2025 era', connect: connectGeneration2('legacy'), hasSession: true },
  { title: 'generation 2, automatic', connect: connectGeneration2('auto'), hasSession: false },
  {
    title: 'generation 2, 2026-07-28',
    connect: connectGeneration2({ pin: '2026-07-28' }),
    hasSession: false,
  },
];
