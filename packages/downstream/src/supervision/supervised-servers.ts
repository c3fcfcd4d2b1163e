import type { McpServer } from '@gateway/crd-schemas';
import type { SupervisedServer } from '../personal/personal-targets.ts';
import { hasOtherValuesOnly } from '../wire/referenced-values.ts';
import { sameConnection } from './fleet-plan.ts';
import type { Supervisor } from './supervisor.ts';

interface Known {
  readonly supervisor: Supervisor;
  readonly definition: McpServer;
  readonly isWanted: boolean;
  readonly requiresAuth: boolean;
  readonly generation: number;
  readonly mayFinish: boolean;
}

/** A server that demanded a sign-in demands it until its shared connection works. */
const demandsAuth = ({ requiresAuth, connection }: Supervisor, known: Known | undefined): boolean =>
  requiresAuth || (connection === undefined && known?.requiresAuth === true);

const isSameServer = (before: McpServer, after: McpServer): boolean =>
  before === after || sameConnection(before, after);

/** The servers as the connections of persons follow them. */
export class SupervisedServers {
  #known: ReadonlyMap<string, Known> = new Map();
  #generations = 0;

  /** Returns the servers after a change, sorted by name. */
  update(supervisors: readonly Supervisor[]): readonly SupervisedServer[] {
    const next = supervisors.map((supervisor) => this.#next(supervisor));
    this.#known = new Map(next.map((known) => [known.definition.metadata.name, known]));
    return next;
  }

  /** Replaces the connections of persons to a server at the next update. */
  restarted(server: string): void {
    const known = this.#known.get(server);
    if (known === undefined) return;
    this.#known = new Map(this.#known).set(server, { ...known, isWanted: false });
  }

  #next(supervisor: Supervisor): Known {
    const { definition, state } = supervisor;
    const known = this.#known.get(definition.metadata.name);
    const { kind } = state.phase;
    const before =
      known?.supervisor === supervisor && known.isWanted ? known.definition : undefined;
    const isSame = before !== undefined && isSameServer(before, definition);
    return {
      supervisor,
      definition,
      isWanted: kind !== 'stopped' && kind !== 'stopping',
      requiresAuth: demandsAuth(supervisor, isSame ? known : undefined),
      generation: isSame && known !== undefined ? known.generation : this.#nextGeneration(),
      mayFinish: before !== undefined && hasOtherValuesOnly(before, definition),
    };
  }

  #nextGeneration(): number {
    this.#generations += 1;
    return this.#generations;
  }
}
