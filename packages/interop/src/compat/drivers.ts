import * as z from 'zod';
import process from 'node:process';
import {
  Client,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

/** A client that has no such feature. The message is the reason. */
export class Absent extends Error {
  override readonly name = 'Absent';
}

export interface DriverOptions {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The answer of a user to the questions of servers. Without it, the client does not declare that it can ask. */
  readonly answer?: Readonly<Record<string, unknown>>;
}

const connectionInfo = z.object({ server: z.string(), protocol: z.string() });
type ConnectionInfo = z.infer<typeof connectionInfo>;

const toolResult = z.object({
  texts: z
    .array(z.string())
    .nullish()
    .transform((texts) => texts ?? []),
  images: z
    .array(z.object({ mimeType: z.string(), data: z.string() }))
    .nullish()
    .transform((images) => images ?? []),
  structured: z.unknown().optional(),
  isError: z
    .boolean()
    .nullish()
    .transform((isError) => isError === true),
  /** The number of progress notifications, when they were asked for. */
  progress: z.number().optional(),
});
export type ToolResult = Readonly<z.infer<typeof toolResult>>;

interface DriverCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly progress?: boolean;
}

/** A client library or program, with one connection at a time. Every function rejects with {@link Absent} when the client lacks it. */
export interface Driver {
  readonly connect: (options: DriverOptions) => Promise<ConnectionInfo>;
  readonly listTools: () => Promise<readonly string[]>;
  readonly callTool: (call: DriverCall) => Promise<ToolResult>;
  readonly startCall: (call: DriverCall) => Promise<void>;
  readonly cancelCall: () => Promise<void>;
  readonly listResources: () => Promise<readonly string[]>;
  readonly readResource: (uri: string) => Promise<readonly string[]>;
  readonly listPrompts: () => Promise<readonly string[]>;
  readonly getPrompt: (name: string) => Promise<readonly string[]>;
  readonly watch: () => Promise<void>;
  readonly waitForChange: () => Promise<void>;
  readonly close: () => Promise<void>;
  readonly end: () => Promise<void>;
}

interface Limits {
  readonly progress?: string;
  /** Answers to questions. */
  readonly answer?: string;
  readonly watch?: string;
  /** Cancellation in revision 2026-07-28. */
  readonly cancelIn2026?: string;
}

/** A driver of a client that is known not to have some features: they are absent, whatever the driver could do. */
export function limitDriver(driver: Driver, limits: Limits): Driver {
  let protocol = '';
  const absentIf = (reason: string | undefined, applies = true): void => {
    if (reason !== undefined && applies) throw new Absent(reason);
  };
  return {
    ...driver,
    connect: async (options) => {
      absentIf(limits.answer, options.answer !== undefined);
      const info = await driver.connect(options);
      ({ protocol } = info);
      return info;
    },
    callTool: async (call) => {
      absentIf(limits.progress, call.progress === true);
      return driver.callTool(call);
    },
    startCall: async (call) => {
      absentIf(limits.cancelIn2026, protocol >= '2026');
      await driver.startCall(call);
    },
    watch: async () => {
      absentIf(limits.watch);
      await driver.watch();
    },
  };
}

type OpenTransport = (options: DriverOptions) => Transport;

/** Streamable HTTP of the official TypeScript SDK. */
export const openHttp: OpenTransport = ({ url, headers = {} }) =>
  new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });

interface Connection {
  readonly client: Client;
  readonly changed: Promise<void>;
}

/** The revisions that the client accepts: the latest that the server has, or those before 2026-07-28. */
export type Revisions = 'earlier' | 'latest';

/** The official TypeScript SDK as a client, over a transport of its own or of a bridge. */
export function createSdkDriver(open: OpenTransport, revisions: Revisions = 'latest'): Driver {
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
    ...listCalls(client),
    listTools: async () => (await client().listTools()).tools.map(({ name }) => name),
    listResources: async () => (await client().listResources()).resources.map(({ uri }) => uri),
    readResource: async (uri) => listTexts((await client().readResource({ uri })).contents),
    listPrompts: async () => (await client().listPrompts()).prompts.map(({ name }) => name),
    getPrompt: async (name) =>
      listTexts((await client().getPrompt({ name })).messages.map(({ content }) => content)),
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

function listCalls(client: () => Client): Pick<Driver, 'callTool' | 'cancelCall' | 'startCall'> {
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
  options: DriverOptions,
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

async function callTool(client: Client, call: DriverCall): Promise<ToolResult> {
  let progress = 0;
  const onprogress = (): void => void (progress += 1);
  const result = await client.callTool(
    { name: call.name, arguments: { ...call.arguments } },
    call.progress === true ? { onprogress } : {},
  );
  if (!('content' in result)) throw new Absent('an answer without content');
  return {
    texts: listTexts(result.content),
    images: result.content.flatMap((item) =>
      item.type === 'image' ? [{ mimeType: item.mimeType, data: item.data }] : [],
    ),
    structured: result.structuredContent,
    isError: result.isError === true,
    progress,
  };
}

const listTexts = (items: readonly object[]): string[] =>
  items.flatMap((item) => ('text' in item && typeof item.text === 'string' ? [item.text] : []));

export type SdkBridgeArguments = (
  url: string,
  headers: Readonly<Record<string, string>>,
) => readonly string[];

/** A bridge from stdio to HTTP, with the official TypeScript SDK as its client. @param program a Node script */
export const createBridgeDriver = (
  program: string,
  argumentsOf: SdkBridgeArguments,
  revisions?: Revisions,
): Driver =>
  createSdkDriver(
    ({ url, headers = {} }) =>
      new StdioClientTransport({
        command: process.execPath,
        args: [program, ...argumentsOf(url, headers)],
        stderr: 'ignore',
      }),
    revisions,
  );

const KEPT_CHARACTERS = 4_000;
const GRACE_MS = 5_000;

const answerLine = z.union([
  z.object({ absent: z.string() }),
  z.object({ error: z.string() }),
  z.object({ value: z.unknown().optional() }),
]);
const strings = z.array(z.string());

/** A program that runs the operations of the suite: one JSON object a line. */
interface DriverProgram {
  readonly command: string;
  readonly args: readonly string[];
}

export function startProgramDriver({ command, args }: DriverProgram): Driver {
  const child = spawn(command, args, {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1' },
  });
  const send = createOperationSender(child);
  const ask = async <T>(schema: z.ZodType<T>, operation: object): Promise<T> =>
    schema.parse(await send(operation));
  const silent = (operation: string) => async (): Promise<void> => {
    await send({ do: operation });
  };
  return {
    connect: (options) => ask(connectionInfo, { do: 'connect', ...options }),
    listTools: () => ask(strings, { do: 'listTools' }),
    callTool: (call) => ask(toolResult, { do: 'callTool', ...call }),
    startCall: async (call) => {
      await send({ do: 'startCall', ...call });
    },
    cancelCall: silent('cancelCall'),
    listResources: () => ask(strings, { do: 'listResources' }),
    readResource: (uri) => ask(strings, { do: 'readResource', uri }),
    listPrompts: () => ask(strings, { do: 'listPrompts' }),
    getPrompt: (name) => ask(strings, { do: 'getPrompt', name, arguments: {} }),
    watch: silent('watch'),
    waitForChange: silent('waitForChange'),
    close: silent('close'),
    end: () => toEnd(child),
  };
}

/** Returns a function that sends an operation and resolves to the value of its answer. One operation runs at a time. */
function createOperationSender(child: ChildProcess): (operation: object) => Promise<unknown> {
  let errorOutput = '';
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    errorOutput = (errorOutput + chunk).slice(-KEPT_CHARACTERS);
  });
  const waiting: { resolve: (value: unknown) => void; reject: (error: Error) => void }[] = [];
  const failAll = (): void => {
    for (const { reject } of waiting.splice(0))
      reject(new Error(`The client ended.\n${errorOutput}`));
  };
  child.once('error', failAll).once('close', failAll);
  if (child.stdout !== null)
    createInterface({ input: child.stdout }).on('line', (line) => {
      const next = line.startsWith('{') ? waiting.shift() : undefined;
      if (next !== undefined) settle(line, next);
    });
  return (operation) =>
    new Promise((resolve, reject) => {
      waiting.push({ resolve, reject });
      if (child.stdin?.writable === true) child.stdin.write(`${JSON.stringify(operation)}\n`);
      else failAll();
    });
}

function settle(
  line: string,
  { resolve, reject }: { resolve: (value: unknown) => void; reject: (error: Error) => void },
): void {
  const answer = answerLine.safeParse(JSON.parse(line));
  if (!answer.success) reject(new Error(`not an answer: ${line.slice(0, 200)}`));
  else if ('absent' in answer.data) reject(new Absent(answer.data.absent));
  else if ('error' in answer.data) reject(new Error(answer.data.error));
  else resolve(answer.data.value);
}

async function toEnd(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'close');
  child.stdin?.end();
  const timer = setTimeout(() => child.kill('SIGKILL'), GRACE_MS);
  await ended;
  clearTimeout(timer);
}

const run = promisify(execFile);
const WITHIN_MS = 60_000;

const named = z.object({ name: z.string() });
const result = z.object({
  content: z.array(
    z.object({
      type: z.string(),
      text: z.string().optional(),
      mimeType: z.string().optional(),
      data: z.string().optional(),
    }),
  ),
  structuredContent: z.unknown().optional(),
  isError: z.boolean().optional(),
});

const resourceList = z.object({
  resources: z.array(z.object({ uri: z.string() }).transform(({ uri }) => uri)),
});
const resourceTexts = z.object({
  contents: z.array(z.object({ text: z.string() }).transform(({ text }) => text)),
});
const promptTexts = z.object({
  messages: z.array(
    z.object({ content: z.object({ text: z.string() }) }).transform(({ content }) => content.text),
  ),
});

/** The command line of the Inspector: one process, and one connection, for each request. @param program its Node script */
export function createInspectorDriver(program: string): Driver {
  let options: DriverOptions | undefined;
  const ask = async (method: string, args: readonly string[] = []): Promise<unknown> => {
    if (options === undefined) throw new Error('not connected');
    return JSON.parse(await readOutput(program, options, ['--method', method, ...args])) as unknown;
  };
  const absent = (reason: string) => () => Promise.reject(new Absent(reason));
  return {
    connect: async (given) => {
      if (given.answer !== undefined) throw new Absent('the command line answers no questions');
      options = given;
      return toInfo(await ask('initialize'));
    },
    listTools: async () => listNames(await ask('tools/list'), 'tools'),
    callTool: async (call) => {
      if (call.progress === true) throw new Absent('the command line shows no progress');
      return toResult(await ask('tools/call', toToolArguments(call)));
    },
    startCall: absent('each request is a process of its own, which only a signal ends'),
    cancelCall: absent('each request is a process of its own, which only a signal ends'),
    listResources: async () => resourceList.parse(await ask('resources/list')).resources,
    readResource: async (uri) =>
      resourceTexts.parse(await ask('resources/read', ['--uri', uri])).contents,
    listPrompts: async () => listNames(await ask('prompts/list'), 'prompts'),
    getPrompt: async (name) =>
      promptTexts.parse(await ask('prompts/get', ['--prompt-name', name])).messages,
    watch: absent('each request is a process of its own'),
    waitForChange: absent('each request is a process of its own'),
    close: async () => Promise.resolve(),
    end: async () => Promise.resolve(),
  };
}

async function readOutput(
  program: string,
  { url, headers = {} }: DriverOptions,
  args: readonly string[],
): Promise<string> {
  const header = Object.entries(headers).flatMap(([name, value]) => [
    '--header',
    `${name}: ${value}`,
  ]);
  const all = [program, '--cli', url, '--transport', 'http', ...header, ...args];
  try {
    return (await run(process.execPath, all, { timeout: WITHIN_MS, maxBuffer: 1 << 24 })).stdout;
  } catch (error) {
    // It prints a result with `isError` and exits with a code of its own.
    const { stdout = '' } = error as { stdout?: string };
    if (stdout.trimStart().startsWith('{')) return stdout;
    throw error;
  }
}

function toInfo(answer: unknown): { readonly server: string; readonly protocol: string } {
  const { serverInfo, protocolVersion } = z
    .object({ serverInfo: named, protocolVersion: z.string() })
    .parse(answer);
  return { server: serverInfo.name, protocol: protocolVersion };
}

function toToolArguments({ name, arguments: given }: DriverCall): readonly string[] {
  const pairs = Object.entries(given).flatMap(([key, value]) => [
    '--tool-arg',
    `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  ]);
  return ['--tool-name', name, ...pairs];
}

function toResult(answer: unknown): ToolResult {
  const { content, structuredContent, isError } = result.parse(answer);
  return {
    texts: content.flatMap(({ type, text }) =>
      type === 'text' && text !== undefined ? [text] : [],
    ),
    images: content.flatMap(({ type, mimeType, data }) =>
      type === 'image' && mimeType !== undefined && data !== undefined ? [{ mimeType, data }] : [],
    ),
    structured: structuredContent,
    isError: isError === true,
  };
}

function listNames(answer: unknown, key: 'prompts' | 'tools'): readonly string[] {
  const lists = z.record(z.string(), z.unknown()).parse(answer);
  return z
    .array(named)
    .parse(lists[key])
    .map(({ name }) => name);
}
