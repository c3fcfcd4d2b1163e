import { CommanderError } from 'commander';
import type { Ending } from '../ending.ts';
import type { CliIo } from './cli-io.ts';
import { createProgram } from './create-program.ts';

/** Exit codes: fine, failure at run time, refused configuration or usage. */
const EXIT: Readonly<Record<Ending, number>> = { fine: 0, failed: 1, refused: 2 };

/** Runs one command line to its end and tells the exit code. */
export async function runCli(args: readonly string[], io: CliIo): Promise<number> {
  let ending: Ending = 'fine';
  const end = (how: Ending): void => {
    ending = how;
  };
  try {
    await createProgram({ io, end }).parseAsync(args, { from: 'user' });
    return EXIT[ending];
  } catch (error) {
    return EXIT[endingOf(error, io)];
  }
}

function endingOf(error: unknown, { stderr }: CliIo): Ending {
  // Commander has printed what it had to say.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 'fine' : 'refused';
  stderr.write(`agent-manager: ${error instanceof Error ? error.message : String(error)}\n`);
  return 'failed';
}
