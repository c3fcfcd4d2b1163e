import type { NameConflicts } from '@gateway/catalog';
import type { McpServer, McpServerState, McpServerStatus } from '@gateway/crd-schemas';
import type { ClientInfo } from '../connection/client-session.ts';
import type { Connection } from '../connection/connection.ts';
import type { HealthReport } from '../connection/health-check.ts';
import type { ServerFeatures } from '../requests/request-connection.ts';
import type { FailureCode } from '../connection/connection-failure.ts';
import type { Phase, PhaseKind } from './machine/phase.ts';
import type { MachineState } from './machine/server-machine.ts';
import type { ServerRecord } from './history/server-record.ts';
import { PHASES, statusState } from './machine/phase-table.ts';
import type { ServerHealth } from './machine/phase-table.ts';
import { problemLines } from '../lists/list-problems.ts';
import type { ListProblem } from '../lists/list-problems.ts';
import type { ServerLists } from '../lists/server-lists.ts';
import type { ToolChange } from '../lists/trust/server-ledger.ts';

/** The present view of one server. Times are milliseconds since the epoch. @spec §2.6 status.state */
export interface ServerView {
  readonly name: string;
  readonly definition: McpServer;
  readonly state: McpServerState;
  readonly health: ServerHealth;
  /** The `status` of the resource. The same object while it is unchanged. */
  readonly status: McpServerStatus;
  /** The reason of `Failed` or `Auth Required`: one line without secrets. */
  readonly reason?: string;
  /** The cause of `Failed` or `Auth Required`, for programs. */
  readonly failureCode?: FailureCode;
  /** The last line of output of a starting stdio server: one line without secrets. */
  readonly startProgress?: string;
  /** The first attempt of this process, or one after a failure, is in progress. Absent otherwise, also during a requested start. */
  readonly isTrying?: true;
  readonly toolsCount: number;
  /** The resources of a connected server, templates not counted. */
  readonly resourcesCount?: number;
  /** The prompts of a connected server. */
  readonly promptsCount?: number;
  /** The number of processes for single clients; absent for a server without `instances: perSession`. */
  readonly instances?: number;
  readonly connectedAt?: number;
  /** The number of the connection, unique within the process. Absent when the server is not connected. */
  readonly connectionId?: number;
  /** Consecutive failures, each followed by an automatic restart; a stable connection resets it. */
  readonly restartCount: number;
  readonly nextRetryAt?: number;
  readonly serverInfo?: ClientInfo;
  readonly protocolVersion?: string;
  /** The features of a connected server besides its lists. */
  readonly features?: ServerFeatures;
  /** The gaps in the lists of a connected server, one line each without secrets; absent when they are complete. */
  readonly listWarnings?: readonly string[];
  /** The tools and prompts that are not served because other servers hold their names; absent without any. */
  readonly nameConflicts?: NameConflicts;
  /** The tools whose declarations differ from the accepted ones, newest last, at most 100; absent without any. */
  readonly toolChanges?: readonly ToolChange[];
}

/** The facts from which a view is made. */
export interface ServerFacts {
  readonly definition: McpServer;
  readonly state: MachineState;
  readonly record: ServerRecord;
  /** The lists of a connected server; empty ones otherwise. */
  readonly lists: Pick<ServerLists, 'tools' | 'resources' | 'prompts'>;
  readonly listProblems: readonly ListProblem[];
  readonly toolChanges: readonly ToolChange[];
  readonly health: HealthReport;
  readonly connection: Connection | undefined;
  readonly connectionId: number | undefined;
  readonly startProgress: string | undefined;
  readonly isTrying: boolean;
  status(): McpServerStatus;
}

const connectedOf = ({ connection, connectionId, lists }: ServerFacts) =>
  connection === undefined
    ? {}
    : {
        resourcesCount: lists.resources.length,
        promptsCount: lists.prompts.length,
        ...(connectionId === undefined ? {} : { connectionId }),
        ...(connection.serverInfo === undefined ? {} : { serverInfo: connection.serverInfo }),
        protocolVersion: connection.protocolVersion,
        features: connection.features,
      };

/** A connected server has a reason while it is not healthy. */
const failureOf = (
  phase: Phase,
  { level, reason }: HealthReport,
): Pick<ServerView, 'reason' | 'failureCode'> => {
  if ('reason' in phase) return { reason: phase.reason, failureCode: phase.code };
  return phase.kind === 'live' && level !== 'healthy' && reason !== undefined ? { reason } : {};
};

const healthOf = (phase: PhaseKind, measured: ServerHealth): ServerHealth => {
  const { health } = PHASES[phase];
  return health === 'measured' ? measured : health;
};

/** Returns the view of a server. */
export const viewOf = (facts: ServerFacts): ServerView => {
  const { definition, state, record, lists, health, toolChanges, startProgress } = facts;
  const listWarnings = problemLines(facts.listProblems);
  const { phase, failures } = state;
  const { lastConnectedAt, nextRetryAt } = record;
  return {
    name: definition.metadata.name,
    definition,
    state: statusState(definition.spec.type, phase.kind),
    health: healthOf(phase.kind, health.level),
    status: facts.status(),
    ...failureOf(phase, health),
    ...(startProgress === undefined ? {} : { startProgress }),
    ...(facts.isTrying ? { isTrying: true } : {}),
    toolsCount: lists.tools.length,
    ...(phase.kind === 'live' && lastConnectedAt !== undefined
      ? { connectedAt: lastConnectedAt }
      : {}),
    restartCount: failures,
    ...(nextRetryAt === undefined ? {} : { nextRetryAt }),
    ...connectedOf(facts),
    ...(listWarnings.length === 0 ? {} : { listWarnings }),
    ...(toolChanges.length === 0 ? {} : { toolChanges }),
  };
};
