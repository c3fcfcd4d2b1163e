import cluster from 'node:cluster';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import process from 'node:process';
import { DRAIN_TIMEOUT_MS, type CommandResult, waitForStopSignal } from '@gateway/service-host';
import {
  composeCore,
  followDesired,
  createLocalServices,
  type ListeningGatewayParts,
  PeerRelay,
  SharedMetrics,
  WorkerPool,
} from '@gateway/gateway-runtime';
import { startWorker, WorkerFailure, type WorkerDependencies } from './start-worker.ts';

/** What is left of the drain's bound for workers that do not come to an end. */
const KILL_AFTER_MS = DRAIN_TIMEOUT_MS + 500;
const PORT_TRIES = 5;

/** Serves with several workers until SIGTERM or SIGINT: this process owns the servers and reads the configuration. */
export async function serveWithWorkers(
  parts: ListeningGatewayParts,
  workers: number,
): Promise<CommandResult> {
  const { logger } = parts;
  const stopped = waitForStopSignal();
  const primary = startPrimary(parts);
  try {
    const { url, pool } = await listenWith(primary.world, workers);
    logger.info({ url, workers }, 'listening');
    process.send?.({ listening: url });
    logger.info({ signal: await stopped }, 'draining');
    await pool.drain(KILL_AFTER_MS);
    return 'succeeded';
  } catch (error) {
    logger.fatal(error instanceof Error ? error.message : String(error));
    return 'failed';
  } finally {
    await primary.close();
    logger.info('stopped');
  }
}

interface Primary {
  readonly world: WorkerDependencies;
  readonly close: () => Promise<void>;
}

function startPrimary(parts: ListeningGatewayParts): Primary {
  const { store, logger, address, expose, sessionKey = randomBytes(32) } = parts;
  const metrics = new SharedMetrics();
  const services = createLocalServices({ ...parts, metrics: metrics.owner });
  // Nobody searches this catalog: it is here so that one process tells what happens to it.
  const core = composeCore({ ...parts, services, isSearched: false });
  const unfollow = followDesired({ ...parts, services }, core);
  return {
    world: {
      services,
      store,
      settled: services.downstream.settled(),
      address,
      expose,
      relay: new PeerRelay(),
      metrics,
      sessionKey: Buffer.from(sessionKey).toString('base64'),
      logger,
    },
    close: async () => {
      unfollow();
      await Promise.all([store.close(), services.close()]);
    },
  };
}

/** All workers share one port, so a free one is found before they start; it may be taken meanwhile. */
async function listenWith(
  world: WorkerDependencies,
  workers: number,
  tries = PORT_TRIES,
): Promise<{ readonly url: string; readonly pool: WorkerPool }> {
  // Results are long texts, which this way of copying handles best. Everything else is as in this process.
  cluster.setupPrimary({ serialization: 'advanced' });
  const { address, logger, metrics } = world;
  const shared = { ...address, port: address.port || (await freePort(address.host)) };
  const pool = new WorkerPool({
    size: workers,
    start: (number) => startWorker(number, { ...world, address: shared }),
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
    return listenWith(world, workers, tries - 1);
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
