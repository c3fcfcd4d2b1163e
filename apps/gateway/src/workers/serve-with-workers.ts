import cluster from 'node:cluster';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import process from 'node:process';
import { createDownstream } from '@gateway/downstream';
import type { McpServer } from '@gateway/crd-schemas';
import { downstreamOptions } from '../compose.ts';
import { DRAIN_MS, type Ending } from '../ending.ts';
import { followStore } from '../follow-store.ts';
import { createLiveConfiguration } from '../live-configuration.ts';
import type { ListeningGatewayParts } from '../listening-gateway.ts';
import { stopSignal } from '../stop-signal.ts';
import { keepExecutions } from '../workflows/execution-keeper.ts';
import { logWorkflowWarnings } from '../workflows/workflow-warnings.ts';
import { startWorker, WorkerFailure, type WorkerWorld } from './start-worker.ts';
import { PeerRelay } from './peer-relay.ts';
import { SharedMetrics } from './shared-metrics.ts';
import { WorkerPool } from './worker-pool.ts';

/** What is left of the drain's bound for workers that do not come to an end. */
const KILL_AFTER_MS = DRAIN_MS + 500;
const PORT_TRIES = 5;

/** Serves with several workers until SIGTERM or SIGINT: this process owns the servers and reads the configuration. */
export async function serveWithWorkers(
  parts: ListeningGatewayParts,
  workers: number,
): Promise<Ending> {
  const { logger } = parts;
  const stopped = stopSignal();
  const primary = startPrimary(parts);
  try {
    const { url, pool } = await listenWith(primary.world, workers);
    logger.info({ url, workers }, 'listening');
    process.send?.({ listening: url });
    logger.info({ signal: await stopped }, 'draining');
    await pool.drain(KILL_AFTER_MS);
    return 'fine';
  } catch (error) {
    logger.fatal(error instanceof Error ? error.message : String(error));
    return 'failed';
  } finally {
    await primary.close();
    logger.info('stopped');
  }
}

interface Primary {
  readonly world: WorkerWorld;
  readonly close: () => Promise<void>;
}

function startPrimary(parts: ListeningGatewayParts): Primary {
  const { store, logger, address, expose, sessionKey = randomBytes(32) } = parts;
  const downstream = createDownstream(downstreamOptions(parts.config, logger));
  const live = createLiveConfiguration(parts, logger);
  const apply = (servers: readonly McpServer[]): void => {
    downstream.apply(servers);
  };
  const warnings = logWorkflowWarnings(logger);
  const applyWorkflows = warnings.follow;
  const unfollow = followStore(store, { live, logger, apply, applyWorkflows });
  const executions = keepExecutions(parts, logger);
  return {
    world: {
      downstream,
      store,
      executions,
      warnings,
      settled: downstream.settled(),
      config: live.config,
      onConfiguration: live.onPresets,
      address,
      expose,
      relay: new PeerRelay(),
      metrics: new SharedMetrics(),
      sessionKey: Buffer.from(sessionKey).toString('base64'),
      logger,
    },
    close: async () => {
      unfollow();
      await Promise.all([store.close(), downstream.close(), executions.close()]);
    },
  };
}

/** All workers share one port, so a free one is found before they start; it may be taken meanwhile. */
async function listenWith(
  world: WorkerWorld,
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
