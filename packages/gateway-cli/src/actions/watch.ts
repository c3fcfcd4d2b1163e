import type { CommandResult } from '@gateway/service-host';
import { setTimeout as pause } from 'node:timers/promises';
import type { CliIo } from '../cli-io.ts';
import { KeptSessions } from '../client/gateway-client.ts';
import { CommandFailure } from '../failure.ts';

const WATCH_MS = 1_000;

/** Moves the cursor to the upper left corner and clears the screen. ECMA-48 §8.3.21 CUP, §8.3.39 ED */
const CLEAR_SCREEN = '\u001B[H\u001B[2J';

type TableCommand = (io: CliIo) => Promise<CommandResult>;

/**
 * Runs a command. With `--watch` runs it every second until Ctrl+C and writes its output when that has changed: on a terminal in place of the
 * previous one, elsewhere after an empty line. All views use one session. A gateway that does not answer any more is a view too, because it may come back.
 */
export async function runWatched(
  { watch }: { readonly watch?: boolean },
  io: CliIo,
  command: TableCommand,
): Promise<CommandResult> {
  if (watch !== true) return command(io);
  const sessions = new KeptSessions();
  try {
    return await repeat({ ...io, sessions }, command);
  } finally {
    await sessions.close();
  }
}

async function repeat(io: CliIo, command: TableCommand): Promise<CommandResult> {
  const interrupted = io.interrupted();
  const isInterrupted = (): boolean => interrupted.aborted;
  let shown = await outputOf(io, command);
  io.stdout.write(separatorOf(io, true) + shown);
  while (!isInterrupted()) {
    await pause(WATCH_MS, undefined, { signal: interrupted }).catch(() => undefined);
    if (isInterrupted()) break;
    const text = await outputOf(io, command).catch(failureText);
    if (isInterrupted()) break;
    if (text !== shown) io.stdout.write(separatorOf(io, false) + text);
    shown = text;
  }
  return 'succeeded';
}

const failureText = (error: unknown): string => {
  if (error instanceof CommandFailure) return `${error.message}\n`;
  throw error;
};

const outputOf = async (io: CliIo, command: TableCommand): Promise<string> => {
  let text = '';
  const { isTerminal, columns } = io.stdout;
  const write = (more: string): void => {
    text += more;
  };
  await command({ ...io, stdout: { write, isTerminal, columns } });
  return text;
};

const separatorOf = ({ stdout }: CliIo, isFirst: boolean): string => {
  if (stdout.isTerminal) return CLEAR_SCREEN;
  return isFirst ? '' : '\n';
};
