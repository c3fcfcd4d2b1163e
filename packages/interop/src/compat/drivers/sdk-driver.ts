import {
  Client,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client';
import {
  Absent,
  type ConnectOptions,
  type Driver,
  type ToolCall,
  type ToolResult,
} from './driver.ts';
import process from 'node:process';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

/** Opens the transport of a connection. */
export type OpenTransport = (options: ConnectOptions) => Transport;

/** Streamable HTTP of the official TypeScript SDK. */
export const openHttp: OpenTransport = ({ url, headers = {} }) =>
  new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });

/** The state of the one connection of a driver. */
interface Connection {
  readonly client: Client;
  readonly changed: Promise<void>;
}

/** The revisions that the client accepts: the latest that the server has, or those before 2026-07-28. */
export type Revisions = 'earlier' | 'latest';

/** The official TypeScript SDK as a client, over a transport of its own or of a bridge. */
export function sdkDriver(open: OpenTransport, revisions: Revisions = 'latest'): Driver {
  let current: Connection | undefined;
  const client = (): Client => {
    if (current === undefined) throw new Error('not connected');
    return current.client;
  };
  return {
    connect: async (options) => {
      current = await connect(open, options, revisions);
      return {
        server: current.client.getServerVersion()?.name ?? '',
        protocol: current.client.getNegotiatedProtocolVersion() ?? '',
      };
    },
    ...callsOf(client),
    listTools: async () => (await client().listTools()).tools.map(({ name }) => name),
    listResources: async () => (await client().listResources()).resources.map(({ uri }) => uri),
    readResource: async (uri) => textsOf((await client().readResource({ uri })).contents),
    listPrompts: async () => (await client().listPrompts()).prompts.map(({ name }) => name),
    getPrompt: async (name) =>
      textsOf((await client().getPrompt({ name })).messages.map(({ content }) => content)),
    // The library listens by itself, in both revisions.
    watch: async () => Promise.resolve(),
    waitForChange: async () => current?.changed,
    close: async () => {
      await current?.client.close();
      current = undefined;
    },
    end: async () => current?.client.close(),
  };
}

function callsOf(client: () => Client): Pick<Driver, 'callTool' | 'cancelCall' | 'startCall'> {
  let controller = new AbortController();
  let ended: Promise<unknown> = Promise.resolve();
  return {
    callTool: (call) => callTool(client(), call),
    startCall: async ({ name, arguments: args }) => {
      controller = new AbortController();
      ended = client()
        .callTool({ name, arguments: { ...args } }, { signal: controller.signal })
        .catch(() => undefined);
      await Promise.resolve();
    },
    cancelCall: async () => {
      controller.abort();
      await ended;
    },
  };
}

async function connect(
  open: OpenTransport,
  options: ConnectOptions,
  revisions: Revisions,
): Promise<Connection> {
  let change = (): void => undefined;
  const changed = new Promise<void>((resolve) => {
    change = resolve;
  });
  const client = new Client(
    { name: 'compat', version: '1' },
    {
      ...(revisions === 'latest' && { versionNegotiation: { mode: 'auto' } }),
      capabilities: options.answer === undefined ? {} : { elicitation: { form: {} } },
      listChanged: { tools: { autoRefresh: false, onChanged: () => change() } },
    },
  );
  const { answer } = options;
  if (answer !== undefined)
    client.setRequestHandler('elicitation/create', () => ({
      action: 'accept',
      content: answer as Record<string, string>,
    }));
  await client.connect(open(options));
  return { client, changed };
}

async function callTool(client: Client, call: ToolCall): Promise<ToolResult> {
  let progress = 0;
  const onprogress = (): void => void (progress += 1);
  const result = await client.callTool(
    { name: call.name, arguments: { ...call.arguments } },
    call.progress === true ? { onprogress } : {},
  );
  if (!('content' in result)) throw new Absent('an answer without content');
  return {
    texts: textsOf(result.content),
    images: result.content.flatMap((item) =>
      item.type === 'image' ? [{ mimeType: item.mimeType, data: item.data }] : [],
    ),
    structured: result.structuredContent,
    isError: result.isError === true,
    progress,
  };
}

const textsOf = (items: readonly object[]): string[] =>
  items.flatMap((item) => ('text' in item && typeof item.text === 'string' ? [item.text] : []));

/** Returns the arguments of a bridge for an address and headers. */
export type BridgeArguments = (
  url: string,
  headers: Readonly<Record<string, string>>,
) => readonly string[];

/** A bridge from stdio to HTTP, with the official TypeScript SDK as its client. @param program a Node script */
export const bridgeDriver = (
  program: string,
  argumentsOf: BridgeArguments,
  revisions?: Revisions,
): Driver =>
  sdkDriver(
    ({ url, headers = {} }) =>
      new StdioClientTransport({
        command: process.execPath,
        args: [program, ...argumentsOf(url, headers)],
        stderr: 'ignore',
      }),
    revisions,
  );
