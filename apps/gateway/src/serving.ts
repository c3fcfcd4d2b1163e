import { runServingCli } from '@gateway/gateway-cli';
import * as programs from './programs.ts';
import { runCommandLine } from './run-command-line.ts';

/** The serving commands, which other commands use too. The build bundles them into one file with a code cache. */
export { probeServers, serve, serveStdio, validateStateStore } from './programs.ts';

/** Runs a command line of `gateway serve` or `gateway stdio`. */
export const runServing = (args: readonly string[]): Promise<void> =>
  runCommandLine(args, runServingCli, () => programs);
