import { serveStdio as serveOverStdio, type McpService } from '@gateway/mcp-http';
import { parseToolsetHeader, TOOLSET_HEADER, toolsetErrorText } from '@gateway/toolset-grammar';
import type { StdioArguments } from '@gateway/gateway-cli';
import { composeGateway, type Gateway, openState } from '@gateway/gateway-runtime';
import { openConfiguration } from '@gateway/gateway-config';
import { createLogger, waitForStopSignal, type CommandResult } from '@gateway/service-host';

/** Serves one client on standard input and output until it closes its end or a signal arrives. */
export async function serveStdio({
  configDir,
  toolset,
  expose,
  logFormat: format,
  logLevel: level,
}: StdioArguments): Promise<CommandResult> {
  const logger = createLogger({ format, level });
  const refusal = toolset === undefined ? undefined : refusalOf(toolset);
  // The flag stands for the header: its mistakes are errors of every call, and never stop the start.
  if (refusal !== undefined) logger.warn(`--toolset: ${refusal}`);
  const opened = await openConfiguration(configDir);
  if (!opened.ok) return 'refused';
  const stopped = waitForStopSignal();
  const state = await openState(opened.stateDirectory, logger);
  const gateway = composeGateway({ ...opened, state, expose, logger, sessions: () => 1 });
  // Lists are answered at once, and a client over stdio asks for them first of all.
  if (expose === 'native') await Promise.race([gateway.settled, stopped]);
  const toolsetLines = toolset === undefined ? undefined : [toolset];
  const serving = serveOverStdio(onceSettled(gateway), {
    header: (name) => (name === TOOLSET_HEADER.toLowerCase() ? toolsetLines : undefined),
    onError: (error) => {
      logger.error({ err: error }, 'internal error');
    },
  });
  await Promise.race([serving.closed, stopped]);
  await serving.close();
  await gateway.close();
  return 'succeeded';
}

/** The reason why no request with this toolset could be served. */
function refusalOf(toolset: string): string | undefined {
  const parsed = parseToolsetHeader([toolset]);
  return parsed.ok ? undefined : toolsetErrorText(parsed.error);
}

/** A client over stdio has no way to ask whether the servers are up: its first calls wait until each was tried once. */
function onceSettled({ service, settled }: Gateway): McpService {
  // What a service declares may change while servers come and go: it is looked up, not copied.
  return Object.assign(Object.create(service) as McpService, {
    call: async (...[call, context]: Parameters<McpService['call']>) => {
      await settled;
      return service.call(call, context);
    },
  });
}
