import type { Ending } from '../../ending.ts';
import { createLogger } from '../../logging.ts';
import { serve } from '../../serving/serve.ts';
import { isWorker, serveAsWorker } from '../../workers/serve-as-worker.ts';
import type { ServeArguments } from '../commands/serving-arguments.ts';

/** Serves until it is told to stop; a worker process ends by itself, and has no ending of its own. */
export async function runServe(options: ServeArguments): Promise<Ending | undefined> {
  const { logFormat: format, logLevel: level, ...rest } = options;
  const logger = createLogger({ format, level });
  if (!isWorker()) return serve({ ...rest, logger });
  serveAsWorker(logger);
  return undefined;
}
