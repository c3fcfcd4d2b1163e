import { ANONYMOUS, resolvesWithin } from '@gateway/call-contract';
import { DrainingConnections } from './connections/attempts.ts';
import { type ConnectionRow, ConnectionTable } from './connections/connection-table.ts';
import { Connections, type DownstreamDependencies } from './connections/connections.ts';
import { createDependencyWatch } from './connections/dependency.ts';
import {
  acceptTools,
  type ControlOutcome,
  Fleet,
  restartServer,
  startServer,
  stopServer,
} from './connections/fleet.ts';
import { createOwnerPolicies, DEFAULT_SESSIONS, DEFAULT_USERS } from './connections/policy.ts';
import { isPerSession, SessionConnections } from './connections/session-connections.ts';
import { StartGate } from './connections/start-gate.ts';
import type { Supervisor } from './connections/supervisor.ts';
import { UserConnections } from './connections/user-connections.ts';
import type { CredentialOutcome, ServerCredentials } from './credentials/server-credentials.ts';
import type { ChangeListener, Downstream, DownstreamOptions, UserView } from './downstream.ts';
import { KnownInventories } from './lists/shared-lists.ts';
import { createSubscriptions, type Subscriptions } from './lists/subscriptions.ts';
import { DeclaredTools } from './lists/trust/declared-tools.ts';
import { createRequests, type PeerOf } from './requests/requests.ts';
import { FleetNames } from './views/fleet-names.ts';
import { ServerViews } from './views/server-view.ts';
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
  listeners: Pick<DownstreamDependencies, 'onChange' | 'emit'>,
): DownstreamDependencies => {
  const random = options.random ?? Math.random;
  const now = (): number => performance.now();
  let connections = 0;
  const bounds = { ...DEFAULT_BOUNDS, ...options.bounds };
  const backoff = { ...DEFAULT_BACKOFF, ...options.backoff };
  const users = { ...DEFAULT_USERS, ...options.users };
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
    random,
    watchdog: createWatchdog(),
    gate: new StartGate(bounds.maxConcurrentStarts, now),
    draining: new DrainingConnections<ConnectionRow>(),
    watchDependency: createDependencyWatch(random),
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

  /**
   * Reports a change.
   *
   * @param principalKey the user who sees it; everybody when absent
   */
  raise(principalKey?: string): void {
    if (this.#pending === undefined) queueMicrotask(() => this.#notify());
    if (principalKey === undefined || this.#pending === 'all') this.#pending = 'all';
    else this.#pending = (this.#pending ?? new Set()).add(principalKey);
  }

  /** Adds a listener and returns the function that removes it. */
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

const NOBODY: CredentialOutcome = { ok: false, code: 'sign-in-required', reason: 'no sign-in' };

const NO_CREDENTIALS: ServerCredentials = {
  kindOf: () => 'shared',
  current: () => NOBODY,
  rejected: () => Promise.resolve(NOBODY),
  onChange: () => () => undefined,
};

/** The parts of a downstream. */
interface Parts {
  readonly dependencies: DownstreamDependencies;
  readonly fleet: Fleet;
  readonly connections: Connections;
  readonly sessions: SessionConnections;
  readonly users: UserConnections;
  readonly userViews: UserViews;
  /** The subscriptions over shared connections. */
  readonly shared: Subscriptions;
  /** The subscriptions over the connections of users. */
  readonly personal: Subscriptions;
}

/** Returns the key of a user's subscriptions at a server. No server has a name like it. */
const formatKey = (server: string, principalKey: string): string =>
  JSON.stringify([server, principalKey]);

const rowKey = ({ server, owner }: ConnectionRow): string => formatKey(server, owner.key);

const createPeerOf =
  ({ fleet, users, sessions }: Parts): PeerOf =>
  (server, principal, caller) => {
    const shared = fleet.get(server);
    // The connection that the lists of the caller come from.
    const base = users.peer(server, principal, shared);
    const client = caller?.client;
    if (client === undefined || shared === undefined || !isPerSession(shared.definition))
      return base;
    const session = { client, limitedAs: caller?.person, principal };
    if (base === undefined || !('then' in base)) return base && sessions.peer(base, session);
    return base.then((found) => sessions.peer(found, session));
  };

type Controls = Pick<Downstream, 'start' | 'stop' | 'restart' | 'acceptTools' | 'endClient'>;

/** Returns the controls of the servers. Those of one server are also those of its connections of users and client sessions. */
const createControls = (parts: Parts): Controls => {
  const { dependencies, fleet, sessions } = parts;
  const control =
    (act: (supervisor: Supervisor) => Promise<ControlOutcome>) =>
    async (server: string): Promise<ControlOutcome> => {
      const supervisor = fleet.get(server);
      return supervisor === undefined ? { code: 'unknown', server } : act(supervisor);
    };
  return {
    start: control(startServer),
    stop: control((supervisor) => {
      sessions.endServer(supervisor.definition.metadata.name);
      return stopServer(supervisor);
    }),
    restart: control((supervisor) => {
      sessions.endServer(supervisor.definition.metadata.name);
      return restartServer(supervisor);
    }),
    endClient: (client) => sessions.endClient(client),
    acceptTools: (name, tools) => acceptTools(fleet.get(name), dependencies.declared, tools),
  };
};

/** Follows a resource over the connection of the user, or over the shared one when the user has none. */
const createSubscribe =
  (parts: Parts): Downstream['subscribeResource'] =>
  async ({ server, uri }, onUpdated, principal = ANONYMOUS) => {
    const { fleet, users, shared, personal } = parts;
    const peer = await users.peer(server, principal, fleet.get(server));
    if (peer === undefined || peer === fleet.get(server))
      return shared.subscribe({ key: server, server, uri }, onUpdated);
    return personal.subscribe({ key: formatKey(server, principal.key), server, uri }, onUpdated);
  };

const createUserView = ({ connections, users, userViews }: Parts, names: FleetNames): UserView => ({
  inventoriesFor: (principal) => userViews.inventories(principal, () => names.inventories()),
  lastInventories: (principal) => {
    const shared = names.lastInventories();
    return principal === undefined ? shared : userViews.lastInventories(principal, shared);
  },
  contestedNamesIn: (inventories) => names.contestedIn(inventories),
  personal: (principal) => userViews.servers(principal),
  personalFeatures: () => connections.features,
  personalConnections: () => connections.places.countByServer('user'),
  connectPersonal: (server, principal) => users.connect(server, principal),
  disconnectPersonal: (server, principal) => users.disconnect(server, principal),
  prepare: (principal) => users.prepare(principal),
  onSignInChange: (listener) => users.onSignInChange(listener),
});

const createServersView = (names: FleetNames, { sessions }: Parts): Downstream['servers'] => {
  const withCounts = (view: ReturnType<FleetNames['views']>[number]) =>
    isPerSession(view.definition)
      ? { ...view, instances: sessions.counts.get(view.name) ?? 0 }
      : view;
  return () => {
    const views = names.views();
    return views.some(({ definition }) => isPerSession(definition)) ? views.map(withCounts) : views;
  };
};

/** Closing a child takes at most three grace periods; after four, the watchdog kills the rest. */
const CLOSE_GRACES = 4;

/** Maximum duration of the last write of tool declarations, in milliseconds. */
const LAST_WRITE_MS = 2_000;

const closeParts = async ({ dependencies, fleet, connections, users }: Parts): Promise<void> => {
  const { timeouts, declared, watchdog } = dependencies;
  users.close();
  const ended = Promise.all([fleet.close(), connections.close()]);
  await resolvesWithin(ended, timeouts.closeGraceMs * CLOSE_GRACES + 1_000);
  await resolvesWithin(declared.close(), LAST_WRITE_MS);
  watchdog.close();
};

/**
 * Returns connections to downstream MCP servers, without any server yet.
 *
 * @spec §2.6 states, §5.1
 */
export const createDownstream = (options: DownstreamOptions): Downstream => {
  const changes = new ChangeSignal();
  let isClosing = false;
  const dependencies = createDependencies(options, {
    onChange() {
      shared.reconcile();
      changes.raise();
    },
    // The end of the servers together with the gateway is not an event.
    emit: (event) => (isClosing ? undefined : options.emit?.(event)),
  });
  const { credentials = NO_CREDENTIALS } = options;
  const policy = { ...DEFAULT_USERS, ...options.users };
  const shared = createSubscriptions((name) => fleet.get(name));
  const personal = createSubscriptions((key) => {
    const [server, principalKey] = JSON.parse(key) as [string, string];
    return users.knownPeer(server, principalKey);
  });
  const connections: Connections = new Connections({
    ...dependencies,
    maxOpening: policy.maxOpening,
    findServer: (server) => fleet.get(server),
    listener: () => users,
    isNeeded: (row) => row.owner.kind === 'user' && personal.has(rowKey(row)),
    onResourceUpdated: (row, params) =>
      row.owner.kind === 'shared'
        ? shared.updated(row.server, params)
        : personal.updated(rowKey(row), params),
  });
  const fleet: Fleet = new Fleet(dependencies, connections);
  const sessions = new SessionConnections(connections);
  const users: UserConnections = new UserConnections({
    credentials,
    policy,
    connections,
    now: dependencies.now,
    onUserChanged: (principalKey) => {
      personal.reconcile();
      changes.raise(principalKey);
    },
    onSignedOut: (server, principalKey) => sessions.endServer(server, principalKey),
  });
  const userViews = new UserViews(connections.table, users.targets, dependencies.inventories);
  const parts: Parts = {
    dependencies,
    fleet,
    connections,
    sessions,
    users,
    userViews,
    shared,
    personal,
  };
  const serverViews = new ServerViews(dependencies.wallNow, credentials.tokenProblem);
  const names = new FleetNames(fleet, serverViews, dependencies.wallNow);
  const updateUsers = (): void => {
    // Without credentials no connection belongs to a user.
    users.update(options.credentials === undefined ? [] : fleet.all());
    userViews.update();
  };
  changes.listen((changedFor) => {
    if (changedFor !== 'all') return;
    updateUsers();
    sessions.update((server) => fleet.get(server));
    names.update();
  });
  const settled = async (): Promise<void> => {
    await resolvesWithin(fleet.tried(), dependencies.timeouts.settleMs);
  };
  return {
    ...createRequests(createPeerOf(parts), dependencies.timeouts.requestMs),
    ...createControls(parts),
    ...createUserView(parts, names),
    subscribeResource: createSubscribe(parts),
    apply(servers) {
      fleet.apply(servers);
      updateUsers();
      names.settleAfter(settled);
    },
    servers: createServersView(names, parts),
    stateOf: (name) => fleet.get(name)?.statusState,
    inventories: () => names.inventories(),
    contestedNames: () => names.contested(),
    onChange: (listener) => changes.listen(listener),
    settled,
    close() {
      isClosing = true;
      return closeParts(parts);
    },
  };
};
