import process from 'node:process';
import { serveStdio as serveOverStdio } from '@gateway/mcp-http';
import { TOOLSET_HEADER_KEY } from '@gateway/toolset-grammar';
import type { StdioArguments } from '@gateway/gateway-cli';
import {
  validateAuditOutput,
  composeGateway,
  createYamlParser,
  type ListeningGatewayOptions,
  openState,
  resolveCoreToolWrites,
} from '@gateway/gateway-runtime';
import { openConfiguration } from '@gateway/gateway-config';
import { createLogger, waitForStopSignal, type CommandResult } from '@gateway/service-host';
import { openStateStore, type Opened } from './open-state-store.ts';
import { validateToolsetText } from './toolset-problem.ts';

/** Serves one client on standard input and output until it closes its end or a signal arrives. */
export async function serveStdio(options: StdioArguments): Promise<CommandResult> {
  const { configDir, toolset, logFormat: format, logLevel: level } = options;
  const logger = createLogger({ format, level });
  const refusal = toolset === undefined ? undefined : validateToolsetText(toolset);
  // The flag replaces the header: an invalid toolset fails every call and does not stop the start.
  if (refusal !== undefined) logger.warn(`--toolset: ${refusal}`);
  const opened = await openConfiguration(configDir, { parseElsewhere: createYamlParser() });
  if (!opened.ok) return 'refused';
  const problem = validateAuditOutput(opened.config);
  if (problem !== undefined) {
    process.stderr.write(`${problem}\n`);
    await opened.store.close();
    return 'refused';
  }
  const openedStore = await openStateStore(opened, logger);
  if (openedStore === undefined) return 'refused';
  const { store: stateStore } = openedStore;
  try {
    return await serveConfiguration(options, { ...opened, stateStore, logger });
  } finally {
    await stateStore.close();
  }
}

type Parts = Opened & Required<Pick<ListeningGatewayOptions, 'stateStore' | 'logger'>>;

async function serveConfiguration(
  { toolset, expose, coreToolWrites: option }: StdioArguments,
  parts: Parts,
): Promise<CommandResult> {
  const { config, stateDirectory, logger } = parts;
  const stopped = waitForStopSignal();
  const state = await openState(stateDirectory, logger);
  const coreToolWrites = await resolveCoreToolWrites({ config, option, logger });
  const gateway = composeGateway({
    ...parts,
    state,
    expose,
    coreToolWrites,
    sessions: () => 1,
  });
  // Lists do not wait for servers, and a client over stdio requests them first.
  if (expose === 'native') await Promise.race([gateway.readiness.settled, stopped]);
  const toolsetLines = toolset === undefined ? undefined : [toolset];
  const server = serveOverStdio(gateway.createService({ waitsForStart: true }), {
    header: (name) => (name === TOOLSET_HEADER_KEY ? toolsetLines : undefined),
    onError: (error) => {
      logger.error({ err: error }, 'internal error');
    },
  });
  await Promise.race([server.closed, stopped]);
  await server.close();
  await gateway.close();
  return 'succeeded';
}
