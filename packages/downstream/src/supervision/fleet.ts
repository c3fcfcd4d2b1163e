import type { McpServer } from '@gateway/crd-schemas';
import { planFleet } from './fleet-plan.ts';
import type { FleetUpdate } from './fleet-plan.ts';
import { Supervisor } from './supervisor.ts';
import type { SupervisorWorld } from './supervisor-dependencies.ts';

/** All servers, supervised. */
export interface Fleet {
  /** Makes the servers be these. */
  apply(servers: readonly McpServer[]): void;
  get(name: string): Supervisor | undefined;
  /** Sorted by name. */
  all(): readonly Supervisor[];
  /** Resolves when every server that starts by itself was tried. */
  tried(): Promise<void>;
  /** Stops everything; resolves when it is gone. */
  close(): Promise<void>;
}

const byName = (a: Supervisor, b: Supervisor): number =>
  a.definition.metadata.name < b.definition.metadata.name ? -1 : 1;

/** The servers by name, and the ends of those that were removed. */
interface Roster {
  readonly supervisors: Map<string, Supervisor>;
  /** Removed servers that still end; one that comes back under the same name waits for them. */
  readonly departing: Map<string, Promise<void>>;
}

const add = (
  { supervisors, departing }: Roster,
  server: McpServer,
  world: SupervisorWorld,
): void => {
  const { name } = server.metadata;
  const supervisor = new Supervisor(server, world, departing.get(name) ?? Promise.resolve());
  supervisors.set(name, supervisor);
  if (server.spec.autoStart) supervisor.tell({ kind: 'start' });
};

const remove = (
  { supervisors, departing }: Roster,
  name: string,
  { gate }: Pick<SupervisorWorld, 'gate'>,
): void => {
  const supervisor = supervisors.get(name);
  if (supervisor === undefined) return;
  supervisors.delete(name);
  supervisor.tell({ kind: 'stop' });
  const end = supervisor.ended().then(() => {
    if (departing.get(name) !== end) return;
    departing.delete(name);
    if (!supervisors.has(name)) gate.forget(name);
  });
  departing.set(name, end);
};

const update = ({ supervisors }: Roster, { server, reconnect, start }: FleetUpdate): void => {
  const supervisor = supervisors.get(server.metadata.name);
  supervisor?.redefine(server, reconnect);
  if (start) supervisor?.tell({ kind: 'start' });
};

/** An empty fleet. */
export const createFleet = (world: SupervisorWorld): Fleet => {
  const roster: Roster = { supervisors: new Map(), departing: new Map() };
  const { supervisors, departing } = roster;
  let sorted: readonly Supervisor[] = [];
  let closed = false;
  return {
    apply(servers) {
      if (closed) return;
      const present = new Map([...supervisors].map(([name, { definition }]) => [name, definition]));
      const plan = planFleet(servers, present);
      for (const name of plan.remove) remove(roster, name, world);
      for (const server of plan.add) add(roster, server, world);
      for (const change of plan.update) update(roster, change);
      sorted = [...supervisors.values()].sort(byName);
      world.onChange();
    },
    get: (name) => supervisors.get(name),
    all: () => sorted,
    async tried() {
      const starting = sorted.filter(({ definition }) => definition.spec.autoStart);
      await Promise.all(starting.map((supervisor) => supervisor.atRest()));
    },
    async close() {
      closed = true;
      for (const name of [...supervisors.keys()]) remove(roster, name, world);
      sorted = [];
      await Promise.all(departing.values());
    },
  };
};
