import type { Address, CoreToolWrites, Expose, GatewayConfig } from '@gateway/gateway-config';
import type { Members } from '@gateway/process-link';

/** Environment variable that distinguishes a worker of the gateway from a worker of another program. */
export const WORKER_VARIABLE = 'GATEWAY_WORKER';

/** Options of a worker that starts to serve. */
export interface WorkerStart {
  readonly config: GatewayConfig;
  readonly address: Address;
  /** The configuration directory, to which relative paths refer. */
  readonly directory: string;
  readonly coreToolWrites: CoreToolWrites;
  readonly expose: Expose;
  readonly number: number;
  /** Name of the worker among its peers. */
  readonly peer: string;
  /** Base64 of the key that signs session ids. All workers have the same key. */
  readonly sessionKey: string;
  /** The same of an earlier key, while replicas get a new one. */
  readonly previousSessionKey?: string;
}

/** The result of a start: the URL that the worker serves, or the reason and the system's code of the failure. */
export type StartResult =
  { readonly url: string } | { readonly reason: string; readonly code?: string };

/** The lifecycle of a worker, as the primary process controls it. */
export interface WorkerLifecycle {
  start(options: WorkerStart): Promise<StartResult>;
  /** Applies a changed configuration. */
  configure(config: GatewayConfig): void;
  /** Waits for running requests, then ends the worker. */
  drain(): void;
}

/** The members of {@link WorkerLifecycle} that are not requests. */
export const WORKER_LIFECYCLE: Members<WorkerLifecycle> = {
  configure: { kind: 'notification' },
  drain: { kind: 'notification' },
};

/** The part of the primary process in the lifecycle of a worker. */
export interface PrimaryLifecycle {
  /** Reports that the worker receives messages. */
  ready(): void;
}

/** The members of {@link PrimaryLifecycle}. */
export const PRIMARY_LIFECYCLE: Members<PrimaryLifecycle> = { ready: { kind: 'notification' } };
