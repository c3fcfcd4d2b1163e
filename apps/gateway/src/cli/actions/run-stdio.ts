import type { Ending } from '../../ending.ts';
import { createLogger } from '../../logging.ts';
import { serveOverStdio } from '../../serving/stdio.ts';
import type { StdioArguments } from '../commands/serving-arguments.ts';

/** Serves one client on the standard streams until either end closes. */
export function runStdio(options: StdioArguments): Promise<Ending> {
  const { logFormat: format, logLevel: level, ...rest } = options;
  return serveOverStdio({ ...rest, logger: createLogger({ format, level }) });
}
