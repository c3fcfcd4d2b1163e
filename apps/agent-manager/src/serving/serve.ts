import { ENVIRONMENT, type ServeOptions } from '@gateway/agent-manager-cli';
import process from 'node:process';
import type { AgentService, AgentStore } from '@gateway/agent-releases';
import {
  createLogger,
  DRAIN_TIMEOUT_MS,
  logInternalErrors,
  readSessionKey,
  waitForStopSignal,
  type CommandResult,
} from '@gateway/service-host';
import type { Logger } from 'pino';
import { createServiceFromOptions } from './create-service-from-options.ts';
import { startListening, type ListeningService } from './listening-service.ts';
import { openReleases } from './open-releases.ts';
import { openSkills } from './open-skills.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Serves until SIGTERM or SIGINT, then drains. */
export async function serve(
  options: ServeOptions,
  environment: Environment,
): Promise<CommandResult> {
  const { logFormat: format, logLevel: level, releases, namespaces } = options;
  const sessionKey = readSessionKey(environment, ENVIRONMENT.sessionKey);
  if (!sessionKey.ok) return refuse(sessionKey.problem);
  const skills = openSkills(options, environment);
  if (!skills.ok) return refuse(skills.problem);
  const logger = createLogger({ format, level });
  const opened = await openReleases(releases, namespaces, logger);
  if (!opened.ok) return refuse(opened.problem);
  const { store } = opened;
  try {
    const service = createServiceFromOptions(options, {
      store,
      ...(skills.skills !== undefined && { skills: skills.skills }),
      onError: logInternalErrors(logger),
    });
    return await serveStore({ options, service, store, sessionKey: sessionKey.key, logger });
  } finally {
    await store.close();
    logger.info('stopped');
  }
}

function refuse(problem: string): CommandResult {
  process.stderr.write(`agent-manager: ${problem}\n`);
  return 'refused';
}

interface Serving {
  readonly options: ServeOptions;
  readonly service: AgentService;
  readonly store: AgentStore;
  readonly sessionKey: Uint8Array | undefined;
  readonly logger: Logger;
}

async function serveStore({
  options,
  service,
  store,
  sessionKey,
  logger,
}: Serving): Promise<CommandResult> {
  const { host, port, namespaces, allowedHosts, allowedOrigins } = options;
  const stopped = waitForStopSignal();
  let listening: ListeningService;
  try {
    listening = await startListening({
      service,
      store,
      namespaces,
      address: { host, port },
      ...(allowedHosts !== undefined && { allowedHosts }),
      ...(allowedOrigins !== undefined && { allowedOrigins }),
      ...(sessionKey !== undefined && { sessionKey }),
      logger,
    });
  } catch (error) {
    logger.fatal(error instanceof Error ? error.message : String(error));
    return 'failed';
  }
  logger.info({ url: listening.url, namespaces }, 'listening');
  // A parent process with a message channel receives the address as a message.
  process.send?.({ listening: listening.url });
  logger.info({ signal: await stopped }, 'draining');
  await listening.drain(DRAIN_TIMEOUT_MS);
  return 'succeeded';
}
