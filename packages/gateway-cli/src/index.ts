export { createBufferedIo, type BufferedIoOptions } from './buffered-io.ts';
export type { ServeArguments, StdioArguments } from './arguments/serving-arguments.ts';
export { processIo } from './process-io.ts';
export { runCli } from './run-cli.ts';
