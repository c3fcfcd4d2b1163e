import cluster, { type Worker } from 'node:cluster';
import { randomBytes } from 'node:crypto';
import { serveDownstreamHub } from '@gateway/downstream';
import type { FileStore } from '@gateway/resource-store';
import type { Logger } from 'pino';
import type { GatewayConfig, Expose, Address } from '@gateway/gateway-config';
import {
  type GatewayServices,
  Channel,
  type TopicPort,
  type PeerRelay,
  endTo,
  serveServices,
  serveWorkflows,
  type SharedMetrics,
  type PoolWorker,
  type WorkerEnd,
} from '@gateway/gateway-runtime';
import { WORKER_VARIABLE } from './serve-as-worker.ts';
import type { FromWorker, ToWorker } from './worker-message.ts';

/** What the workers of one gateway share. */
export interface WorkerDependencies {
  readonly services: GatewayServices;
  /** Every server that starts by itself was tried. */
  readonly settled: Promise<void>;
  readonly store: FileStore;
  readonly address: Address;
  readonly expose: Expose;
  readonly relay: PeerRelay;
  readonly metrics: SharedMetrics;
  /** Base64 of the key that signs session ids. It goes over the channel only: arguments can be read by others. */
  readonly sessionKey: string;
  readonly logger: Logger;
}

/** A worker that says that it cannot serve. */
export class WorkerFailure extends Error {
  /** The system's code of the cause. */
  readonly code: string | undefined;

  constructor(message: string, code: string | undefined) {
    super(message);
    this.name = 'WorkerFailure';
    this.code = code;
  }
}

/** Starts a worker process and gives it what it needs of this one. */
export function startWorker(number: number, world: WorkerDependencies): PoolWorker {
  const worker = cluster.fork({ [WORKER_VARIABLE]: number.toString() });
  // Failures of the channel show as the end of the worker.
  worker.on('error', () => undefined);
  const channel = new Channel(endTo(worker));
  const life = channel.port('life');
  const peer = randomBytes(9).toString('base64url');
  const tell = (message: ToWorker): void => {
    life.send(message);
  };
  const kill = (): void => {
    worker.process.kill('SIGKILL');
  };
  serve(world, channel, peer);
  const { live } = world.services;
  const config = (): GatewayConfig => live.config();
  const unfollow = live.onPresets(() => {
    tell({ kind: 'configuration', config: config() });
  });
  life.onClose(unfollow);
  const { address, expose, sessionKey } = world;
  const listening = listeningOf(life, {
    onHello: () => {
      tell({ kind: 'start', config: config(), address, expose, number, peer, sessionKey });
    },
    onFailed: kill,
  });
  const drain = (): void => {
    tell({ kind: 'drain' });
  };
  return { pid: worker.process.pid, listening, ended: endOf(worker), drain, kill };
}

/** Every conversation but the one about the worker's life. */
function serve(world: WorkerDependencies, channel: Channel, peer: string): void {
  const { services, store, settled, relay, metrics } = world;
  const { downstream, executions, warnings, live } = services;
  const { apiGroup } = live.config();
  serveDownstreamHub(downstream, channel.port('hub'), { settled });
  relay.add(peer, channel.port('peers'));
  metrics.add(channel.port('metrics'));
  serveWorkflows({ store, executions, warnings, apiGroup }, channel.port('workflows'));
  serveServices({ ...services, servers: store.servers }, channel.port('services'));
}

function endOf(worker: Worker): Promise<WorkerEnd> {
  return new Promise((resolve) => {
    worker.once('exit', (code, signal) => {
      // Without a signal the value is null, whatever its type says.
      resolve({ code, signal: signal || null });
    });
  });
}

function listeningOf(
  life: TopicPort,
  { onHello, onFailed }: { readonly onHello: () => void; readonly onFailed: () => void },
): Promise<string> {
  return new Promise((resolve, reject) => {
    life.onMessage((message) => {
      const known = message as FromWorker;
      switch (known.kind) {
        case 'hello':
          onHello();
          break;
        case 'listening':
          resolve(known.url);
          break;
        case 'failed':
          reject(new WorkerFailure(known.reason, known.code));
          onFailed();
      }
    });
    life.onClose(() => {
      reject(new WorkerFailure('a worker ended before it could serve', undefined));
    });
  });
}
