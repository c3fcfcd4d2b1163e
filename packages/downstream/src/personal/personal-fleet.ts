import type { Principal } from '@gateway/call-contract';
import type { ServerInventory } from '@gateway/catalog';
import type { CredentialChange } from '../credentials/server-credentials.ts';
import type { RequestPeer } from '../requests/request-errors.ts';
import { CombinedInventories } from './combined-inventories.ts';
import { personalPeer, type PersonalPeer } from './personal-peer.ts';
import { isHidden, personalOutcome, personalView } from './personal-record.ts';
import type { Person, PersonalRecord, SeenInventories } from './personal-record.ts';
import { PersonalRecords } from './personal-records.ts';
import type { PersonalRecordsOptions } from './personal-records-options.ts';
import type { PersonalTarget, SupervisedServer } from './personal-targets.ts';
import type { PersonalOutcome, PersonalServer } from './personal-view.ts';
import { isUnprepared, nextPreparation } from './prepare-person.ts';

/** The shared server of the same name, when it exists. */
type SharedPeer<Peer> = Peer | undefined;

/** Resolves with `work`, or after `ms`. */
const within = async (work: Promise<unknown>, ms: number): Promise<void> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work, late]);
  clearTimeout(timer);
};

/** The servers as each person sees them. A connection belongs to one person and one server. @spec §2.6 auth, §5.1 */
export class PersonalFleet {
  readonly #records: PersonalRecords;
  readonly #options: PersonalRecordsOptions;
  readonly #combined = new CombinedInventories();
  readonly #stopListening: () => void;
  readonly #signInListeners = new Set<(principalKey: string) => void>();
  /** Changes with the servers and with what everybody sees. */
  #version = 0;

  constructor(options: PersonalRecordsOptions) {
    this.#options = options;
    this.#records = new PersonalRecords(options);
    this.#stopListening = options.credentials.onChange((change) => this.#signInChanged(change));
  }

  /** Follows the servers after a change. */
  update(servers: readonly SupervisedServer[]): void {
    this.#version += 1;
    this.#records.update(servers);
  }

  /** Exposes newly accepted hints. */
  refreshExposedLists(): void {
    this.#version += 1;
    this.#records.refreshExposedLists();
  }

  /** Returns the inventories of a person; `undefined` when the person sees the shared ones only. The same array while nothing changes. */
  inventories(
    { key }: Principal,
    shared: () => readonly ServerInventory[],
  ): readonly ServerInventory[] | undefined {
    const person = this.#records.person(key);
    if (person === undefined) return undefined;
    const { seen } = person;
    const version = this.#version;
    if (seen?.version === version) return seen.all;
    const next: SeenInventories = { version, all: this.#combine(person, shared()) };
    person.seen = next;
    return next.all;
  }

  /** Returns the last inventories of the servers that a person has no connected one of; the same array while they are unchanged. */
  lastInventories(
    { key }: Principal,
    shared: readonly ServerInventory[],
  ): readonly ServerInventory[] {
    const person = this.#records.person(key);
    if (person === undefined) return shared;
    const own = new Set(this.#records.inventoriesOf(person).map(({ name }) => name));
    const others = shared.filter(({ name }) => !own.has(name));
    return this.#combined.of(others, this.#records.inventoriesOf(person, 'stopped'));
  }

  /** Returns the features of the servers that persons were connected to, by name. */
  get features(): PersonalRecords['features'] {
    return this.#records.features;
  }

  /** Returns the number of open connections by server. */
  get connections(): ReadonlyMap<string, number> {
    return this.#records.connections.byServer();
  }

  /** Returns the servers with connections of persons as one person sees them, sorted by name. */
  views({ key }: Principal): readonly PersonalServer[] {
    const person = this.#records.person(key);
    return [...this.#records.targets()].map(({ server, kind, isWanted }) => {
      const view = personalView({ server, kind }, person?.records.get(server));
      return isWanted ? view : { server, kind, status: 'disconnected', toolsCount: 0 };
    });
  }

  /** Calls back when the sign-in of a known person changes, before the connections follow it. Returns the function that removes the listener. */
  onSignInChange(listener: (principalKey: string) => void): () => void {
    this.#signInListeners.add(listener);
    return () => this.#signInListeners.delete(listener);
  }

  /**
   * Opens the connections that the first list of a person needs, and waits for those that a sign-in opens. Concurrent calls share one run,
   * which ends within a bound.
   *
   * @returns `undefined` when nothing is to do
   */
  prepare(principal: Principal): Promise<void> | undefined {
    if (this.#records.targetCount === 0) return undefined;
    const person = this.#records.personOf(principal);
    const preparing = this.#preparing(person);
    const { following } = person;
    if (following === undefined) return preparing;
    return preparing === undefined ? following : preparing.then(() => following);
  }

  #preparing(person: Person): Promise<void> | undefined {
    if (person.preparing !== undefined) return person.preparing;
    const isPrepared =
      person.prepared === this.#records.revision && this.#options.now() < person.retryAt;
    if (isPrepared) return undefined;
    person.preparing = this.#prepare(person).finally(() => {
      person.preparing = undefined;
    });
    return person.preparing;
  }

  /** Connects a person to a server now. */
  async connect(server: string, principal: Principal): Promise<PersonalOutcome> {
    const target = this.#records.target(server);
    if (target === undefined) return { code: 'not-personal', server };
    if (!target.isWanted) return { code: 'failed', server, reason: 'the server is stopped' };
    const record = this.#records.recordOf(principal, server);
    record.problem = undefined;
    record.failure = undefined;
    if (record.connection === undefined) await this.#records.open(record);
    return personalOutcome(record);
  }

  /** Ends the connection of a person to a server and hides its lists. */
  disconnect(server: string, principal: Principal): void {
    const record = this.#records.person(principal.key)?.records.get(server);
    if (record !== undefined)
      this.#records.signedOut(record, {
        ok: false,
        code: 'sign-in-required',
        reason: 'the person signed out',
      });
  }

  /**
   * Returns the server as the requests of a person reach it. A person without a sign-in uses the shared connection when there is one.
   *
   * @param shared the server with its shared connection
   */
  peer<Peer extends RequestPeer>(
    server: string,
    principal: Principal,
    shared: SharedPeer<Peer>,
  ): Peer | PersonalPeer | undefined | Promise<Peer | PersonalPeer> {
    const target = this.#records.target(server);
    if (target === undefined || !target.isWanted) return shared;
    const record = this.#records.recordOf(principal, server);
    if (record.connection !== undefined) return personalPeer(target.definition, record);
    const live = shared?.connection === undefined ? undefined : shared;
    if (live !== undefined && isHidden(record)) return live;
    return this.#opened(target, record, live);
  }

  /** Returns the server of a known person, with or without a connection. */
  knownPeer(server: string, principalKey: string): PersonalPeer | undefined {
    const target = this.#records.target(server);
    const record = this.#records.person(principalKey)?.records.get(server);
    return target === undefined || record === undefined
      ? undefined
      : personalPeer(target.definition, record);
  }

  /** Ends all connections. Resolves when they have ended. */
  close(): Promise<void> {
    this.#stopListening();
    return this.#records.close();
  }

  async #opened<Peer>(
    { definition }: PersonalTarget,
    record: PersonalRecord,
    live: SharedPeer<Peer>,
  ): Promise<Peer | PersonalPeer> {
    const { now, policy } = this.#options;
    const isRecent = record.failure !== undefined && now() < record.failedAt + policy.callRetryMs;
    if (!isRecent) await this.#records.open(record);
    const isShared = live !== undefined && record.connection === undefined && isHidden(record);
    return isShared ? live : personalPeer(definition, record);
  }

  async #prepare(person: Person): Promise<void> {
    const { now, policy } = this.#options;
    const { revision } = this.#records;
    const at = { now: now(), policy };
    const opening = [...this.#records.targets()].flatMap(({ server, kind, isWanted }) =>
      isWanted && isUnprepared(person.records.get(server), kind, at)
        ? [this.#records.open(this.#records.recordIn(person, server))]
        : [],
    );
    // A server that hangs again must not delay each request of its person.
    const waitMs = person.prepared === revision ? policy.retryWaitMs : policy.prepareMs;
    await within(Promise.all(opening), waitMs);
    person.prepared = revision;
    person.retryAt = nextPreparation(person, policy);
  }

  #combine(
    person: Person,
    shared: readonly ServerInventory[],
  ): readonly ServerInventory[] | undefined {
    const personal = this.#records.inventoriesOf(person);
    return personal.length === 0 ? undefined : this.#combined.of(shared, personal);
  }

  #signInChanged({ server, principalKey }: CredentialChange): void {
    const person = this.#records.person(principalKey);
    const target = this.#records.target(server);
    if (person === undefined || target === undefined) return;
    // Without a connection it is unknown whether the person may still see the lists.
    if (!target.isWanted) person.records.delete(server);
    if (!target.isWanted) return;
    const record = this.#records.recordIn(person, server);
    const work = this.#records.reconsider(record).catch(() => undefined);
    this.#follow(person, work);
    for (const listener of [...this.#signInListeners]) listener(principalKey);
  }

  /** Lets the next requests of a person wait for a change of a sign-in. */
  #follow(person: Person, work: Promise<void>): void {
    const following = Promise.all([
      person.following,
      within(work, this.#options.policy.prepareMs),
    ]).then(() => {
      if (person.following === following) person.following = undefined;
    });
    person.following = following;
  }
}
