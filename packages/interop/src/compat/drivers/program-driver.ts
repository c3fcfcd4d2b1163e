import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import { createInterface } from 'node:readline';
import * as z from 'zod';
import { Absent, connectionInfo, type Driver, toolResult } from './driver.ts';

const KEPT_CHARACTERS = 4_000;
const GRACE_MS = 5_000;

const answerLine = z.union([
  z.object({ absent: z.string() }),
  z.object({ error: z.string() }),
  z.object({ value: z.unknown().optional() }),
]);
const strings = z.array(z.string());

/** A program that runs the operations of the suite: one JSON object a line. */
export interface DriverProgram {
  readonly command: string;
  readonly args: readonly string[];
}

/** Starts a program in another language as a client. It ends with this process. */
export function startProgramDriver({ command, args }: DriverProgram): Driver {
  const child = spawn(command, args, {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1' },
  });
  const send = operations(child);
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
    end: () => endOf(child),
  };
}

/** Returns a function that sends an operation and resolves to the value of its answer. One operation runs at a time. */
function operations(child: ChildProcess): (operation: object) => Promise<unknown> {
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

async function endOf(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'close');
  child.stdin?.end();
  const timer = setTimeout(() => child.kill('SIGKILL'), GRACE_MS);
  await ended;
  clearTimeout(timer);
}
