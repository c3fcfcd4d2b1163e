import cluster from 'node:cluster';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import process from 'node:process';
import { type CommandResult, waitForStopSignal } from '@gateway/service-host';
import {
  composeCore,
  followDesired,
  followReadiness,
  createLocalServices,
  listenHealth,
  type ListeningGatewayOptions,
  PeerRelay,
  SharedMetrics,
  type StateStore,
  WorkerIdTokens,
  WorkerPool,
} from '@gateway/gateway-runtime';
import type { PortalParts, RunningPortal } from '../start-portal.ts';
import { startWorker, WorkerFailure, type WorkerDependencies } from './start-worker.ts';

/** Milliseconds after which a worker that does not end in its time is killed. */
const KILL_AFTER_MS = 500;
const PORT_TRIES = 5;

/** Options of a gateway with a store that all workers share. */
export type ServedParts = ListeningGatewayOptions & { readonly stateStore: StateStore };

/** Serves with several workers until SIGTERM or SIGINT: this process owns the servers and reads the configuration. */
export async function serveWithWorkers(
  { startPortal, ...parts }: ServedParts & PortalParts,
  workers: number,
): Promise<CommandResult> {
  const { logger } = parts;
  const stopped = waitForStopSignal();
  const primary = startPrimary(parts);
  let portal: RunningPortal | undefined;
  try {
    const health = await primary.listenHealth();
    const { url, pool } = await listenWith(primary.dependencies, workers);
    primary.dependencies.services.signIn.listening(url);
    primary.readiness.serve();
    portal = await startPortal?.(url);
    logger.info({ url, health, workers }, 'listening');
    process.send?.({ listening: url });
    logger.info({ signal: await stopped }, 'draining');
    primary.readiness.drain();
    const { drainDelaySeconds, drainSeconds } = parts.config.http;
    const drainMs = (drainDelaySeconds + drainSeconds) * 1000 + KILL_AFTER_MS;
    await Promise.all([portal?.stop(), pool.drain(drainMs)]);
    return 'succeeded';
  } catch (error) {
    logger.fatal(error instanceof Error ? error.message : String(error));
    return 'failed';
  } finally {
    await Promise.all([portal?.stop(), primary.close()]);
    logger.info('stopped');
  }
}

interface Primary {
  readonly dependencies: WorkerDependencies;
  readonly readiness: ReturnType<typeof followReadiness>;
  /** Listens for probes and metrics in this process. Resolves with the URL. */
  readonly listenHealth: () => Promise<string | undefined>;
  readonly close: () => Promise<void>;
}

function startPrimary(parts: ServedParts): Primary {
  const { store, stateStore, logger, address, directory = '.', coreToolWrites, expose } = parts;
  const { sessionKey = randomBytes(32), previousSessionKey } = parts;
  const metrics = new SharedMetrics({
    servers: () => services.downstream.servers(),
    personalConnections: () => services.downstream.personalConnections(),
    workflows: () => core.workflows.views(),
  });
  const services = createLocalServices({ ...parts, metrics: metrics.owner });
  // This process publishes the events of the catalog and does not search it.
  const core = composeCore({ ...parts, services, isSearched: false });
  const idTokens = new WorkerIdTokens();
  services.signIn.useIdTokens(idTokens);
  const unfollow = followDesired({ ...parts, services }, core);
  const readiness = followReadiness(services.downstream, store.read);
  let health: Awaited<ReturnType<typeof listenHealth>>;
  return {
    readiness,
    listenHealth: async () => {
      const scrape = () => metrics.scrape();
      health = await listenHealth({ ...parts, address: parts.health, readiness, scrape });
      return health?.url;
    },
    dependencies: {
      services,
      ...{ store, stateStore },
      settled: readiness.started,
      ...{ address, directory, coreToolWrites, expose, logger },
      ...{ relay: new PeerRelay(), metrics, idTokens },
      sessionKey: Buffer.from(sessionKey).toString('base64'),
      ...(previousSessionKey && {
        previousSessionKey: Buffer.from(previousSessionKey).toString('base64'),
      }),
    },
    close: async () => {
      unfollow();
      await Promise.all([health?.close(), services.close()]);
      await store.close();
    },
  };
}

/** Starts the workers. They share one port: a free port is found before they start, and again when another program takes it first. */
async function listenWith(
  dependencies: WorkerDependencies,
  workers: number,
  tries = PORT_TRIES,
): Promise<{ readonly url: string; readonly pool: WorkerPool }> {
  // This serialization is the fastest for results, which are long texts. The other settings stay as they are.
  cluster.setupPrimary({ serialization: 'advanced' });
  const { address, logger, metrics } = dependencies;
  const shared = { ...address, port: address.port || (await freePort(address.host)) };
  const pool = new WorkerPool({
    size: workers,
    start: (number) => startWorker(number, { ...dependencies, address: shared }),
    logger,
    onReplaced: () => {
      metrics.replaced();
    },
  });
  try {
    return { url: await pool.listening, pool };
  } catch (error) {
    await pool.close();
    const isTaken = error instanceof WorkerFailure && error.code === 'EADDRINUSE';
    if (!isTaken || address.port !== 0 || tries <= 1) throw error;
    return listenWith(dependencies, workers, tries - 1);
  }
}

async function freePort(host: string): Promise<number> {
  const server = createServer().listen(0, host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
