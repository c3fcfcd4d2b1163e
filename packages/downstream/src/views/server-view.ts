import type { NameConflicts } from '@gateway/catalog';
import { isStopRequested } from '@gateway/crd-schemas';
import type { McpServer, McpServerState, McpServerStatus } from '@gateway/crd-schemas';
import type { ClientInfo } from '../connection/client-session.ts';
import type { FailureCode } from '../connection/connection-failure.ts';
import type { HealthReport } from '../connection/health-check.ts';
import type { Phase, PhaseKind } from '../connections/machine.ts';
import { PHASES, statusState } from '../connections/phase-table.ts';
import type { ServerHealth } from '../connections/phase-table.ts';
import type { ServerFacts, Supervisor } from '../connections/supervisor.ts';
import type { ServerCredentials } from '../credentials/server-credentials.ts';
import { problemLines } from '../lists/server-lists.ts';
import type { ToolChange } from '../lists/trust/server-ledger.ts';
import type { ServerFeatures } from '../requests/outgoing-requests.ts';
import { statusOf } from './server-status.ts';

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
  /** The server was stopped on request, and does not start by itself. */
  readonly stopRequested?: true;
  /** The last line of output of a starting stdio server: one line without secrets. */
  readonly startProgress?: string;
  /** The first attempt of this process, or one after a failure, is in progress. Absent otherwise, also during a requested start. */
  readonly isTrying?: true;
  readonly toolsCount: number;
  /** The resources of a connected server, templates not counted. */
  readonly resourcesCount?: number;
  /** The prompts of a connected server. */
  readonly promptsCount?: number;
  /** The number of connections of client sessions; absent for a server without `instances: perSession`. */
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

const toConnected = ({ connection, connectionId, lists }: ServerFacts) =>
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
const toFailure = (
  phase: Phase,
  { level, reason }: HealthReport,
): Pick<ServerView, 'reason' | 'failureCode'> => {
  if ('reason' in phase) return { reason: phase.reason, failureCode: phase.code };
  return phase.kind === 'live' && level !== 'healthy' && reason !== undefined ? { reason } : {};
};

const toHealth = (phase: PhaseKind, measured: ServerHealth): ServerHealth => {
  const { health } = PHASES[phase];
  return health === 'measured' ? measured : health;
};

const toView = (facts: ServerFacts, status: McpServerStatus): ServerView => {
  const { definition, state, record, lists, health, toolChanges, startProgress } = facts;
  const listWarnings = problemLines(facts.listProblems);
  const { phase, failures } = state;
  const { lastConnectedAt, nextRetryAt } = record;
  return {
    name: definition.metadata.name,
    definition,
    state: statusState(definition.spec.type, phase.kind),
    health: toHealth(phase.kind, health.level),
    status,
    ...toFailure(phase, health),
    ...(isStopRequested(definition) ? { stopRequested: true as const } : {}),
    ...(startProgress === undefined ? {} : { startProgress }),
    ...(facts.isTrying ? { isTrying: true } : {}),
    toolsCount: lists.tools.length,
    ...(phase.kind === 'live' && lastConnectedAt !== undefined
      ? { connectedAt: lastConnectedAt }
      : {}),
    restartCount: failures,
    ...(nextRetryAt === undefined ? {} : { nextRetryAt }),
    ...toConnected(facts),
    ...(listWarnings.length === 0 ? {} : { listWarnings }),
    ...(toolChanges.length === 0 ? {} : { toolChanges }),
  };
};

/** The views of servers with their statuses. */
export class ServerViews {
  readonly #wallNow: () => number;
  readonly #tokenProblem: ServerCredentials['tokenProblem'];
  readonly #views = new WeakMap<ServerFacts, ServerView>();
  readonly #statuses = new WeakMap<Supervisor, McpServerStatus>();

  /**
   * @param wallNow returns milliseconds since the epoch, for timestamps
   * @param tokenProblem returns why no token may be sent to a server
   */
  constructor(wallNow: () => number, tokenProblem: ServerCredentials['tokenProblem']) {
    this.#wallNow = wallNow;
    this.#tokenProblem = tokenProblem;
  }

  /** Returns the view of a server; the same object while it is unchanged. */
  view(supervisor: Supervisor): ServerView {
    const { facts } = supervisor;
    const known = this.#views.get(facts);
    if (known !== undefined) return known;
    const tokenProblem = this.#tokenProblem?.(facts.definition);
    const status = statusOf(
      {
        ...facts,
        type: facts.definition.spec.type,
        isStopRequested: isStopRequested(facts.definition),
        referenced: facts.definition.referenced,
        tools: facts.lists.tools.length,
        tokenProblem,
        at: this.#wallNow(),
      },
      this.#statuses.get(supervisor),
    );
    this.#statuses.set(supervisor, status);
    const view = toView(facts, status);
    this.#views.set(facts, view);
    return view;
  }
}
