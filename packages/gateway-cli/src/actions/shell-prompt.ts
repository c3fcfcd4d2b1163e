import { escapeToLine } from '@gateway/service-host';
import type { ShellArguments } from '../arguments/shell-arguments.ts';
import type { CliIo } from '../cli-io.ts';
import type { TreeCommand } from '../completion/command-tree.ts';
import { CommandFailure } from '../failure.ts';
import { completeLine } from '../shell/complete-line.ts';
import { addToHistory, historyFile, readHistory } from '../shell/history.ts';
import { recentNames } from '../shell/recent-names.ts';
import { TerminalPrompt } from '../shell/terminal-prompt.ts';
import { readNames } from './read-names.ts';

/** A prompt, and the function that adds a line to the history. */
export interface ShellPrompt {
  readonly prompt: TerminalPrompt;
  readonly remember: (line: string) => Promise<void>;
}

/** Opens the prompt of a shell. A history that cannot be read or written is reported once, and the shell works without it. */
export async function openPrompt(
  { url }: ShellArguments,
  io: CliIo,
  tree: TreeCommand,
): Promise<ShellPrompt> {
  if (io.terminal === undefined) throw new CommandFailure('refused', 'there is no terminal');
  const file = historyFile(io.env);
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
  const namesFor = recentNames({
    read: ({ kind, ...place }) =>
      readNames(kind, { url, ...place }, { ...io, interrupted: () => never }),
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
