import { serveStdio } from '@gateway/mcp-http';
import { TOOLSET_HEADER } from '@gateway/toolset-grammar';
import type { Logger } from 'pino';
import { composeGateway } from './compose.ts';
import { openConfiguration } from './open-configuration.ts';
import type { Ending } from './serve.ts';
import { stopSignal } from './stop-signal.ts';

/** What `gateway stdio` takes. */
export interface StdioOptions {
  readonly configDir: string;
  /** Stands for the toolset header of every request; `undefined` is a request without the header. */
  readonly toolset?: string;
  readonly logger: Logger;
}

/** Serves one client on standard input and output until it closes its end or a signal arrives. */
export async function serveOverStdio({
  configDir,
  toolset,
  logger,
}: StdioOptions): Promise<Ending> {
  const opened = await openConfiguration(configDir);
  if (!opened.ok) return 'refused';
  const gateway = composeGateway({ ...opened, logger, sessions: () => 1 });
  const toolsetLines = toolset === undefined ? undefined : [toolset];
  const serving = serveStdio(gateway.service, {
    header: (name) => (name === TOOLSET_HEADER.toLowerCase() ? toolsetLines : undefined),
    onError: (error) => {
      logger.error({ err: error }, 'internal error');
    },
  });
  await Promise.race([serving.closed, stopSignal()]);
  await serving.close();
  await gateway.close();
  return 'fine';
}
