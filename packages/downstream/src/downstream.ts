import type {
  Principal,
  ServerView,
  ServerCredentials,
  AcceptOutcome,
  ServerFeatures,
} from '@gateway/call-contract';
import type { ContestedNames, ServerInventory } from '@gateway/catalog';
import type { McpServer } from '@gateway/crd-schemas';
import type { EventSink } from '@gateway/events';
import type { ClientInfo } from './connection/connection.ts';
import type { ControlOutcome } from './connections/server-control.ts';
import type { SessionPolicy, UserPolicy } from './connections/policy.ts';
import type { UserOutcome } from './connections/user-connections.ts';
import type { SubscribeOutcome, UpdateListener } from './lists/subscriptions.ts';
import type { DeclaredToolsStore, HintWidened } from './lists/trust/declared-tools.ts';
import type { ClientFeatures } from './requests/outgoing-requests.ts';
import type { Requests } from './requests/requests.ts';
import type { UserServer } from './views/user-views.ts';
import type {
  BackoffPolicy,
  DownstreamBounds,
  DownstreamTimeouts,
  HealthPolicy,
  RelistPolicy,
} from './wire/limits.ts';
import type { DownstreamLog } from './wire/log-event.ts';

/** Receives a change with its viewers: everybody, or the users with these keys. */
export type ChangeListener = (changedFor: 'all' | ReadonlySet<string>) => void;

/** The options of `createDownstream`. All but the first two have defaults. */
export interface DownstreamOptions {
  readonly clientInfo: ClientInfo;
  /** Receives log entries; must not throw. */
  readonly log: DownstreamLog;
  /** The client capabilities that are declared to servers of the 2025 revisions: the union of those that callers may have. None when absent. */
  readonly clientFeatures?: ClientFeatures;
  readonly timeouts?: Partial<DownstreamTimeouts>;
  readonly bounds?: Partial<DownstreamBounds>;
  readonly backoff?: Partial<BackoffPolicy>;
  readonly relist?: Partial<RelistPolicy>;
  readonly health?: Partial<HealthPolicy>;
  /** The credentials of users; without them no connection belongs to a user. */
  readonly credentials?: ServerCredentials;
  readonly users?: Partial<UserPolicy>;
  readonly sessions?: Partial<SessionPolicy>;
  /** Receives the events of the servers, once per transition. @spec §6 */
  readonly emit?: EventSink;
  /** The working directory of stdio servers without `spec.cwd`, and the base of a relative one; the directory of this process when absent. */
  readonly baseDirectory?: string;
  /** Returns wall clock time in milliseconds since the epoch, for timestamps. Durations use a monotonic clock. */
  readonly now?: () => number;
  /** Storage for the tool declarations between runs; without it they are remembered for this run only. */
  readonly declaredTools?: DeclaredToolsStore;
  /** A `readOnlyHint` that changes to true takes effect only after `acceptTools`. `false` when absent. */
  readonly pinToolHints?: boolean;
  /** Called when a tool's `readOnlyHint` changed from false or unset to true; must not throw. */
  readonly onHintWidened?: (widened: HintWidened) => void;
}

/** The servers as each user sees them. Without credentials no user has servers. @spec §2.6 auth */
export interface UserView {
  /** Returns the inventories of a user, sorted by name; `undefined` when the user sees `inventories()` only. The same array for all who see the same. */
  inventoriesFor(principal: Principal): readonly ServerInventory[] | undefined;
  /** Returns the last inventories of the servers that are not connected, as everybody or one user had them, sorted by name; the same array while unchanged. */
  lastInventories(principal?: Principal): readonly ServerInventory[];
  /** Returns the names that several servers of these inventories claim, with their holders. */
  contestedNamesIn(inventories: readonly ServerInventory[]): ContestedNames;
  /** Returns the servers that a user may sign in to, sorted by name, with the state of that user's sign-in. */
  userServers(principal: Principal): readonly UserServer[];
  /** Returns the features of the servers that users were connected to, by name. */
  userFeatures(): ReadonlyMap<string, ServerFeatures>;
  /** Returns the number of open connections of users by server, of this process. */
  userConnections(): ReadonlyMap<string, number>;
  connectUser(server: string, principal: Principal): Promise<UserOutcome>;
  disconnectUser(server: string, principal: Principal): void;
  /** Connects a user to the servers that need no further sign-in, within a bound. Concurrent calls share one run. `undefined` when nothing is to do. */
  prepare(principal: Principal): Promise<void> | undefined;
  /** Calls back when the sign-in of a user changes, before the user's connections follow it: `prepare` waits for them. Returns the function that unsubscribes. */
  onSignInChange(listener: (principalKey: string) => void): () => void;
}

/** The connections to all downstream servers. @spec §2.6, §5.1 */
export interface Downstream extends Requests, UserView {
  /** Starts new servers with `autoStart`, ends removed ones, and restarts those whose connection is defined differently. */
  apply(servers: readonly McpServer[]): void;
  start(name: string): Promise<ControlOutcome>;
  /** Stops a server and waits until it has ended. It stays stopped until `start` or `restart`. */
  stop(name: string): Promise<ControlOutcome>;
  restart(name: string): Promise<ControlOutcome>;
  /** Ends the connections of a client whose session has ended. `client` is {@link Caller.client}. */
  endClient(client: string): void;
  /** Accepts the present declarations of these tools, or of all. Later changes are compared with them, and held hints take effect. */
  acceptTools(name: string, tools?: readonly string[]): Promise<AcceptOutcome>;
  /** Calls back whenever a resource changes, until `end`. The subscription is renewed after a reconnect, which counts as a change. */
  subscribeResource(
    resource: { readonly server: string; readonly uri: string },
    onUpdated: UpdateListener,
    principal?: Principal,
  ): Promise<SubscribeOutcome>;
  /** Returns all servers, sorted by name. */
  servers(): readonly ServerView[];
  findState(name: string): ServerView['state'] | undefined;
  /** Returns the inventories of the connected servers, sorted by name; the same array and objects while they are unchanged. */
  inventories(): readonly ServerInventory[];
  /** Returns the exposed names that several servers claim, with their holders; the same object while unchanged. After `settled()` a holder keeps its name. */
  contestedNames(): ContestedNames;
  /** Calls back after a change of a state or an inventory, at most once per turn, with the users who see it. Returns the function that unsubscribes. */
  onChange(listener: ChangeListener): () => void;
  /** Resolves when every server with `autoStart` was tried once, and after the settle timeout at the latest. */
  settled(): Promise<void>;
  close(): Promise<void>;
}
