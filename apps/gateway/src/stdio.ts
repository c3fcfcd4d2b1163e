import { serveStdio, type McpService } from '@gateway/mcp-http';
import { parseToolsetHeader, TOOLSET_HEADER, toolsetErrorText } from '@gateway/toolset-grammar';
import type { Logger } from 'pino';
import { composeGateway, type Gateway } from './compose.ts';
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
  const refusal = toolset === undefined ? undefined : refusalOf(toolset);
  // The flag stands for the header: its mistakes are errors of every call, and never stop the start.
  if (refusal !== undefined) logger.warn(`--toolset: ${refusal}`);
  const opened = await openConfiguration(configDir);
  if (!opened.ok) return 'refused';
  const gateway = composeGateway({ ...opened, logger, sessions: () => 1 });
  const toolsetLines = toolset === undefined ? undefined : [toolset];
  const serving = serveStdio(onceSettled(gateway), {
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

/** The reason why no request with this toolset could be served. */
function refusalOf(toolset: string): string | undefined {
  const parsed = parseToolsetHeader([toolset]);
  return parsed.ok ? undefined : toolsetErrorText(parsed.error);
}

/** A client over stdio has no way to ask whether the servers are up: its first calls wait until each was tried once. */
function onceSettled({ service, settled }: Gateway): McpService {
  return {
    ...service,
    call: async (call, context) => {
      await settled;
      return service.call(call, context);
    },
  };
}
