import type { ClientInfo } from '../connection/client-session.ts';
import type { ConnectionDependencies } from '../connection/server-link.ts';
import type { RelistDelays } from '../lists/server-lists.ts';
import type { DeclaredTools } from '../lists/trust/declared-tools.ts';
import type { DependencyWatch } from './dependency.ts';
import type { HistoryDependencies } from './server-history.ts';
import type { ConnectionTable, OwnerKind } from './connection-table.ts';
import type { DrainingConnections } from './draining-connections.ts';
import type { OwnerPolicy } from './policy.ts';
import type { StartGate } from './start-gate.ts';

/** The dependencies that all supervisors share. */
export interface SupervisorDependencies
  extends ConnectionDependencies, HistoryDependencies, RelistDelays {
  readonly clientInfo: ClientInfo;
  readonly table: ConnectionTable;
  readonly policies: Readonly<Record<OwnerKind, OwnerPolicy>>;
  readonly gate: StartGate;
  /** The connections of servers that no new request uses. */
  readonly draining: DrainingConnections<object>;
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
