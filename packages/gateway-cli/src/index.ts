export { type BufferedIoOptions, type CliIo, createBufferedIo, createProcessIo } from './cli-io.ts';
export {
  type ServeArguments,
  SERVING_WORDS,
  type ServingCommands,
  type StdioArguments,
} from './command-context.ts';
export { CommandFailure, createDamagedFileFailure } from './failure.ts';
export { runCli } from './run-cli.ts';
export { runServingCli } from './serving-cli.ts';
