import type { McpServer, McpServerState, McpServerStatus } from '@gateway/crd-schemas';
import type { ClientInfo } from '../connection/client-session.ts';
import type { ServerFeatures } from '../lists/server-features.ts';
import type { PhaseKind } from './phase.ts';
import { stateWord } from './state-word.ts';
import type { ToolChange } from '../trust/tool-change.ts';
import type { Supervisor } from './supervisor.ts';

/**
 * How a server answers the gateway's looks. `checking`: it is being connected. `degraded`: the last looks went wrong, but too few
 * in a row to call it unhealthy. `unknown`: nothing is known, since it does not run.
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
  /** Which connection it is: no two of one process have the same number. Present when the server is connected. */
  readonly life?: number;
  /** Failures in a row, each followed by an automatic restart; a stable connection starts again from 0. */
  readonly restartCount: number;
  readonly nextRetryAt?: number;
  readonly serverInfo?: ClientInfo;
  readonly protocolVersion?: string;
  /** What a connected server has beside its lists. */
  readonly features?: ServerFeatures;
  /** The tools of which it does not say any more what was accepted, newest last, at most 100; absent without any. */
  readonly toolChanges?: readonly ToolChange[];
}

const HEALTH: Readonly<Record<Exclude<PhaseKind, 'live'>, ServerHealth>> = {
  stopped: 'unknown',
  starting: 'checking',
  waiting: 'unhealthy',
  'auth-required': 'unknown',
  stopping: 'unknown',
  restarting: 'checking',
};

const connectedOf = ({ connection, life }: Supervisor) =>
  connection === undefined
    ? {}
    : {
        ...(life === undefined ? {} : { life }),
        ...(connection.serverInfo === undefined ? {} : { serverInfo: connection.serverInfo }),
        protocolVersion: connection.protocolVersion,
        features: connection.features,
      };

/** What the supervisor knows, for people. */
export const viewOf = (supervisor: Supervisor): ServerView => {
  const { definition, state, record, tools, health, toolChanges } = supervisor;
  const { phase, failures } = state;
  const { lastConnectedAt, nextRetryAt } = record;
  return {
    name: definition.metadata.name,
    definition,
    state: stateWord(definition.spec.type, phase.kind),
    health: phase.kind === 'live' ? health.level : HEALTH[phase.kind],
    status: supervisor.status(),
    ...('reason' in phase ? { reason: phase.reason } : {}),
    toolsCount: tools.length,
    ...(phase.kind === 'live' && lastConnectedAt !== undefined
      ? { connectedAt: lastConnectedAt }
      : {}),
    restartCount: failures,
    ...(nextRetryAt === undefined ? {} : { nextRetryAt }),
    ...connectedOf(supervisor),
    ...(toolChanges.length === 0 ? {} : { toolChanges }),
  };
};
