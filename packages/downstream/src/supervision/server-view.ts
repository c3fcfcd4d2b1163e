import type { McpServer, McpServerState } from '@gateway/crd-schemas';
import type { ClientInfo } from '../connection/client-session.ts';
import type { ServerFeatures } from '../lists/server-features.ts';
import { stateWord } from './state-word.ts';
import type { Supervisor } from './supervisor.ts';

/** One server as it is now. Times are milliseconds since the epoch. @spec §2.6 status.state */
export interface ServerView {
  readonly name: string;
  readonly definition: McpServer;
  readonly state: McpServerState;
  /** Why the state is `Failed` or `Auth Required`: one line without secrets. */
  readonly reason?: string;
  readonly toolsCount: number;
  readonly connectedAt?: number;
  /** Automatic restarts in a row; a stable connection starts again from 0. */
  readonly restartCount: number;
  readonly nextRetryAt?: number;
  readonly serverInfo?: ClientInfo;
  readonly protocolVersion?: string;
  /** What a connected server has beside its lists. */
  readonly features?: ServerFeatures;
}

/** What the supervisor knows, for people. */
export const viewOf = (supervisor: Supervisor, now: number, stableAfterMs: number): ServerView => {
  const { definition, state, connection } = supervisor;
  const { phase, failures } = state;
  const stable = phase.kind === 'live' && now - phase.since >= stableAfterMs;
  return {
    name: definition.metadata.name,
    definition,
    state: stateWord(definition.spec.type, phase.kind),
    ...('reason' in phase ? { reason: phase.reason } : {}),
    toolsCount: supervisor.tools.length,
    ...(phase.kind === 'live' ? { connectedAt: phase.since } : {}),
    restartCount: stable ? 0 : failures,
    ...(phase.kind === 'waiting' ? { nextRetryAt: phase.retryAt } : {}),
    ...(connection?.serverInfo === undefined ? {} : { serverInfo: connection.serverInfo }),
    ...(connection === undefined
      ? {}
      : { protocolVersion: connection.protocolVersion, features: connection.features }),
  };
};
