import cluster from 'node:cluster';
import process from 'node:process';
import { connectDownstreamHub, type Downstream } from '@gateway/downstream';
import type { Logger } from 'pino';
import { readConfiguration, createLiveConfiguration } from '@gateway/gateway-config';
import {
  downstreamOptions,
  listeningGateway,
  type ListeningGateway,
  Channel,
  type Topic,
  type TopicPort,
  endToPrimary,
  configDocument,
  createPushedStore,
  RemoteServices,
  WorkerMetrics,
  workerPeers,
  WorkerWorkflows,
} from '@gateway/gateway-runtime';
import { DRAIN_TIMEOUT_MS } from '@gateway/service-host';
import type { FromWorker, ToWorker } from './worker-message.ts';

type Start = Extract<ToWorker, { kind: 'start' }>;

/** Tells a worker of ours from a process of somebody else's cluster. */
export const WORKER_VARIABLE = 'GATEWAY_WORKER';

/** Whether this process was started as a worker. */
export function isWorker(): boolean {
  return cluster.isWorker && process.env[WORKER_VARIABLE] !== undefined;
}

/** Serves as one of several workers, until the primary says otherwise or is gone. */
export function serveAsWorker(logger: Logger): void {
  // The primary gets the same signals and leads; a worker that ended by itself would cut what runs.
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => undefined);
  process.on('uncaughtExceptionMonitor', (error) => {
    logger.fatal({ err: error }, 'worker failed');
  });
  const channel = new Channel(endToPrimary());
  const life = channel.port('life');
  const worker = new Worker(channel, logger);
  life.onMessage((message) => {
    worker.take(message as ToWorker);
  });
  life.onClose(() => process.exit(0));
  tell(life, { kind: 'hello' });
}

function tell(life: TopicPort, message: FromWorker): void {
  life.send(message);
}

/** What one worker does at the word of its primary. */
class Worker {
  readonly #channel: Channel;
  readonly #logger: Logger;
  #store: ReturnType<typeof createPushedStore> | undefined;
  #gateway: Promise<ListeningGateway | undefined> | undefined;

  constructor(channel: Channel, logger: Logger) {
    this.#channel = channel;
    this.#logger = logger;
  }

  take(message: ToWorker): void {
    switch (message.kind) {
      case 'start':
        this.#gateway = this.#start(message);
        break;
      case 'configuration':
        this.#store?.push(message.config);
        break;
      case 'drain':
        void this.#drain();
    }
  }

  async #start(start: Start): Promise<ListeningGateway | undefined> {
    const life = this.#channel.port('life');
    try {
      const gateway = await this.#listen(start);
      tell(life, { kind: 'listening', url: gateway.url });
      return gateway;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      const code = error instanceof Error && 'code' in error ? String(error.code) : undefined;
      tell(life, { kind: 'failed', reason, code });
      return undefined;
    }
  }

  async #listen(start: Start): Promise<ListeningGateway> {
    const { config, address, expose, number, peer, sessionKey } = start;
    const logger = this.#logger.child({ worker: number });
    const port = (topic: Topic) => this.#channel.port(topic);
    const configuration = readConfiguration(configDocument(config));
    if (!configuration.ok) throw new Error('the configuration is not the one that was accepted');
    const { apiGroup } = configuration.config;
    const workflows = new WorkerWorkflows(port('workflows'), { apiGroup, logger });
    const { servers, ...told } = new RemoteServices(port('services'));
    const store = createPushedStore(config, { workflows: workflows.writer, servers });
    this.#store = store;
    const downstream = connectDownstreamHub(
      port('hub'),
      downstreamOptions(configuration.config, logger),
    );
    await Promise.all([firstState(downstream), workflows.follow(store.pushWorkflows)]);
    const metrics = new WorkerMetrics(port('metrics'));
    const gateway = await listeningGateway({
      ...configuration,
      store,
      services: {
        isLocal: false,
        live: createLiveConfiguration(configuration, logger),
        ...told,
        downstream,
        ...{ executions: workflows.executions, warnings: workflows.warnings },
        close: () => downstream.close(),
      },
      address,
      expose,
      logger,
      sessionKey: Buffer.from(sessionKey, 'base64'),
      peers: workerPeers(peer, port('peers')),
      scrape: () => metrics.scrape(),
    });
    metrics.collectWith(gateway.metrics.collect);
    return gateway;
  }

  async #drain(): Promise<void> {
    const gateway = await this.#gateway;
    await gateway?.drain(DRAIN_TIMEOUT_MS);
    await gateway?.close();
    process.exit(0);
  }
}

/** A worker that served before it knows the servers would show an empty catalog. */
function firstState(downstream: Downstream): Promise<void> {
  return new Promise((resolve) => {
    const stop = downstream.onChange(() => {
      stop();
      resolve();
    });
  });
}
