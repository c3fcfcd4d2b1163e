import cluster from 'node:cluster';
import process from 'node:process';
import { connectDownstreamHub, type Downstream } from '@gateway/downstream';
import { createLiveConfiguration, PORT_OPTION, readConfiguration } from '@gateway/gateway-config';
import {
  configDocument,
  connectServices,
  connectState,
  createPushedStore,
  downstreamOptions,
  joinReplicas,
  listenGateway,
  serveIdTokens,
  type ListeningGateway,
  WorkerMetrics,
  workerPeers,
  WorkerWorkflows,
  type WorkerChannel,
  type WorkerTopic,
} from '@gateway/gateway-runtime';
import { createChannel, openLink, portToParent } from '@gateway/process-link';
import { startFailureText } from '@gateway/service-host';
import type { Logger } from 'pino';
import {
  PRIMARY_LIFECYCLE,
  WORKER_VARIABLE,
  type PrimaryLifecycle,
  type StartResult,
  type WorkerLifecycle,
  type WorkerStart,
} from './lifecycle-contract.ts';

/** Returns whether this process was started as a worker. */
export function isWorker(): boolean {
  return cluster.isWorker && process.env[WORKER_VARIABLE] !== undefined;
}

/** Serves as one of several workers, until the primary process drains it or ends. */
export function serveAsWorker(logger: Logger): void {
  // The primary process receives the same signals and drains the workers. A worker that ended by itself would cut running requests.
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => undefined);
  process.on('uncaughtExceptionMonitor', (error) => {
    logger.fatal({ err: error }, 'worker failed');
  });
  const channel = createChannel<WorkerTopic>(portToParent());
  const port = channel.port('lifecycle');
  const implementation = new Worker(channel, logger);
  const primary = openLink<PrimaryLifecycle>(port, { members: PRIMARY_LIFECYCLE, implementation });
  port.onClose(() => process.exit(0));
  primary.ready();
}

/** Serves requests under the control of the primary process. */
class Worker implements WorkerLifecycle {
  readonly #channel: WorkerChannel;
  readonly #logger: Logger;
  #store: ReturnType<typeof createPushedStore> | undefined;
  #gateway: Promise<ListeningGateway> | undefined;

  constructor(channel: WorkerChannel, logger: Logger) {
    this.#channel = channel;
    this.#logger = logger;
  }

  async start(options: WorkerStart): Promise<StartResult> {
    try {
      this.#gateway = this.#listen(options);
      const { url } = await this.#gateway;
      return { url };
    } catch (error) {
      const reason = startFailureText(error, { ...options.address, portOption: PORT_OPTION });
      return error instanceof Error && 'code' in error
        ? { reason, code: String(error.code) }
        : { reason };
    }
  }

  configure(config: WorkerStart['config']): void {
    this.#store?.push(config);
  }

  drain(): void {
    void this.#drain();
  }

  async #listen(start: WorkerStart): Promise<ListeningGateway> {
    const { config, address, directory, coreToolWrites, expose, number, peer } = start;
    const logger = this.#logger.child({ worker: number });
    const port = (topic: WorkerTopic) => this.#channel.port(topic);
    const configuration = readConfiguration(configDocument(config));
    if (!configuration.ok) throw new Error('the worker refused the accepted configuration');
    const { apiGroup } = configuration.config;
    const workflows = new WorkerWorkflows(port('workflows'), { apiGroup, logger });
    const { servers, ...services } = connectServices(port('services'));
    const store = createPushedStore(config, { workflows: workflows.writer, servers });
    this.#store = store;
    const downstream = connectDownstreamHub(
      port('hub'),
      downstreamOptions(configuration.config, logger),
    );
    await Promise.all([firstState(downstream), workflows.follow(store.pushWorkflows)]);
    const metrics = new WorkerMetrics(port('metrics'));
    const gateway = await listenGateway({
      ...configuration,
      store,
      services: {
        isLocal: false,
        live: createLiveConfiguration(configuration, logger),
        ...services,
        downstream,
        ...{ executions: workflows.executions, warnings: workflows.warnings },
        close: () => downstream.close(),
      },
      ...{ address, directory, coreToolWrites, expose, logger },
      ...sessionKeysOf(start),
      ...this.#shared(configuration.config, peer),
      scrape: () => metrics.scrape(),
      offerIdTokens: (source) => {
        serveIdTokens(source, port('id-tokens'));
      },
    });
    metrics.collectWith(gateway.metrics.collect);
    return gateway;
  }

  /** Workers of several machines have one way to each other, those of one machine included. */
  #shared({ state }: WorkerStart['config'], peer: string) {
    const stateStore = connectState(this.#channel.port('state'));
    return {
      stateStore,
      ...(state.store === 'memory'
        ? { peers: workerPeers(peer, this.#channel.port('peers')) }
        : joinReplicas(stateStore)),
    };
  }

  async #drain(): Promise<void> {
    const gateway = await this.#gateway?.catch(() => undefined);
    await gateway?.drain();
    await gateway?.close();
    process.exit(0);
  }
}

const sessionKeysOf = ({ sessionKey, previousSessionKey }: WorkerStart) => ({
  sessionKey: Buffer.from(sessionKey, 'base64'),
  ...(previousSessionKey && { previousSessionKey: Buffer.from(previousSessionKey, 'base64') }),
});

/** Resolves when the state of the servers is known. A worker that served earlier would show an empty catalog. */
function firstState(downstream: Downstream): Promise<void> {
  return new Promise((resolve) => {
    const stop = downstream.onChange(() => {
      stop();
      resolve();
    });
  });
}
