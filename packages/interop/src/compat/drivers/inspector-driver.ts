import { execFile } from 'node:child_process';
import process from 'node:process';
import { promisify } from 'node:util';
import * as z from 'zod';
import {
  Absent,
  type ConnectOptions,
  type Driver,
  type ToolCall,
  type ToolResult,
} from './driver.ts';

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
export function inspectorDriver(program: string): Driver {
  let options: ConnectOptions | undefined;
  const ask = async (method: string, args: readonly string[] = []): Promise<unknown> => {
    if (options === undefined) throw new Error('not connected');
    return JSON.parse(await outputOf(program, options, ['--method', method, ...args])) as unknown;
  };
  const absent = (reason: string) => () => Promise.reject(new Absent(reason));
  return {
    connect: async (given) => {
      if (given.answer !== undefined) throw new Absent('the command line answers no questions');
      options = given;
      return infoOf(await ask('initialize'));
    },
    listTools: async () => namesOf(await ask('tools/list'), 'tools'),
    callTool: async (call) => {
      if (call.progress === true) throw new Absent('the command line shows no progress');
      return resultOf(await ask('tools/call', toolArguments(call)));
    },
    startCall: absent('each request is a process of its own, which only a signal ends'),
    cancelCall: absent('each request is a process of its own, which only a signal ends'),
    listResources: async () => resourceList.parse(await ask('resources/list')).resources,
    readResource: async (uri) =>
      resourceTexts.parse(await ask('resources/read', ['--uri', uri])).contents,
    listPrompts: async () => namesOf(await ask('prompts/list'), 'prompts'),
    getPrompt: async (name) =>
      promptTexts.parse(await ask('prompts/get', ['--prompt-name', name])).messages,
    watch: absent('each request is a process of its own'),
    waitForChange: absent('each request is a process of its own'),
    close: async () => Promise.resolve(),
    end: async () => Promise.resolve(),
  };
}

async function outputOf(
  program: string,
  { url, headers = {} }: ConnectOptions,
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

function infoOf(answer: unknown): { readonly server: string; readonly protocol: string } {
  const { serverInfo, protocolVersion } = z
    .object({ serverInfo: named, protocolVersion: z.string() })
    .parse(answer);
  return { server: serverInfo.name, protocol: protocolVersion };
}

function toolArguments({ name, arguments: given }: ToolCall): readonly string[] {
  const pairs = Object.entries(given).flatMap(([key, value]) => [
    '--tool-arg',
    `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  ]);
  return ['--tool-name', name, ...pairs];
}

function resultOf(answer: unknown): ToolResult {
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

function namesOf(answer: unknown, key: 'prompts' | 'tools'): readonly string[] {
  const lists = z.record(z.string(), z.unknown()).parse(answer);
  return z
    .array(named)
    .parse(lists[key])
    .map(({ name }) => name);
}
