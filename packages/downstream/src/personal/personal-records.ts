import type { Principal } from '@gateway/call-contract';
import type { ServerInventory } from '@gateway/catalog';
import { SessionRenewals } from '../connection/session-renewals.ts';
import { EndingConnections } from './ending-connections.ts';
import { OpenConnections } from './open-connections.ts';
import { createOpeningSlots } from './opening-slots.ts';
import type { CredentialProblem } from './person-authority.ts';
import { PersonalInventories } from './personal-inventories.ts';
import { PersonalOpener } from './personal-opener.ts';
import { reopenDelayMs } from './personal-policy.ts';
import { planAttempt } from './prepare-person.ts';
import { isHidden, newRecord, type Person, type PersonalRecord } from './personal-record.ts';
import type { PersonalRecordsOptions } from './personal-records-options.ts';
import { Persons } from './persons.ts';
import { PersonalTargets } from './personal-targets.ts';
import type { EndedTarget, PersonalTarget, SupervisedServer } from './personal-targets.ts';

/** The records of all persons with their connections. */
export class PersonalRecords {
  readonly #options: PersonalRecordsOptions;
  readonly #targets: PersonalTargets;
  readonly #persons: Persons;
  readonly #inventories: PersonalInventories;
  readonly connections: OpenConnections;
  readonly #opener: PersonalOpener;
  readonly #ending = new EndingConnections();
  #isClosed = false;

  constructor(options: PersonalRecordsOptions) {
    const { policy, now } = options;
    this.#options = options;
    this.#targets = new PersonalTargets(options.credentials);
    this.#persons = new Persons(policy.maxPersons, (person) => this.#endAll(person));
    this.#inventories = new PersonalInventories(options.declared);
    this.connections = new OpenConnections({
      max: policy.maxConnections,
      idleMs: policy.idleMs,
      now,
      isNeeded: options.isSubscribed,
      close: (record) => this.#end(record),
    });
    this.#opener = new PersonalOpener({
      ...options,
      inventories: this.#inventories,
      slots: createOpeningSlots(policy.maxOpening),
      open: this.connections,
      definitionOf: (server) => this.#targets.get(server)?.definition,
      onChanged: (record) => this.#changed(record),
      onProblem: (record, problem) => this.#problem(record, problem),
      onAuthorized: (record) => this.#authorized(record),
      onSessionEnded: (record) => this.#sessionEnded(record),
      onLost: (record) => this.#lost(record),
    });
  }

  /** Changes with the servers. */
  get revision(): number {
    return this.#targets.revision;
  }

  get targetCount(): number {
    return this.#targets.size;
  }

  get features(): PersonalOpener['features'] {
    return this.#opener.features;
  }

  targets(): Iterable<PersonalTarget> {
    return this.#targets.all();
  }

  target(server: string): PersonalTarget | undefined {
    return this.#targets.get(server);
  }

  person(key: string): Person | undefined {
    return this.#persons.get(key);
  }

  personOf(principal: Principal): Person {
    return this.#persons.of(principal);
  }

  recordOf(principal: Principal, server: string): PersonalRecord {
    return this.recordIn(this.#persons.of(principal), server);
  }

  recordIn(person: Person, server: string): PersonalRecord {
    const record = person.records.get(server) ?? newRecord(person, server);
    person.records.set(server, record);
    return record;
  }

  /** Follows the servers after a change. */
  update(servers: readonly SupervisedServer[]): void {
    for (const target of this.#targets.update(servers) ?? []) {
      this.#opener.forget(target.server);
      for (const person of this.#persons.all()) this.#forget(person, target);
    }
  }

  refreshExposedLists(): void {
    this.#inventories.refresh();
  }

  /** Returns the inventories of the servers, or of the stopped ones, that a person is signed in to. Tokens that ended do not hide them. */
  inventoriesOf(person: Person, of: 'wanted' | 'stopped' = 'wanted'): readonly ServerInventory[] {
    return [...this.#targets.all()].flatMap(({ server, definition, isWanted }) => {
      const record = person.records.get(server);
      if (record?.lists === undefined || isHidden(record)) return [];
      if (isWanted !== (of === 'wanted')) return [];
      return [this.#inventories.of(definition, record.lists)];
    });
  }

  /**
   * Opens the connection of a record; concurrent calls share one attempt. Resolves when it, and each one that replaced it, has ended; the
   * outcome is in the record.
   */
  async open(record: PersonalRecord): Promise<void> {
    if (record.connection === undefined && !this.#isClosed) record.opening ??= this.#begin(record);
    while (record.opening !== undefined) await record.opening;
  }

  /** Gets the credential of a record again, and opens or ends its connection accordingly. */
  async reconsider(record: PersonalRecord): Promise<void> {
    const { definition } = this.#targets.get(record.server) ?? {};
    if (definition === undefined) return;
    record.changes += 1;
    const { changes } = record;
    const outcome = await this.#options.credentials.current(definition, record.person.principal);
    // A later change has a later credential.
    if (record.changes !== changes) return;
    if (!outcome.ok) {
      this.#refused(record, outcome);
      return;
    }
    // An attempt in progress may use an earlier credential, and the event stream of a refused one has ended.
    if (record.connection === undefined || record.problem !== undefined) this.#retire(record);
    record.problem = undefined;
    record.failure = undefined;
    record.failures = 0;
    await this.open(record);
    this.#changed(record);
  }

  /** Ends the connection of a record and hides its lists. */
  signedOut(record: PersonalRecord, problem: CredentialProblem): void {
    this.#end(record, problem);
    record.problem = problem;
    record.lists = undefined;
    this.#changed(record);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.connections.stop();
    for (const person of this.#persons.all()) this.#endAll(person);
    await this.#ending.close();
  }

  #begin(record: PersonalRecord): Promise<void> {
    const ending = new AbortController();
    record.ending = ending;
    const opening: Promise<void> = this.#opener.open(record, ending.signal).finally(() => {
      if (record.opening !== opening) return;
      record.opening = undefined;
      if (record.connection === undefined) this.#keepSubscribed(record);
      planAttempt(record, this.#options.policy);
      this.#changed(record);
    });
    return opening;
  }

  /** Records why a request could not be authorized. A sign-in may have followed it, so a sign-out is checked. */
  #problem(record: PersonalRecord, problem: CredentialProblem): void {
    if (problem.code === 'sign-in-required') void this.reconsider(record);
    else this.#refused(record, problem);
  }

  #refused(record: PersonalRecord, problem: CredentialProblem): void {
    if (problem.code === 'sign-in-required') {
      this.signedOut(record, problem);
      return;
    }
    const isNew = record.problem?.code !== problem.code;
    record.problem = problem;
    if (isNew) this.#changed(record);
  }

  #authorized(record: PersonalRecord): void {
    if (record.problem === undefined) return;
    record.problem = undefined;
    this.#changed(record);
  }

  /** The calls that run may finish; the next one opens another session. */
  #sessionEnded(record: PersonalRecord): void {
    const { now, backoff } = this.#options;
    record.renewals ??= new SessionRenewals();
    if (record.connection === undefined || !record.renewals.take(now(), backoff)) return;
    this.#retire(record);
    this.#keepSubscribed(record);
  }

  #lost(record: PersonalRecord): void {
    this.#end(record);
    record.failures = 0;
    this.#keepSubscribed(record);
  }

  /** Opens a lost connection again for the subscriptions of its person; any other one waits for the next request. */
  #keepSubscribed(record: PersonalRecord): void {
    if (!this.#options.isSubscribed(record) || isHidden(record) || this.#isClosed) return;
    const { person, server } = record;
    const again = (): void => {
      if (this.person(person.principal.key)?.records.get(server) === record) void this.open(record);
    };
    setTimeout(again, reopenDelayMs(record.failures, this.#options.policy)).unref();
  }

  #forget(person: Person, { server, isStopped, mayFinish }: EndedTarget): void {
    const record = person.records.get(server);
    if (record === undefined) return;
    if (!isStopped) person.records.delete(server);
    person.seen = undefined;
    this.#ending[mayFinish ? 'retire' : 'end'](this.#detach(record));
  }

  /** Ends the attempt, and the connection when its calls have ended. */
  #retire(record: PersonalRecord): void {
    this.#ending.retire(this.#detach(record));
  }

  #endAll(person: Person): void {
    for (const record of person.records.values()) this.#end(record);
  }

  /** Ends the attempt and the connection; what is known about the lists stays. */
  #end(record: PersonalRecord, problem?: CredentialProblem): void {
    this.#ending.end(this.#detach(record), problem);
  }

  /** Ends the attempt. Returns the connection, which is not used any more. */
  #detach(record: PersonalRecord): PersonalRecord['connection'] {
    const { connection, ending } = record;
    record.connection = undefined;
    record.opening = undefined;
    record.ending = undefined;
    ending?.abort(new Error('the connection was ended'));
    this.connections.forget(record);
    return connection;
  }

  #changed(record: PersonalRecord): void {
    record.person.seen = undefined;
    this.#options.onPersonChanged(record.person.principal.key);
  }
}
