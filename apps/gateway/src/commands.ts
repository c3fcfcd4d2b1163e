import { runCli } from '@gateway/gateway-cli';
import type * as Programs from './programs.ts';
import { runCommandLine } from './run-command-line.ts';

/** Runs a command line of any command. @param programs loads what serves */
export const runCommands = (
  args: readonly string[],
  programs: () => typeof Programs,
): Promise<void> => runCommandLine(args, runCli, programs);
