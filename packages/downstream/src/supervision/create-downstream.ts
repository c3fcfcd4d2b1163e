import { createChangeSignal } from './change-signal.ts';
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
import { createRequests } from '../requests/requests.ts';
import { createStartGate } from './starts/start-gate.ts';
import { createSubscriptions } from '../lists/subscriptions.ts';
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
const within = async (work: Promise<void>, ms: number): Promise<void> => {
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

/** Closing a child takes at most three grace periods; after four, the watchdog kills the rest. */
const CLOSE_GRACES = 4;

/** Maximum duration of the last write of tool declarations, in milliseconds. */
const LAST_WRITE_MS = 2_000;

const closeFleet = async (
  fleet: Fleet,
  { timeouts, declared, watchdog }: SupervisorDependencies,
): Promise<void> => {
  await within(fleet.close(), timeouts.closeGraceMs * CLOSE_GRACES + 1_000);
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
  const names = new FleetNames(fleet, dependencies.wallNow);
  changes.listen(() => names.update());
  const settled = (): Promise<void> => within(fleet.tried(), dependencies.timeouts.settleMs);
  return {
    ...createRequests((name) => fleet.get(name), dependencies.timeouts.requestMs),
    subscribeResource: (resource, onUpdated) => subscriptions.subscribe(resource, onUpdated),
    apply(servers) {
      fleet.apply(servers);
      names.settleAfter(settled);
    },
    start: controlOf(fleet, startServer),
    stop: controlOf(fleet, stopServer),
    restart: controlOf(fleet, restartServer),
    acceptTools: (name, tools) => acceptTools(fleet.get(name), dependencies.declared, tools),
    verifyConnection: (name) => fleet.get(name)?.connection?.verify(),
    servers: () => names.views(),
    inventories: () => names.inventories(),
    contestedNames: () => names.contested(),
    onChange: (listener) => changes.listen(listener),
    settled,
    async close() {
      isClosing = true;
      await closeFleet(fleet, dependencies);
    },
  };
};
