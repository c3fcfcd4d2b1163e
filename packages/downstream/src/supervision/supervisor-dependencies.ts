import type { ServerCredentials } from '../credentials/server-credentials.ts';
import type { ClientInfo } from '../connection/client-session.ts';
import type { ConnectionDependencies } from '../connection/server-link.ts';
import type { RelistDelays } from '../lists/relist-schedule.ts';
import type { DeclaredTools } from '../lists/trust/declared-tools.ts';
import type { DependencyWatch } from './starts/dependency-watch.ts';
import type { HistoryDependencies } from './history/server-history.ts';
import type { StartGate } from './starts/start-gate.ts';

/** The dependencies that all supervisors share. */
export interface SupervisorDependencies
  extends ConnectionDependencies, HistoryDependencies, RelistDelays {
  readonly clientInfo: ClientInfo;
  /** Returns why no token may be sent to a server. */
  readonly tokenProblem?: ServerCredentials['tokenProblem'];
  readonly gate: StartGate;
  readonly dependencyWatch: DependencyWatch;
  /** The tool declarations of the servers, compared with the remembered ones. */
  readonly declared: DeclaredTools;
  /** Returns a new number each time. */
  readonly nextConnectionId: () => number;
  /** A subscribed resource of a server changed. */
  readonly onResourceUpdated: (server: string, params: Readonly<Record<string, unknown>>) => void;
  /** Called after any change of a state or an inventory. */
  readonly onChange: () => void;
}
