export { createBufferedIo, type BufferedIo, type BufferedIoOptions } from './buffered-io.ts';
export type { CliIo, CliOutput } from './cli-io.ts';
export type { ServingCommands } from './command-context.ts';
export type { ServeArguments, StdioArguments } from './commands/serving-arguments.ts';
export { commandReference } from './completion/command-reference.ts';
export { commandTree } from './completion/command-tree.ts';
export { createProgram } from './create-program.ts';
export { processIo } from './process-io.ts';
export { runCli } from './run-cli.ts';
