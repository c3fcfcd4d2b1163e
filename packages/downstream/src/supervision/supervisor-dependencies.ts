import type { ClientInfo } from '../connection/client-session.ts';
import type { ConnectionDependencies } from '../connection/server-link.ts';
import type { BackoffPolicy, RelistPolicy } from '../wire/limits.ts';
import type { DeclaredTools } from '../lists/trust/declared-tools.ts';
import type { DependencyWatch } from './starts/dependency-watch.ts';
import type { HistoryDependencies } from './history/server-history.ts';
import type { StartGate } from './starts/start-gate.ts';

/** What every supervisor shares. */
export interface SupervisorDependencies extends ConnectionDependencies, HistoryDependencies {
  readonly clientInfo: ClientInfo;
  readonly gate: StartGate;
  readonly dependencyWatch: DependencyWatch;
  /** What servers say of their tools, compared with what they said before. */
  readonly declared: DeclaredTools;
  /** Another number each time. */
  readonly nextConnectionId: () => number;
  readonly backoff: BackoffPolicy;
  readonly relist: RelistPolicy;
  /** A number in [0, 1). */
  readonly random: () => number;
  /** A resource of a server that is subscribed to has changed. */
  readonly onResourceUpdated: (server: string, params: Readonly<Record<string, unknown>>) => void;
  /** After any change of a state or an inventory. */
  readonly onChange: () => void;
}
