import type { Principal } from '@gateway/call-contract';
import type { ServerCredentials } from '../credentials/server-credentials.ts';
import type { SubscribeOutcome, UpdateListener, Subscriptions } from '../lists/subscriptions.ts';
import { createSubscriptions } from '../lists/subscriptions.ts';
import { PersonalFleet } from '../personal/personal-fleet.ts';
import type { PersonalPeer } from '../personal/personal-peer.ts';
import type { PersonalPolicy } from '../personal/personal-policy.ts';
import type { PersonalRecord } from '../personal/personal-record.ts';
import type { Fleet } from './fleet.ts';
import { SupervisedServers } from './supervised-servers.ts';
import type { SupervisorDependencies } from './supervisor-dependencies.ts';
import type { Supervisor } from './supervisor.ts';

/** The dependencies of the servers with connections of persons. */
export interface PersonalServersOptions {
  readonly credentials: ServerCredentials;
  readonly policy: PersonalPolicy;
  readonly dependencies: SupervisorDependencies;
  readonly fleet: Fleet;
  /** A person sees a change; everybody when no key is given. */
  readonly onPersonChanged: (principalKey?: string) => void;
}

/** Returns the key of a person's subscriptions at a server. No server has a name like it. */
const keyOf = (server: string, principalKey: string): string =>
  JSON.stringify([server, principalKey]);

const recordKey = ({ server, person }: PersonalRecord): string =>
  keyOf(server, person.principal.key);

/** The servers of a fleet as each person sees them. */
export class PersonalServers {
  readonly fleet: PersonalFleet;
  readonly #supervised = new SupervisedServers();
  readonly #subscriptions: Subscriptions;
  readonly #source: Fleet;

  constructor({ credentials, policy, dependencies, fleet, ...options }: PersonalServersOptions) {
    this.#source = fleet;
    this.fleet = new PersonalFleet({
      ...dependencies,
      credentials,
      policy,
      isSubscribed: (record) => this.#subscriptions.has(recordKey(record)),
      onResourceUpdated: (record, params) => this.#subscriptions.updated(recordKey(record), params),
      onFeatures: () => options.onPersonChanged(),
      onPersonChanged: (principalKey) => {
        this.#subscriptions.reconcile();
        options.onPersonChanged(principalKey);
      },
    });
    this.#subscriptions = createSubscriptions((key) => {
      const [server, principalKey] = JSON.parse(key) as [string, string];
      return this.fleet.knownPeer(server, principalKey);
    });
  }

  /** Follows the fleet after a change. */
  update(): void {
    this.fleet.update(this.#supervised.update(this.#source.all()));
  }

  /** Replaces the connections of persons to a server. */
  restarted(server: string): void {
    this.#supervised.restarted(server);
    this.update();
  }

  /** Returns the server as the requests of a person reach it. */
  peer(
    server: string,
    principal: Principal,
  ): Supervisor | PersonalPeer | undefined | Promise<Supervisor | PersonalPeer> {
    return this.fleet.peer(server, principal, this.#source.get(server));
  }

  /** Follows a resource of a server over the connection of a person; `undefined` when the person uses the shared one. */
  async subscribe(
    { server, uri }: { readonly server: string; readonly uri: string },
    principal: Principal,
    onUpdated: UpdateListener,
  ): Promise<SubscribeOutcome | undefined> {
    const peer = await this.peer(server, principal);
    if (peer === undefined || peer === this.#source.get(server)) return undefined;
    const key = keyOf(server, principal.key);
    return this.#subscriptions.subscribe({ key, server, uri }, onUpdated);
  }
}
