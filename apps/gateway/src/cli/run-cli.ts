import { CommanderError } from 'commander';
import type { Ending } from '../ending.ts';
import type { CliIo } from './cli-io.ts';
import { createProgram } from './create-program.ts';
import { EXIT } from './exit-code.ts';
import { CommandFailure } from './failure.ts';

/** Runs one command line to its end, which it tells; a command that hands its process on tells nothing. */
export async function runCli(args: readonly string[], io: CliIo): Promise<number | undefined> {
  let ending: Ending | undefined;
  const end = (how: Ending): void => {
    ending = how;
  };
  try {
    await createProgram({ io, end }).parseAsync(args, { from: 'user' });
  } catch (error) {
    return EXIT[endingOf(error, io)];
  }
  return ending === undefined ? undefined : EXIT[ending];
}

function endingOf(error: unknown, { stderr }: CliIo): Ending {
  // Commander has printed what it had to say.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 'fine' : 'refused';
  stderr.write(`gateway: ${error instanceof Error ? error.message : String(error)}\n`);
  return error instanceof CommandFailure ? error.ending : 'failed';
}
