import type { CliIo, CliOutput } from '../../src/cli/cli-io.ts';
import { runCli } from '../../src/cli/run-cli.ts';

/** What a command printed, and how it ended. */
export interface CommandRun {
  readonly code: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

/** What a command runs in. */
export interface CommandWorld {
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string;
  /** The columns of the terminal that both streams are; absent for pipes. */
  readonly terminal?: number;
  readonly interrupted?: AbortSignal;
  /** Told everything that is printed to stdout. */
  readonly onStdout?: (text: string) => void;
}

/** Runs a command of the command line in this process. */
export async function runCommand(
  args: readonly string[],
  { env = {}, stdin = '', terminal, interrupted, onStdout }: CommandWorld = {},
): Promise<CommandRun> {
  const printed = { stdout: '', stderr: '' };
  const output = (stream: keyof typeof printed): CliOutput => ({
    write: (text) => {
      printed[stream] += text;
      if (stream === 'stdout') onStdout?.(text);
    },
    isTerminal: terminal !== undefined,
    columns: terminal ?? 80,
  });
  const io: CliIo = {
    stdout: output('stdout'),
    stderr: output('stderr'),
    env,
    readStdin: () => Promise.resolve(stdin),
    interrupted: () => interrupted ?? new AbortController().signal,
  };
  const code = await runCli(args, io);
  return { code, ...printed };
}
