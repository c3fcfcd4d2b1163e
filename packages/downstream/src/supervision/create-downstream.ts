import { ANONYMOUS } from '@gateway/call-contract';
import { createChangeSignal } from './change-signal.ts';
import type { ChangeSignal } from './change-signal.ts';
import { createDependencyWatch } from './starts/dependency-watch.ts';
import { restartServer, startServer, stopServer } from './control.ts';
import type { ControlOutcome } from './control.ts';
import type { Downstream, DownstreamOptions } from './downstream.ts';
import { createFleet } from './fleet.ts';
import type { Fleet } from './fleet.ts';
import { FleetNames } from './fleet-names.ts';
import {
  DEFAULT_BACKOFF,
  DEFAULT_BOUNDS,
  DEFAULT_HEALTH,
  DEFAULT_RELIST,
  DEFAULT_TIMEOUTS,
} from '../wire/limits.ts';
import { DEFAULT_PERSONAL } from '../personal/personal-policy.ts';
import { PersonalServers } from './personal-servers.ts';
import type { PersonalServersOptions } from './personal-servers.ts';
import { DEFAULT_INSTANCES } from '../instances/instance-policy.ts';
import { SessionInstances, type SessionInstancesOptions } from './session-instances.ts';
import { createPersonalView } from './personal-view.ts';
import { createRequests } from '../requests/requests.ts';
import type { Requests } from '../requests/requests.ts';
import { createStartGate } from './starts/start-gate.ts';
import { createSubscriptions } from '../lists/subscriptions.ts';
import type { Subscriptions } from '../lists/subscriptions.ts';
import { acceptTools } from './accept-tools.ts';
import type { Supervisor } from './supervisor.ts';
import type { SupervisorDependencies } from './supervisor-dependencies.ts';
import { DeclaredTools } from '../lists/trust/declared-tools.ts';
import { createWatchdog } from '../wire/stdio/watchdog.ts';

const createDependencies = (
  options: DownstreamOptions,
  listeners: Pick<SupervisorDependencies, 'onChange' | 'onResourceUpdated' | 'emit'>,
): SupervisorDependencies => {
  const random = options.random ?? Math.random;
  const now = (): number => performance.now();
  let connections = 0;
  const bounds = { ...DEFAULT_BOUNDS, ...options.bounds };
  const wallNow = options.now ?? Date.now;
  return {
    clientInfo: options.clientInfo,
    ...(options.credentials?.tokenProblem && { tokenProblem: options.credentials.tokenProblem }),
    log: options.log,
    clientFeatures: options.clientFeatures ?? {},
    timeouts: { ...DEFAULT_TIMEOUTS, ...options.timeouts },
    bounds,
    backoff: { ...DEFAULT_BACKOFF, ...options.backoff },
    relist: { ...DEFAULT_RELIST, ...options.relist },
    health: { ...DEFAULT_HEALTH, ...options.health },
    now,
    wallNow,
    random,
    watchdog: createWatchdog(),
    gate: createStartGate(bounds.maxConcurrentStarts, now),
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

const controlOf =
  (fleet: Fleet, act: (supervisor: Supervisor) => Promise<ControlOutcome>) =>
  async (server: string): Promise<ControlOutcome> => {
    const supervisor = fleet.get(server);
    return supervisor === undefined ? { code: 'unknown', server } : act(supervisor);
  };

/** The parts of a downstream. */
interface Parts {
  readonly dependencies: SupervisorDependencies;
  readonly fleet: Fleet;
  readonly personal: PersonalServers | undefined;
  readonly instances: SessionInstances;
}

const requestsOf = ({ dependencies, fleet, personal, instances }: Parts): Requests =>
  createRequests(
    (name, principal, caller) =>
      instances.peer(fleet.get(name), caller) ??
      (personal === undefined ? fleet.get(name) : personal.peer(name, principal)),
    dependencies.timeouts.requestMs,
  );

type Controls = Pick<Downstream, 'start' | 'stop' | 'restart' | 'acceptTools' | 'endClient'>;

/** Returns the controls of the servers. Those of one server are also those of its connections of persons. */
const controlsOf = ({ dependencies, fleet, personal, instances }: Parts): Controls => ({
  start: controlOf(fleet, startServer),
  stop: controlOf(fleet, (supervisor) => {
    instances.endServer(supervisor.definition.metadata.name);
    return stopServer(supervisor);
  }),
  restart: controlOf(fleet, (supervisor) => {
    const { name } = supervisor.definition.metadata;
    instances.endServer(name);
    personal?.restarted(name);
    return restartServer(supervisor);
  }),
  endClient: (client) => instances.endClient(client),
  acceptTools: async (name, tools) => {
    const outcome = await acceptTools(fleet.get(name), dependencies.declared, tools);
    personal?.fleet.refreshExposedLists();
    return outcome;
  },
});

/** Updates the parts, in order, after each change that everybody sees. */
const followChanges = (
  changes: ChangeSignal,
  parts: readonly ({ update(): void } | undefined)[],
): void => {
  changes.listen((changedFor) => {
    if (changedFor === 'all') for (const part of parts) part?.update();
  });
};

const viewsOf = (
  names: FleetNames,
  { fleet, instances }: Parts,
): Pick<Downstream, 'servers' | 'stateOf' | 'inventories' | 'contestedNames'> => ({
  servers: () => instances.shownIn(names.views()),
  stateOf: (name) => fleet.get(name)?.statusState,
  inventories: () => names.inventories(),
  contestedNames: () => names.contested(),
});

/** Returns the subscriptions over the connections of persons, and over the shared ones. */
const subscriberOf =
  (personal: PersonalServers | undefined, shared: Subscriptions): Downstream['subscribeResource'] =>
  async (resource, onUpdated, principal = ANONYMOUS) =>
    (await personal?.subscribe(resource, principal, onUpdated)) ??
    shared.subscribe({ ...resource, key: resource.server }, onUpdated);

const personalOf = (
  { credentials, personal }: DownstreamOptions,
  parts: Omit<PersonalServersOptions, 'credentials' | 'policy'>,
): PersonalServers | undefined =>
  credentials &&
  new PersonalServers({ credentials, policy: { ...DEFAULT_PERSONAL, ...personal }, ...parts });

const instancesOf = (
  { instances }: DownstreamOptions,
  parts: Omit<SessionInstancesOptions, 'policy'>,
): SessionInstances =>
  new SessionInstances({ policy: { ...DEFAULT_INSTANCES, ...instances }, ...parts });

/** Closing a child takes at most three grace periods; after four, the watchdog kills the rest. */
const CLOSE_GRACES = 4;

/** Maximum duration of the last write of tool declarations, in milliseconds. */
const LAST_WRITE_MS = 2_000;

const closeFleet = async (parts: Parts): Promise<void> => {
  const { dependencies, fleet, personal, instances } = parts;
  const { timeouts, declared, watchdog } = dependencies;
  const ended = Promise.all([fleet.close(), personal?.fleet.close(), instances.close()]);
  await within(ended, timeouts.closeGraceMs * CLOSE_GRACES + 1_000);
  await within(declared.close(), LAST_WRITE_MS);
  watchdog.close();
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
      subscriptions.reconcile();
      changes.raise();
    },
    onResourceUpdated: (server, params) => subscriptions.updated(server, params),
    // The end of the servers together with the gateway is not an event.
    emit: (event) => (isClosing ? undefined : options.emit?.(event)),
  });
  const fleet = createFleet(dependencies);
  const subscriptions = createSubscriptions((name) => fleet.get(name));
  const onPersonChanged = (principalKey?: string): void => changes.raise(principalKey);
  const personal = personalOf(options, { dependencies, fleet, onPersonChanged });
  const instances = instancesOf(options, { dependencies, fleet, onChanged: () => changes.raise() });
  const parts: Parts = { dependencies, fleet, personal, instances };
  const names = new FleetNames(fleet, dependencies.wallNow);
  followChanges(changes, [personal, instances, names]);
  const settled = (): Promise<void> => within(fleet.tried(), dependencies.timeouts.settleMs);
  return {
    ...requestsOf(parts),
    ...controlsOf(parts),
    ...createPersonalView(personal, names),
    subscribeResource: subscriberOf(personal, subscriptions),
    apply(servers) {
      fleet.apply(servers);
      personal?.update();
      names.settleAfter(settled);
    },
    ...viewsOf(names, parts),
    onChange: (listener) => changes.listen(listener),
    settled,
    close() {
      isClosing = true;
      return closeFleet(parts);
    },
  };
};
