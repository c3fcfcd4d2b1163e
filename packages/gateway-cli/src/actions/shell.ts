import { type CommandResult, escapeToLine, EXIT_CODES } from '@gateway/service-host';
import process from 'node:process';
import type { CliIo } from '../cli-io.ts';
import { SessionPool } from '../client/gateway-client.ts';
import type { TreeCommand } from '../completion/command-tree.ts';
import { CommandFailure } from '../failure.ts';
import { completeLine, createNameReader } from '../shell/complete-line.ts';
import { readInputLines, type LineRunner, toRequest, runLine } from '../shell/lines.ts';
import {
  addToHistory,
  resolveHistoryFile,
  readHistory,
  TerminalPrompt,
} from '../shell/terminal-prompt.ts';
import { readNames } from './names.ts';

export interface ShellArguments {
  readonly url: string;
  readonly toolset?: string;
  readonly failFast?: boolean;
}

interface ShellPrompt {
  readonly prompt: TerminalPrompt;
  readonly remember: (line: string) => Promise<void>;
}

/** Opens the prompt of a shell. A history that cannot be read or written is reported once, and the shell works without it. */
async function openPrompt(
  { url }: ShellArguments,
  io: CliIo,
  tree: TreeCommand,
): Promise<ShellPrompt> {
  if (io.terminal === undefined) throw new CommandFailure('refused', 'there is no terminal');
  const file = resolveHistoryFile(io.env);
  let isKeeping = true;
  const fail = (error: unknown): void => {
    isKeeping = false;
    const reason = error instanceof Error ? error.message : String(error);
    io.stderr.write(`The history is not kept: ${escapeToLine(reason)}\n`);
  };
  const history = await readHistory(file).catch((error: unknown) => {
    fail(error);
    return [];
  });
  const never = new AbortController().signal;
  const namesFor = createNameReader({
    read: ({ kind, ...place }) =>
      readNames(kind, { url, ...place }, { ...io, getInterruptSignal: () => never }),
    now: () => Date.now(),
  });
  const prompt = new TerminalPrompt(io.terminal, {
    prompt: 'gateway> ',
    history,
    complete: (line) => completeLine(tree, line, namesFor),
  });
  const remember = async (line: string): Promise<void> => {
    if (isKeeping) await addToHistory(file, line).catch(fail);
  };
  return { prompt, remember };
}

interface ShellContext {
  readonly io: CliIo;
  readonly run: (args: readonly string[], io: CliIo) => Promise<number>;
  readonly tree: TreeCommand;
}

/**
 * Runs commands line by line until `exit` or the end of the input. At a terminal the result is a success; otherwise it is that of the first
 * command that failed.
 */
export async function runShell(
  args: ShellArguments,
  { io, run, tree }: ShellContext,
): Promise<CommandResult> {
  const sessions = new SessionPool();
  const inside: CliIo = {
    ...io,
    sessions,
    env: { ...io.env, GATEWAY_URL: args.url },
    readStdin: () =>
      Promise.reject(new CommandFailure('refused', 'standard input is that of the shell')),
  };
  const runner: LineRunner = { tree, run, shared: args };
  try {
    return io.terminal === undefined
      ? await runInput(args, inside, runner)
      : await runTerminal(args, inside, runner);
  } finally {
    await sessions.close();
  }
}

async function runTerminal(
  args: ShellArguments,
  io: CliIo,
  runner: LineRunner,
): Promise<CommandResult> {
  const { prompt, remember } = await openPrompt(args, io, runner.tree);
  io.stderr.write('Commands of gateway without the word gateway; help lists them, exit ends.\n');
  try {
    for (;;) {
      const line = await prompt.next();
      if (line === undefined) {
        io.stderr.write('\n');
        return 'succeeded';
      }
      await remember(line);
      const request = toRequest(runner.tree, line);
      if (request.kind === 'exit') return 'succeeded';
      const interrupted = new AbortController();
      prompt.whileRunning(() => {
        interrupted.abort();
      });
      const ask: CliIo['ask'] = (question) => prompt.ask(question);
      await runInterruptible({ ...io, ask }, interrupted, (own) => runLine(request, own, runner));
      prompt.whileRunning(undefined);
    }
  } finally {
    prompt.close();
  }
}

async function runInput(
  { failFast }: ShellArguments,
  io: CliIo,
  runner: LineRunner,
): Promise<CommandResult> {
  let result: CommandResult = 'succeeded';
  for await (const line of readInputLines(io.input())) {
    const request = toRequest(runner.tree, line);
    if (request.kind === 'exit') break;
    const interrupted = new AbortController();
    const code = await runInterruptible(io, interrupted, (own) => runLine(request, own, runner));
    if (result === 'succeeded') result = toResult(code);
    if (failFast === true && result !== 'succeeded') break;
  }
  return result;
}

const RESULTS = Object.keys(EXIT_CODES) as readonly CommandResult[];

const toResult = (code: number): CommandResult =>
  RESULTS.find((result) => EXIT_CODES[result] === code) ?? 'failed';

/** How long an interrupted command has until the shell no longer waits for it, in milliseconds. */
const GRACE_MS = 2_000;

/** Runs a command whose signal Ctrl+C and SIGINT abort. After an interrupted command nothing of it is written any more. */
async function runInterruptible(
  io: CliIo,
  interrupted: AbortController,
  run: (io: CliIo) => Promise<number>,
): Promise<number> {
  let isOver = false;
  const gated = (output: CliIo['stdout']): CliIo['stdout'] => ({
    ...output,
    write: (text) => {
      if (!isOver) output.write(text);
    },
  });
  const abort = (): void => {
    interrupted.abort();
  };
  process.on('SIGINT', abort);
  const own: CliIo = {
    ...io,
    stdout: gated(io.stdout),
    stderr: gated(io.stderr),
    getInterruptSignal: () => interrupted.signal,
  };
  const abandoned = createGraceTimer(interrupted.signal);
  try {
    return await Promise.race([run(own), abandoned.promise]);
  } finally {
    isOver = true;
    abandoned.cancel();
    process.off('SIGINT', abort);
  }
}

function createGraceTimer(signal: AbortSignal): { promise: Promise<number>; cancel: () => void } {
  let timer: NodeJS.Timeout | undefined;
  const promise = new Promise<number>((resolve) => {
    signal.addEventListener('abort', () => {
      timer = setTimeout(resolve, GRACE_MS, EXIT_CODES.failed);
    });
  });
  return {
    promise,
    cancel: () => {
      clearTimeout(timer);
    },
  };
}
