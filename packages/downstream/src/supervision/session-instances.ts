import type { Caller } from '@gateway/call-contract';
import type { InstancePolicy } from '../instances/instance-policy.ts';
import { isPerSession, ServerInstances } from '../instances/server-instances.ts';
import type { RequestPeer } from '../requests/request-errors.ts';
import type { Fleet } from './fleet.ts';
import { sameConnection } from './fleet-plan.ts';
import type { ServerView } from './server-view.ts';
import type { SupervisorDependencies } from './supervisor-dependencies.ts';
import type { Supervisor } from './supervisor.ts';

/** The dependencies of {@link SessionInstances}. */
export interface SessionInstancesOptions {
  readonly dependencies: SupervisorDependencies;
  readonly fleet: Pick<Fleet, 'get'>;
  readonly policy: InstancePolicy;
  /** The number of instances changed. */
  readonly onChanged: () => void;
}

/** The instances of the servers of a fleet with `instances: perSession`. @spec §2.6 */
export class SessionInstances {
  readonly #fleet: Pick<Fleet, 'get'>;
  readonly #instances: ServerInstances;

  constructor({ dependencies, fleet, policy, onChanged }: SessionInstancesOptions) {
    this.#fleet = fleet;
    this.#instances = new ServerInstances({
      ...dependencies,
      policy,
      onChanged,
      enterGate: (server, signal) => dependencies.gate.enter({ server, isRetry: false, signal }),
    });
  }

  /** Returns the instance that a call of a client reaches; `undefined` when it reaches the shared process. */
  peer(
    supervisor: Supervisor | undefined,
    caller: Caller | undefined,
  ): RequestPeer | Promise<RequestPeer> | undefined {
    if (supervisor === undefined || !isPerSession(supervisor.definition)) return undefined;
    const client = caller?.client;
    if (client === undefined) return undefined;
    const isStarted = supervisor.connection !== undefined;
    if (!isStarted && !this.#instances.isLive(supervisor.definition, client)) return undefined;
    return this.#instances.peer(supervisor, { client, person: caller?.person });
  }

  /** Follows the fleet after a change: the instances of a stopped or differently defined server end. */
  update(): void {
    this.#instances.retain((server, definition) => {
      const supervisor = this.#fleet.get(server);
      if (supervisor === undefined || supervisor.statusState === 'Stopped') return false;
      const present = supervisor.definition;
      return isPerSession(present) && sameConnection(definition, present);
    });
  }

  /** Returns the views with the numbers of instances. */
  shownIn(views: readonly ServerView[]): readonly ServerView[] {
    if (!views.some(({ definition }) => isPerSession(definition))) return views;
    const { counts } = this.#instances;
    return views.map((view) =>
      isPerSession(view.definition) ? { ...view, instances: counts.get(view.name) ?? 0 } : view,
    );
  }

  /** Ends the instances of a server. */
  endServer(server: string): void {
    this.#instances.endServer(server);
  }

  /** Ends the instances of a client. */
  endClient(client: string): void {
    this.#instances.endClient(client);
  }

  /** Ends all instances. Resolves when they have ended. */
  close(): Promise<void> {
    return this.#instances.close();
  }
}
