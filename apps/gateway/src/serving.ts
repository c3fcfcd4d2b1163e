import { runServingCli } from '@gateway/gateway-cli';
import * as programs from './programs.ts';
import { runCommandLine } from './run-command-line.ts';

/** The commands that serve, for the others. The build puts them into one file, whose compiled code is stored. */
export { probeServers, serve, serveStdio, validateStateStore } from './programs.ts';

/** Runs a command line of `gateway serve` or `gateway stdio`. */
export const runServing = (args: readonly string[]): Promise<void> =>
  runCommandLine(args, runServingCli, () => programs);
