import type { JsonObject } from '@gateway/catalog';
import type { McpServer, McpServerState } from '@gateway/crd-schemas';

/** One server as it is defined and as it is found. Times are milliseconds since the epoch. */
export interface ServerView {
  readonly name: string;
  readonly definition: McpServer;
  readonly state: McpServerState;
  /** Why the server is in this state, as one line without secrets. */
  readonly reason?: string;
  readonly toolsCount: number;
  readonly connectedAt?: number;
  readonly restartCount: number;
  readonly nextRetryAt?: number;
  readonly serverInfo?: { readonly name: string; readonly version: string };
  readonly protocolVersion?: string;
}

/** What became of an order to start, stop or restart a server. */
export type ServiceOutcome =
  | { readonly kind: 'done' }
  /** Nothing had to be done. */
  | { readonly kind: 'already' }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'failed'; readonly text?: string };

/** What accompanies a call of a core tool. */
export interface CoreCallOptions {
  readonly session?: string | undefined;
  readonly signal?: AbortSignal;
}

/** Everything the core tools need of the world. */
export interface CoreToolPorts {
  /** Every defined server, started or not, in any order. */
  servers(): readonly ServerView[];
  start(name: string, options: CoreCallOptions): Promise<ServiceOutcome>;
  stop(name: string, options: CoreCallOptions): Promise<ServiceOutcome>;
  restart(name: string, options: CoreCallOptions): Promise<ServiceOutcome>;
  /** The configuration in force. It may hold secrets: the tools take them out. */
  config(): JsonObject;
  /** Where definitions come from. */
  readonly mode: 'filesystem' | 'kubernetes';
}

/** Sorts by name, by code units: the same everywhere. */
export const byName = (
  left: { readonly name: string },
  right: { readonly name: string },
): number => {
  if (left.name === right.name) return 0;
  return left.name < right.name ? -1 : 1;
};
