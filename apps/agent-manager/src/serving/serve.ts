import process from 'node:process';
import type { AgentService, AgentStore } from '@gateway/agent-releases';
import type { Logger } from 'pino';
import type { ReleasesPlace, ServeArguments } from '../cli/serve-arguments.ts';
import { DRAIN_MS, type Ending } from '../ending.ts';
import { errorListener } from '../logging/error-listener.ts';
import { createLogger } from '../logging/logging.ts';
import { agentServiceOf } from './agent-service-of.ts';
import { listeningService, type ListeningService } from './listening-service.ts';
import { openReleases } from './open-releases.ts';
import { openSkills } from './open-skills.ts';
import { readSessionKey } from './session-key.ts';
import { stopSignal } from './stop-signal.ts';

/** What `agent-manager serve` takes. */
export interface ServeOptions extends ServeArguments {
  readonly releases: ReleasesPlace;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Serves until SIGTERM or SIGINT, then drains. */
export async function serve(options: ServeOptions, environment: Environment): Promise<Ending> {
  const { logFormat: format, logLevel: level, releases, namespaces } = options;
  const sessionKey = readSessionKey(environment);
  if (!sessionKey.ok) return refuse(sessionKey.problem);
  const skills = openSkills(options, environment);
  if (!skills.ok) return refuse(skills.problem);
  const logger = createLogger({ format, level });
  const opened = await openReleases(releases, namespaces, logger);
  if (!opened.ok) return refuse(opened.problem);
  const { store } = opened;
  try {
    const service = agentServiceOf(options, {
      store,
      ...(skills.skills !== undefined && { skills: skills.skills }),
      onError: errorListener(logger),
    });
    return await serveStore({ options, service, store, sessionKey: sessionKey.key, logger });
  } finally {
    await store.close();
    logger.info('stopped');
  }
}

function refuse(problem: string): Ending {
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
}: Serving): Promise<Ending> {
  const { host, port, namespaces, allowedHosts, allowedOrigins } = options;
  const stopped = stopSignal();
  let listening: ListeningService;
  try {
    listening = await listeningService({
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
  // A parent that started this process with a message channel need not read the log for the address.
  process.send?.({ listening: listening.url });
  logger.info({ signal: await stopped }, 'draining');
  await listening.drain(DRAIN_MS);
  return 'fine';
}
