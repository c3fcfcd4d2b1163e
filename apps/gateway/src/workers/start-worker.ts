import cluster, { type Worker } from 'node:cluster';
import { randomBytes } from 'node:crypto';
import { serveDownstreamHub } from '@gateway/downstream';
import type { Address, CoreToolWrites, Expose } from '@gateway/gateway-config';
import {
  type GatewayServices,
  type PeerRelay,
  type PoolWorker,
  serveServices,
  serveState,
  serveWorkflows,
  type SharedMetrics,
  type StateStore,
  type WorkerChannel,
  type WorkerEnd,
  type WorkerIdTokens,
  type WorkerTopic,
} from '@gateway/gateway-runtime';
import { createChannel, openLink, portToChild } from '@gateway/process-link';
import type { GatewayStore } from '@gateway/resource-store';
import type { Logger } from 'pino';
import {
  type PrimaryLifecycle,
  type StartResult,
  WORKER_LIFECYCLE,
  type WorkerLifecycle,
  WORKER_VARIABLE,
} from './lifecycle-contract.ts';

/** The parts that the workers of one gateway share. */
export interface WorkerDependencies {
  readonly services: GatewayServices;
  /** Resolves when every definition was read and every server that starts automatically was tried once. */
  readonly settled: Promise<void>;
  readonly store: GatewayStore;
  readonly stateStore: StateStore;
  readonly address: Address;
  /** The configuration directory. */
  readonly directory: string;
  readonly coreToolWrites: CoreToolWrites;
  readonly expose: Expose;
  readonly relay: PeerRelay;
  readonly metrics: SharedMetrics;
  readonly idTokens: WorkerIdTokens;
  /** Base64 of the key that signs session ids. It travels over the channel only, because other users can read arguments. */
  readonly sessionKey: string;
  readonly previousSessionKey?: string;
  readonly logger: Logger;
}

/** Failure of a worker to start. */
export class WorkerFailure extends Error {
  /** The system's code of the cause. */
  readonly code: string | undefined;

  constructor(message: string, code: string | undefined) {
    super(message);
    this.name = 'WorkerFailure';
    this.code = code;
  }
}

/** Starts a worker process and serves it the services of this process. */
export function startWorker(number: number, dependencies: WorkerDependencies): PoolWorker {
  const worker = cluster.fork({ [WORKER_VARIABLE]: number.toString() });
  // The exit of the worker reports failures of the channel.
  worker.on('error', () => undefined);
  const channel = createChannel<WorkerTopic>(portToChild(worker.process));
  const peer = randomBytes(9).toString('base64url');
  const kill = (): void => {
    worker.process.kill('SIGKILL');
  };
  serve(dependencies, channel, peer);
  const { lifecycle, ready } = openLifecycle(channel);
  const { address, directory, coreToolWrites, expose, sessionKey } = dependencies;
  const { previousSessionKey } = dependencies;
  const { live } = dependencies.services;
  const listening = ready
    .then(() =>
      lifecycle.start({
        ...{ config: live.config(), address, directory, coreToolWrites, expose },
        ...{ number, peer, sessionKey, ...(previousSessionKey && { previousSessionKey }) },
      }),
    )
    .then(urlOf, () => {
      throw new WorkerFailure('a worker ended before it served', undefined);
    });
  listening.catch(kill);
  const unfollow = live.onPresets(() => {
    lifecycle.configure(live.config());
  });
  channel.port('lifecycle').onClose(unfollow);
  const drain = (): void => {
    lifecycle.drain();
  };
  return { pid: worker.process.pid, listening, ended: endOf(worker), drain, kill };
}

/** Connects to the lifecycle of a worker. `ready` resolves when the worker receives messages, and rejects when it ends before. */
function openLifecycle(channel: WorkerChannel): {
  readonly lifecycle: WorkerLifecycle;
  readonly ready: Promise<void>;
} {
  const port = channel.port('lifecycle');
  let markReady = (): void => undefined;
  const ready = new Promise<void>((resolve, reject) => {
    markReady = resolve;
    port.onClose(() => {
      reject(new Error('the worker has ended'));
    });
  });
  const implementation: PrimaryLifecycle = {
    ready: () => {
      markReady();
    },
  };
  const lifecycle = openLink<WorkerLifecycle>(port, { members: WORKER_LIFECYCLE, implementation });
  return { lifecycle, ready };
}

function urlOf(result: StartResult): string {
  if ('url' in result) return result.url;
  throw new WorkerFailure(result.reason, result.code);
}

/** Serves everything except the lifecycle. */
function serve(dependencies: WorkerDependencies, channel: WorkerChannel, peer: string): void {
  const { services, store, stateStore, settled, relay, metrics, idTokens } = dependencies;
  const { downstream, executions, warnings, live } = services;
  const { apiGroup } = live.config();
  serveDownstreamHub(downstream, channel.port('hub'), { settled });
  serveState(stateStore, channel.port('state'));
  relay.add(peer, channel.port('peers'));
  metrics.add(channel.port('metrics'));
  if (live.config().auth.mode !== 'none') idTokens.add(channel.port('id-tokens'));
  serveWorkflows({ store, executions, warnings, apiGroup }, channel.port('workflows'));
  serveServices({ ...services, servers: store.servers }, channel.port('services'));
}

function endOf(worker: Worker): Promise<WorkerEnd> {
  return new Promise((resolve) => {
    worker.once('exit', (code, signal) => {
      // Without a signal the value is null, although its type excludes null.
      resolve({ code, signal: signal || null });
    });
  });
}
