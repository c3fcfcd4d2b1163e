export { createBufferedIo, type BufferedIoOptions } from './buffered-io.ts';
export type { ServeArguments, StdioArguments } from './arguments/serving-arguments.ts';
export type { CliIo } from './cli-io.ts';
export type { ServingCommands } from './command-context.ts';
export { processIo } from './process-io.ts';
export { runCli } from './run-cli.ts';
export { runServingCli } from './run-serving-cli.ts';
export { SERVING_WORDS } from './serving-words.ts';
