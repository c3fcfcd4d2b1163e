import type { McpServer } from '@gateway/crd-schemas';
import { planFleet, startsByItself } from './fleet-plan.ts';
import type { FleetUpdate } from './fleet-plan.ts';
import { Supervisor } from './supervisor.ts';
import type { SupervisorDependencies } from './supervisor-dependencies.ts';

/** All servers with their supervisors. */
export interface Fleet {
  /** Applies the desired servers. */
  apply(servers: readonly McpServer[]): void;
  get(name: string): Supervisor | undefined;
  /** Returns the supervisors, sorted by name. */
  all(): readonly Supervisor[];
  /** Resolves when every server with `autoStart` was tried. */
  tried(): Promise<void>;
  /** Stops all servers; resolves when they have ended. */
  close(): Promise<void>;
}

const byName = (a: Supervisor, b: Supervisor): number =>
  a.definition.metadata.name < b.definition.metadata.name ? -1 : 1;

/** The servers by name, and the ends of removed servers. */
interface ServerRegistry {
  readonly supervisors: Map<string, Supervisor>;
  /** Removed servers that are still ending; a new server of the same name waits for them. */
  readonly ending: Map<string, Promise<void>>;
}

const add = (
  { supervisors, ending }: ServerRegistry,
  server: McpServer,
  dependencies: SupervisorDependencies,
): void => {
  const { name } = server.metadata;
  const supervisor = new Supervisor(server, dependencies, ending.get(name) ?? Promise.resolve());
  supervisors.set(name, supervisor);
  if (startsByItself(server)) supervisor.dispatch({ kind: 'start' });
};

const remove = (
  { supervisors, ending }: ServerRegistry,
  name: string,
  { gate }: Pick<SupervisorDependencies, 'gate'>,
): void => {
  const supervisor = supervisors.get(name);
  if (supervisor === undefined) return;
  supervisors.delete(name);
  supervisor.dispatch({ kind: 'stop' });
  supervisor.remove();
  const end = supervisor.ended().then(() => {
    if (ending.get(name) !== end) return;
    ending.delete(name);
    if (!supervisors.has(name)) gate.forget(name);
  });
  ending.set(name, end);
};

const update = (
  { supervisors }: ServerRegistry,
  { server, reconnect, start, stop }: FleetUpdate,
): void => {
  const supervisor = supervisors.get(server.metadata.name);
  supervisor?.redefine(server, reconnect);
  // A server that runs already, or retries, was started by the request itself.
  if (start && supervisor?.isDesired === false) supervisor.dispatch({ kind: 'start' });
  if (stop) supervisor?.dispatch({ kind: 'stop' });
};

/** Returns an empty fleet. */
export const createFleet = (dependencies: SupervisorDependencies): Fleet => {
  const registry: ServerRegistry = { supervisors: new Map(), ending: new Map() };
  const { supervisors, ending } = registry;
  let sorted: readonly Supervisor[] = [];
  let closed = false;
  return {
    apply(servers) {
      if (closed) return;
      const present = new Map([...supervisors].map(([name, { definition }]) => [name, definition]));
      const plan = planFleet(servers, present);
      for (const name of plan.remove) remove(registry, name, dependencies);
      for (const server of plan.add) add(registry, server, dependencies);
      for (const change of plan.update) update(registry, change);
      sorted = [...supervisors.values()].sort(byName);
      dependencies.onChange();
    },
    get: (name) => supervisors.get(name),
    all: () => sorted,
    async tried() {
      const starting = sorted.filter(({ definition }) => startsByItself(definition));
      await Promise.all(starting.map((supervisor) => supervisor.atRest()));
    },
    async close() {
      closed = true;
      for (const name of [...supervisors.keys()]) remove(registry, name, dependencies);
      sorted = [];
      await Promise.all(ending.values());
    },
  };
};
