export { createBufferedIo, type BufferedIoOptions } from './cli-io.ts';
export type { ServeArguments, StdioArguments } from './command-context.ts';
export type { CliIo } from './cli-io.ts';
export type { ServingCommands } from './command-context.ts';
export { CommandFailure, damagedFile } from './failure.ts';
export { processIo } from './process-io.ts';
export { runCli } from './run-cli.ts';
export { runServingCli } from './serving-cli.ts';
export { SERVING_WORDS } from './command-context.ts';
