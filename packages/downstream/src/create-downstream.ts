import {
  ANONYMOUS,
  type CredentialOutcome,
  isResolvedWithin,
  type Principal,
  type ServerCredentials,
} from '@gateway/call-contract';
import { DrainingConnections } from './connections/attempts.ts';
import {
  type ConnectionOwner,
  type ConnectionRow,
  ConnectionTable,
} from './connections/connection-table.ts';
import { ConnectionDriver, type DownstreamDependencies } from './connections/connection-driver.ts';
import { createDependencyWatch } from './connections/dependency.ts';
import { Fleet, isPerSession, type Supervisor } from './connections/fleet.ts';
import {
  createOwnerPolicies,
  DEFAULT_SESSIONS,
  DEFAULT_USERS,
  type UserPolicy,
} from './connections/policy.ts';
import {
  acceptTools,
  type ControlOutcome,
  restartServer,
  startServer,
  stopServer,
} from './connections/server-control.ts';
import { SessionConnections } from './connections/session-connections.ts';
import { StartGate } from './connections/start-gate.ts';
import { UserConnections } from './connections/user-connections.ts';
import type { ChangeListener, Downstream, DownstreamOptions } from './downstream.ts';
import { KnownInventories } from './lists/shared-lists.ts';
import { ResourceSubscriptions } from './lists/subscriptions.ts';
import { DeclaredTools } from './lists/trust/declared-tools.ts';
import { createRequests, type FindPeer } from './requests/requests.ts';
import { FleetViews } from './views/fleet-views.ts';
import { UserViews } from './views/user-views.ts';
import {
  DEFAULT_BACKOFF,
  DEFAULT_BOUNDS,
  DEFAULT_HEALTH,
  DEFAULT_RELIST,
  DEFAULT_TIMEOUTS,
} from './wire/limits.ts';
import { createWatchdog } from './wire/stdio/process-group.ts';

const createDependencies = (
  options: DownstreamOptions,
  users: UserPolicy,
  listeners: Pick<DownstreamDependencies, 'onChange' | 'emit'>,
): DownstreamDependencies => {
  const now = (): number => performance.now();
  let connections = 0;
  const bounds = { ...DEFAULT_BOUNDS, ...options.bounds };
  const backoff = { ...DEFAULT_BACKOFF, ...options.backoff };
  const sessions = { ...DEFAULT_SESSIONS, ...options.sessions };
  const wallNow = options.now ?? Date.now;
  const declared = new DeclaredTools({ ...options, now: wallNow, emit: listeners.emit });
  return {
    clientInfo: options.clientInfo,
    log: options.log,
    clientFeatures: options.clientFeatures ?? {},
    timeouts: { ...DEFAULT_TIMEOUTS, ...options.timeouts },
    bounds,
    backoff,
    table: new ConnectionTable(),
    policies: createOwnerPolicies(users, sessions, backoff),
    relist: { ...DEFAULT_RELIST, ...options.relist },
    health: { ...DEFAULT_HEALTH, ...options.health },
    now,
    wallNow,
    watchdog: createWatchdog(),
    gate: new StartGate(bounds.maxConcurrentStarts, now),
    draining: new DrainingConnections<ConnectionRow>(),
    watchDependency: createDependencyWatch(),
    declared,
    inventories: new KnownInventories(declared),
    nextConnectionId: () => (connections += 1),
    ...(options.baseDirectory === undefined ? {} : { baseDirectory: options.baseDirectory }),
    ...listeners,
  };
};

/** Notifies listeners of changes, once per turn of the event loop. */
class ChangeSignal {
  readonly #listeners = new Set<ChangeListener>();
  #pending: 'all' | Set<string> | undefined;

  /** Reports a change to the user with the key; to all users without a key. */
  raise(principalKey?: string): void {
    if (this.#pending === undefined) queueMicrotask(() => this.#notify());
    if (principalKey === undefined || this.#pending === 'all') this.#pending = 'all';
    else this.#pending = (this.#pending ?? new Set()).add(principalKey);
  }

  listen(listener: ChangeListener): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  #notify(): void {
    const changedFor = this.#pending ?? 'all';
    this.#pending = undefined;
    for (const listener of [...this.#listeners]) listener(changedFor);
  }
}

const NO_SIGN_IN: CredentialOutcome = { ok: false, code: 'sign-in-required', reason: 'no sign-in' };

const NO_CREDENTIALS: ServerCredentials = {
  findKind: () => 'shared',
  tokenProblem: () => undefined,
  current: () => NO_SIGN_IN,
  renewRejected: () => Promise.resolve(NO_SIGN_IN),
  onChange: () => () => undefined,
};

/** Returns the key of a user's subscriptions at a server. It is never a valid server name. */
const formatSubscriptionKey = (server: string, principalKey: string): string =>
  JSON.stringify([server, principalKey]);

const formatRowKey = ({ server, owner }: ConnectionRow): string =>
  formatSubscriptionKey(server, owner.key);

/** Closing a child takes at most three grace periods; after four, the watchdog kills the rest. */
const CLOSE_GRACES = 4;

/** Maximum duration of the last write of tool declarations, in milliseconds. */
const LAST_WRITE_MS = 2_000;

/** Returns connections to downstream MCP servers, without any server yet. @spec §2.6 states, §5.1 */
export const createDownstream = (options: DownstreamOptions): Downstream => {
  const changes = new ChangeSignal();
  let isClosing = false;
  const policy: UserPolicy = { ...DEFAULT_USERS, ...options.users };
  const dependencies = createDependencies(options, policy, {
    onChange() {
      sharedSubscriptions.reconcile();
      changes.raise();
    },
    // Servers that end together with the gateway emit no event.
    emit: (event) => (isClosing ? undefined : options.emit?.(event)),
  });
  const { timeouts, declared, wallNow } = dependencies;
  const { credentials = NO_CREDENTIALS } = options;
  // Subscriptions over shared connections and over user connections are separate.
  const sharedSubscriptions = new ResourceSubscriptions((name) => fleet.get(name));
  const userSubscriptions = new ResourceSubscriptions((key) => {
    const [server, principalKey] = JSON.parse(key) as [string, string];
    return users.findKnownPeer(server, principalKey);
  });
  const connections: ConnectionDriver = new ConnectionDriver({
    ...dependencies,
    maxOpening: policy.maxOpening,
    listener: () => users,
    isNeeded: (row) => row.owner.kind === 'user' && userSubscriptions.has(formatRowKey(row)),
    onResourceUpdated: (row, params) =>
      row.owner.kind === 'shared'
        ? sharedSubscriptions.notifyUpdate(row.server, params)
        : userSubscriptions.notifyUpdate(formatRowKey(row), params),
  });
  const fleet: Fleet = new Fleet(dependencies, connections);
  const sessions = new SessionConnections(connections);
  const users: UserConnections = new UserConnections({
    credentials,
    policy,
    connections,
    now: dependencies.now,
    onUserChanged: (principalKey) => {
      userSubscriptions.reconcile();
      changes.raise(principalKey);
    },
    onSignedOut: (server, principalKey) => sessions.endServer(server, principalKey),
  });
  const userViews = new UserViews(users.targets, dependencies.inventories);
  const findUser = ({ key }: Principal): ConnectionOwner | undefined =>
    connections.table.findOwner('user', key);
  const fleetViews = new FleetViews(fleet, credentials.tokenProblem, wallNow);
  const updateUsers = (): void => {
    // Without credentials no connection belongs to a user.
    users.update(options.credentials === undefined ? [] : fleet.all());
    userViews.update();
  };
  changes.listen((changedFor) => {
    if (changedFor !== 'all') return;
    updateUsers();
    sessions.update((server) => fleet.get(server));
    fleetViews.update();
  });
  const settled = async (): Promise<void> => {
    await isResolvedWithin(fleet.waitForFirstAttempts(), timeouts.settleMs);
  };
  const findPeer: FindPeer = (server, principal, caller) => {
    const supervisor = fleet.get(server);
    // The connection that the lists of the caller come from.
    const base = users.findPeer(server, principal, supervisor);
    const client = caller?.client;
    if (client === undefined || supervisor === undefined || !isPerSession(supervisor.definition))
      return base;
    const session = { client, limitedAs: caller?.user, principal };
    if (base === undefined || !('then' in base)) return base && sessions.findPeer(base, session);
    return base.then((found) => sessions.findPeer(found, session));
  };
  const control =
    (act: (supervisor: Supervisor) => Promise<ControlOutcome>) =>
    async (server: string): Promise<ControlOutcome> => {
      const supervisor = fleet.get(server);
      return supervisor === undefined ? { code: 'unknown', server } : act(supervisor);
    };
  /** The connections of client sessions end with the shared one. */
  const withSessions =
    (act: (supervisor: Supervisor) => Promise<ControlOutcome>) =>
    (supervisor: Supervisor): Promise<ControlOutcome> => {
      sessions.endServer(supervisor.definition.metadata.name);
      return act(supervisor);
    };
  return {
    ...createRequests(findPeer, timeouts.requestMs),
    apply(servers) {
      fleet.apply(servers);
      updateUsers();
      fleetViews.settleAfter(settled);
    },
    start: control(startServer),
    stop: control(withSessions(stopServer)),
    restart: control(withSessions(restartServer)),
    acceptTools: (name, tools) => acceptTools(fleet.get(name), declared, tools),
    endClient: (client) => sessions.endClient(client),
    /** Follows a resource over the connection of the user, or over the shared one when the user has none. */
    async subscribeResource({ server, uri }, onUpdated, principal = ANONYMOUS) {
      const peer = await users.findPeer(server, principal, fleet.get(server));
      if (peer === undefined || peer === fleet.get(server))
        return sharedSubscriptions.subscribe({ key: server, server, uri }, onUpdated);
      return userSubscriptions.subscribe(
        { key: formatSubscriptionKey(server, principal.key), server, uri },
        onUpdated,
      );
    },
    servers() {
      const views = fleetViews.listViews();
      if (!views.some(({ definition }) => isPerSession(definition))) return views;
      const { counts } = sessions;
      return views.map((view) =>
        isPerSession(view.definition) ? { ...view, instances: counts.get(view.name) ?? 0 } : view,
      );
    },
    findState: (name) => fleet.get(name)?.statusState,
    inventories: () => fleetViews.inventories(),
    lastInventories(principal) {
      const last = fleetViews.lastInventories();
      const user = principal && findUser(principal);
      return user === undefined ? last : userViews.lastInventories(user, last);
    },
    inventoriesFor(principal) {
      const user = findUser(principal);
      return user && userViews.inventories(user, () => fleetViews.inventories());
    },
    contestedNames: () => fleetViews.findContested(),
    contestedNamesIn: (inventories) => fleetViews.findContestedIn(inventories),
    userServers: (principal) => userViews.servers(findUser(principal)),
    userFeatures: () => connections.features,
    userConnections: () => connections.places.countByServer('user'),
    connectUser: (server, principal) => users.connect(server, principal),
    disconnectUser: (server, principal) => users.disconnect(server, principal),
    prepare: (principal) => users.prepare(principal),
    onSignInChange: (listener) => users.onSignInChange(listener),
    onChange: (listener) => changes.listen(listener),
    settled,
    async close() {
      isClosing = true;
      users.close();
      const ended = Promise.all([fleet.close(), connections.close()]);
      await isResolvedWithin(ended, timeouts.closeGraceMs * CLOSE_GRACES + 1_000);
      await isResolvedWithin(declared.close(), LAST_WRITE_MS);
      dependencies.watchdog.close();
    },
  };
};
