export { type BufferedIoOptions, type CliIo, createBufferedIo, processIo } from './cli-io.ts';
export {
  type ServeArguments,
  SERVING_WORDS,
  type ServingCommands,
  type StdioArguments,
} from './command-context.ts';
export { CommandFailure, damagedFile } from './failure.ts';
export { runCli } from './run-cli.ts';
export { runServingCli } from './serving-cli.ts';
