import type { McpServer, McpServerState, McpServerStatus } from '@gateway/crd-schemas';
import type { ClientInfo } from '../connection/client-session.ts';
import type { ServerFeatures } from '../lists/server-features.ts';
import type { Phase } from './server-machine.ts';
import type { ToolChange } from '../trust/tool-change.ts';
import { stateWord } from './state-word.ts';
import type { Supervisor } from './supervisor.ts';

/**
 * How a server answers the gateway's looks. `checking`: it is being connected. `degraded`: the last looks went wrong, or the first one
 * after an unhealthy time went well. `unknown`: nothing is known, since it does not run.
 */
export type ServerHealth = 'unknown' | 'checking' | 'healthy' | 'degraded' | 'unhealthy';

/** One server as it is now. Times are milliseconds since the epoch. @spec §2.6 status.state */
export interface ServerView {
  readonly name: string;
  readonly definition: McpServer;
  readonly state: McpServerState;
  readonly health: ServerHealth;
  /** What the resource's `status` shows. The same object while nothing of it changed. */
  readonly status: McpServerStatus;
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
  /** The tools of which it does not say any more what was accepted, newest last, at most 100; absent without any. */
  readonly toolChanges?: readonly ToolChange[];
}

const HEALTH: Readonly<Record<Phase['kind'], ServerHealth>> = {
  stopped: 'unknown',
  starting: 'checking',
  live: 'healthy',
  waiting: 'unhealthy',
  'auth-required': 'unknown',
  stopping: 'unknown',
  restarting: 'checking',
};

/** What the supervisor knows, for people. */
export const viewOf = (supervisor: Supervisor, now: number, stableAfterMs: number): ServerView => {
  const { definition, state, connection } = supervisor;
  const { phase, failures } = state;
  const stable = phase.kind === 'live' && now - phase.since >= stableAfterMs;
  return {
    name: definition.metadata.name,
    definition,
    state: stateWord(definition.spec.type, phase.kind),
    health: HEALTH[phase.kind],
    status: {
      state: stateWord(definition.spec.type, phase.kind),
      restartCount: failures,
      consecutiveFailures: failures,
      conditions: [],
    },
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
