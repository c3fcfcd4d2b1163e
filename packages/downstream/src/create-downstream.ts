import { ANONYMOUS } from '@gateway/call-contract';
import type { Caller, Principal } from '@gateway/call-contract';
import { createChangeSignal } from './connections/change-signal.ts';
import { acceptTools, restartServer, startServer, stopServer } from './connections/control.ts';
import type { ControlOutcome } from './connections/control.ts';
import { ConnectionTable } from './connections/connection-table.ts';
import type { ConnectionRow } from './connections/connection-table.ts';
import { DrainingConnections } from './connections/draining-connections.ts';
import { createDependencyWatch } from './connections/dependency.ts';
import { createFleet } from './connections/fleet.ts';
import type { Fleet } from './connections/fleet.ts';
import { OwnedConnections } from './connections/owned-connections.ts';
import { createOpeningSlots } from './connections/opening-slots.ts';
import type { OwnedPeer } from './connections/owned-peer.ts';
import { createOwnerPolicies, DEFAULT_SESSIONS, DEFAULT_USERS } from './connections/policy.ts';
import { isPerSession, SessionConnections } from './connections/session-connections.ts';
import { SharedLists } from './connections/shared-lists.ts';
import { createStartGate } from './connections/start-gate.ts';
import type { Supervisor } from './connections/supervisor.ts';
import type { SupervisorDependencies } from './connections/supervisor-dependencies.ts';
import { UserAuthority } from './connections/user-authority.ts';
import { UserConnections } from './connections/user-connections.ts';
import type { Downstream, DownstreamOptions, UserView } from './downstream.ts';
import { createSubscriptions } from './lists/subscriptions.ts';
import type { Subscriptions } from './lists/subscriptions.ts';
import { DeclaredTools } from './lists/trust/declared-tools.ts';
import { createRequests } from './requests/requests.ts';
import type { PeerOf } from './requests/requests.ts';
import type { ServerFeatures } from './requests/outgoing-requests.ts';
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
  listeners: Pick<SupervisorDependencies, 'onChange' | 'onResourceUpdated' | 'emit'>,
): SupervisorDependencies => {
  const random = options.random ?? Math.random;
  const now = (): number => performance.now();
  let connections = 0;
  const bounds = { ...DEFAULT_BOUNDS, ...options.bounds };
  const backoff = { ...DEFAULT_BACKOFF, ...options.backoff };
  const users = { ...DEFAULT_USERS, ...options.users };
  const sessions = { ...DEFAULT_SESSIONS, ...options.sessions };
  const wallNow = options.now ?? Date.now;
  return {
    clientInfo: options.clientInfo,
    log: options.log,
    clientFeatures: options.clientFeatures ?? {},
    timeouts: { ...DEFAULT_TIMEOUTS, ...options.timeouts },
    bounds,
    backoff,
    table: new ConnectionTable(now),
    policies: createOwnerPolicies(users, sessions, backoff),
    relist: { ...DEFAULT_RELIST, ...options.relist },
    health: { ...DEFAULT_HEALTH, ...options.health },
    now,
    wallNow,
    random,
    watchdog: createWatchdog(),
    gate: createStartGate(bounds.maxConcurrentStarts, now),
    draining: new DrainingConnections<object>(),
    dependencyWatch: createDependencyWatch(random),
    declared: new DeclaredTools({ ...options, now: wallNow, emit: listeners.emit }),
    nextConnectionId: () => (connections += 1),
    ...(options.baseDirectory === undefined ? {} : { baseDirectory: options.baseDirectory }),
    ...listeners,
  };
};

/** Resolves with `work`, or after `ms`. */
const within = async (work: Promise<unknown>, ms: number): Promise<void> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work, late]);
  clearTimeout(timer);
};

/** The parts of a downstream. */
interface Parts {
  readonly dependencies: SupervisorDependencies;
  readonly fleet: Fleet;
  readonly owned: OwnedConnections;
  readonly sessions: SessionConnections;
  /** Absent when no connection belongs to a user. */
  readonly users: UserConnections | undefined;
  readonly userViews: UserViews | undefined;
  /** The subscriptions over shared connections. */
  readonly shared: Subscriptions;
  /** The subscriptions over the connections of users. */
  readonly personal: Subscriptions;
}

/** Returns the key of a user's subscriptions at a server. No server has a name like it. */
const formatKey = (server: string, principalKey: string): string =>
  JSON.stringify([server, principalKey]);

const rowKey = ({ server, owner }: ConnectionRow): string => formatKey(server, owner.key);

/** Returns the server with the connection that the lists of a request's caller come from. */
const findBase = (
  { fleet, users }: Parts,
  server: string,
  principal: Principal,
): Supervisor | OwnedPeer | undefined | Promise<Supervisor | OwnedPeer> =>
  users === undefined ? fleet.get(server) : users.peer(server, principal, fleet.get(server));

const createPeerOf =
  (parts: Parts): PeerOf =>
  (server, principal, caller) => {
    const base = findBase(parts, server, principal);
    const client = caller?.client;
    const definition = parts.fleet.get(server)?.definition;
    if (client === undefined || definition === undefined || !isPerSession(definition)) return base;
    const session = { client, limitedAs: limitedAs(caller), principal };
    if (base === undefined || !('then' in base)) return base && parts.sessions.peer(base, session);
    return base.then((found) => parts.sessions.peer(found, session));
  };

const limitedAs = (caller: Caller | undefined): string | undefined => caller?.person;

type Controls = Pick<Downstream, 'start' | 'stop' | 'restart' | 'acceptTools' | 'endClient'>;

/** Returns the controls of the servers. Those of one server are also those of its connections of users and client sessions. */
const createControls = (parts: Parts): Controls => {
  const { dependencies, fleet, users, userViews, sessions } = parts;
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
      const { name } = supervisor.definition.metadata;
      sessions.endServer(name);
      users?.restarted(name, fleet.all());
      return restartServer(supervisor);
    }),
    endClient: (client) => sessions.endClient(client),
    acceptTools: async (name, tools) => {
      const outcome = await acceptTools(fleet.get(name), dependencies.declared, tools);
      userViews?.refreshExposedLists();
      return outcome;
    },
  };
};

/** Follows a resource over the connection of the user, or over the shared one when the user has none. */
const createSubscribe =
  (parts: Parts): Downstream['subscribeResource'] =>
  async ({ server, uri }, onUpdated, principal = ANONYMOUS) => {
    const { fleet, users, shared, personal } = parts;
    const peer = await users?.peer(server, principal, fleet.get(server));
    if (peer === undefined || peer === fleet.get(server))
      return shared.subscribe({ key: server, server, uri }, onUpdated);
    return personal.subscribe({ key: formatKey(server, principal.key), server, uri }, onUpdated);
  };

const NO_FEATURES: ReadonlyMap<string, ServerFeatures> = new Map();
const NO_CONNECTIONS: ReadonlyMap<string, number> = new Map();

const createUserView = ({ owned, users, userViews }: Parts, names: FleetNames): UserView => ({
  inventoriesFor: (principal) => userViews?.inventories(principal, () => names.inventories()),
  lastInventories: (principal) => {
    const shared = names.lastInventories();
    if (principal === undefined || userViews === undefined) return shared;
    return userViews.lastInventories(principal, shared);
  },
  contestedNamesIn: (inventories) => names.contestedIn(inventories),
  personal: (principal) => userViews?.servers(principal) ?? [],
  personalFeatures: () => (users === undefined ? NO_FEATURES : owned.features),
  personalConnections: () =>
    users === undefined ? NO_CONNECTIONS : owned.table.countByServer('user'),
  connectPersonal: async (server, principal) =>
    users === undefined ? { code: 'not-personal', server } : users.connect(server, principal),
  disconnectPersonal: (server, principal) => users?.disconnect(server, principal),
  prepare: (principal) => users?.prepare(principal),
  onSignInChange: (listener) => users?.onSignInChange(listener) ?? (() => undefined),
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

const closeParts = async ({ dependencies, fleet, owned, users }: Parts): Promise<void> => {
  const { timeouts, declared, watchdog } = dependencies;
  users?.close();
  const ended = Promise.all([fleet.close(), owned.close()]);
  await within(ended, timeouts.closeGraceMs * CLOSE_GRACES + 1_000);
  await within(declared.close(), LAST_WRITE_MS);
  watchdog.close();
};

/** The listeners that create the parts before each other. */
interface Listeners {
  readonly parts: () => Parts;
  readonly raise: (principalKey?: string) => void;
}

/** Returns the table of the connections of users and client sessions. */
const createOwned = (
  options: DownstreamOptions,
  dependencies: SupervisorDependencies,
  fleet: Fleet,
  { parts, raise }: Listeners,
): OwnedConnections => {
  const users = { ...DEFAULT_USERS, ...options.users };
  const slots = createOpeningSlots(users.maxOpening);
  const lists = new SharedLists(dependencies.declared);
  const { credentials } = options;
  const findDefinition = (server: string) => fleet.get(server)?.definition;
  return new OwnedConnections({
    ...dependencies,
    findDefinition,
    createAuthority: (row) => {
      const first = findDefinition(row.server);
      const isCarried = parts().users?.targets.get(row.server) !== undefined;
      if (credentials === undefined || first === undefined || !isCarried) return undefined;
      return new UserAuthority({
        credentials,
        server: () => findDefinition(row.server) ?? first,
        principal: () => row.owner.principal,
        now: dependencies.now,
        onProblem: (problem) => parts().users?.problem(row, problem),
      });
    },
    enter: (row, signal) =>
      findDefinition(row.server)?.spec.type === 'stdio'
        ? dependencies.gate.enter({ server: row.server, isRetry: false, signal })
        : slots.enter(row.owner.principal.key, signal),
    shareLists: (server, its) => lists.share(server, its),
    isNeeded: (row) => row.owner.kind === 'user' && parts().personal.has(rowKey(row)),
    onChange: (row) => {
      if (row.owner.kind === 'session') raise();
      else parts().users?.rowChanged(row);
    },
    onProblem: (row, problem) => parts().users?.problem(row, problem),
    onAuthorized: (row) => parts().users?.authorized(row),
    onFeatures: () => raise(),
    onResourceUpdated: (row, params) => parts().personal.updated(rowKey(row), params),
  });
};

/**
 * Returns connections to downstream MCP servers, without any server yet.
 *
 * @spec §2.6 states, §5.1
 */
export const createDownstream = (options: DownstreamOptions): Downstream => {
  const changes = createChangeSignal();
  let isClosing = false;
  const dependencies = createDependencies(options, {
    onChange() {
      shared.reconcile();
      changes.raise();
    },
    onResourceUpdated: (server, params) => shared.updated(server, params),
    // The end of the servers together with the gateway is not an event.
    emit: (event) => (isClosing ? undefined : options.emit?.(event)),
  });
  const fleet = createFleet(dependencies);
  const shared = createSubscriptions((name) => fleet.get(name));
  const personal = createSubscriptions((key) => {
    const [server, principalKey] = JSON.parse(key) as [string, string];
    return users?.knownPeer(server, principalKey);
  });
  const owned = createOwned(options, dependencies, fleet, {
    parts: () => parts,
    raise: (principalKey) => changes.raise(principalKey),
  });
  const sessions = new SessionConnections(owned);
  const users =
    options.credentials &&
    new UserConnections({
      credentials: options.credentials,
      policy: { ...DEFAULT_USERS, ...options.users },
      connections: owned,
      now: dependencies.now,
      onUserChanged: (principalKey) => {
        personal.reconcile();
        changes.raise(principalKey);
      },
      onSignedOut: (server, principalKey) => sessions.endServer(server, principalKey),
    });
  const userViews = users && new UserViews(owned.table, users.targets, dependencies.declared);
  const parts: Parts = { dependencies, fleet, owned, sessions, users, userViews, shared, personal };
  const serverViews = new ServerViews(dependencies.wallNow, options.credentials?.tokenProblem);
  const names = new FleetNames(fleet, serverViews, dependencies.wallNow);
  const updateUsers = (): void => {
    users?.update(fleet.all());
    userViews?.update();
  };
  changes.listen((changedFor) => {
    if (changedFor !== 'all') return;
    updateUsers();
    sessions.update((server) => fleet.get(server));
    names.update();
  });
  const settled = (): Promise<void> => within(fleet.tried(), dependencies.timeouts.settleMs);
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
