import type { Principal } from '@gateway/call-contract';
import type { ContestedNames, ServerInventory } from '@gateway/catalog';
import { LRUCache } from 'lru-cache';
import { CombinedInventories } from '../personal/combined-inventories.ts';
import { DEFAULT_PERSONAL } from '../personal/personal-policy.ts';
import type { PersonalOutcome, PersonalServer } from '../personal/personal-view.ts';
import type { PersonalContract, PersonalState } from './personal-contract.ts';

type Inventories = readonly ServerInventory[];

/** The copy of what one person sees. */
interface MirroredPerson {
  readonly principal: Principal;
  /** The version of the servers that the copy was made with; `undefined` after a change. */
  version: number | undefined;
  /** Counts the changes: a copy that began before the last one is outdated. */
  changes: number;
  /** Monotonic time of the copy, in milliseconds. */
  at: number;
  servers: readonly PersonalServer[];
  inventories: Inventories | undefined;
  /** The last inventories of the person alone, of servers that are not connected. */
  last: Inventories;
  updating: Promise<void> | undefined;
}

/** The copies in another process and their owner. */
export interface MirroredPersonsOptions {
  readonly hub: PersonalContract;
  /** Changes with the states and lists of the servers. */
  readonly version: () => number;
  /** Returns the inventories that everybody sees. */
  readonly shared: () => Inventories;
  /** Returns the last inventories, as everybody had them, of the servers that are not connected. */
  readonly sharedLast: () => Inventories;
  /** Returns whether there are servers with connections of persons. */
  readonly hasTargets: () => boolean;
  readonly onChanged: (principalKey: string) => void;
}

/** Time for which a copy is used without a notice, in milliseconds: attempts of the owner to connect depend on time. */
const FRESH_MS = 60_000;

const GONE = 'the process that owns the servers has ended';

/** This process's copies of what persons see. */
export class MirroredPersons {
  readonly #options: MirroredPersonsOptions;
  readonly #persons = new LRUCache<string, MirroredPerson>({ max: DEFAULT_PERSONAL.maxPersons });
  /** By the owner's identifiers; an inventory is transferred once as long as a person sees it. */
  readonly #byId = new Map<number, WeakRef<ServerInventory>>();
  readonly #combined = new CombinedInventories();
  readonly #contested = new WeakMap<Inventories, ContestedNames>();
  readonly #signInListeners = new Set<(principalKey: string) => void>();

  constructor(options: MirroredPersonsOptions) {
    this.#options = options;
    options.hub.followPersons((keys, state) => {
      for (const key of keys) {
        if (state === 'changed') this.#changed(key);
        else this.#changing(key);
      }
    });
  }

  inventories({ key }: Principal): Inventories | undefined {
    return this.#persons.get(key)?.inventories;
  }

  lastInventories({ key }: Principal): Inventories {
    const shared = this.#options.sharedLast();
    const person = this.#persons.get(key);
    if (person === undefined) return shared;
    const connected = new Set((person.inventories ?? []).map(({ name }) => name));
    return this.#combined.of(
      shared.filter(({ name }) => !connected.has(name)),
      person.last,
    );
  }

  contested(inventories: Inventories): ContestedNames | undefined {
    return this.#contested.get(inventories);
  }

  servers({ key }: Principal): readonly PersonalServer[] {
    return this.#persons.get(key)?.servers ?? [];
  }

  prepare(principal: Principal): Promise<void> | undefined {
    if (!this.#options.hasTargets()) return undefined;
    const person = this.#person(principal);
    const isFresh = performance.now() - person.at < FRESH_MS;
    if (person.version === this.#options.version() && isFresh) return undefined;
    return this.#update(person);
  }

  onSignInChange(listener: (principalKey: string) => void): () => void {
    this.#signInListeners.add(listener);
    return () => this.#signInListeners.delete(listener);
  }

  async connect(server: string, principal: Principal): Promise<PersonalOutcome> {
    try {
      const outcome = await this.#options.hub.connectPersonal(server, principal);
      await this.#update(this.#person(principal), 'again');
      return outcome;
    } catch {
      return { code: 'failed', server, reason: GONE };
    }
  }

  disconnect(server: string, principal: Principal): void {
    this.#options.hub.disconnectPersonal(server, principal).catch(() => undefined);
  }

  #person(principal: Principal): MirroredPerson {
    const known = this.#persons.get(principal.key);
    if (known !== undefined) return known;
    const person: MirroredPerson = {
      principal,
      version: undefined,
      changes: 0,
      at: 0,
      servers: [],
      inventories: undefined,
      last: [],
      updating: undefined,
    };
    this.#persons.set(principal.key, person);
    return person;
  }

  #changed(key: string): void {
    void this.#updateKnown(key)?.then(() => this.#options.onChanged(key));
  }

  /** The next requests of the person wait for the copy, which the owner sends when the connections have followed the sign-in. */
  #changing(key: string): void {
    void this.#updateKnown(key);
    for (const listener of [...this.#signInListeners]) listener(key);
  }

  #updateKnown(key: string): Promise<void> | undefined {
    const person = this.#persons.peek(key);
    if (person === undefined) return undefined;
    person.version = undefined;
    person.changes += 1;
    return this.#update(person, 'again');
  }

  /** Copies what a person sees; concurrent calls share one copy, but for those that require a later one. Never rejects. */
  #update(person: MirroredPerson, again?: 'again'): Promise<void> {
    if (person.updating !== undefined && again === undefined) return person.updating;
    const before = person.updating ?? Promise.resolve();
    const updating = before
      .then(() => this.#copy(person))
      .catch(() => undefined)
      .finally(() => {
        if (person.updating === updating) person.updating = undefined;
      });
    person.updating = updating;
    return updating;
  }

  async #copy(person: MirroredPerson): Promise<void> {
    const version = this.#options.version();
    const { changes } = person;
    const state = await this.#options.hub.personalState(person.principal);
    person.inventories = await this.#inventoriesOf(state);
    person.last = await this.#identified(state.last);
    person.servers = state.servers;
    person.version = person.changes === changes ? version : undefined;
    person.at = performance.now();
  }

  async #inventoriesOf({
    inventories: ids,
    contested,
  }: PersonalState): Promise<Inventories | undefined> {
    if (ids === undefined) return undefined;
    const all = this.#combined.of(this.#options.shared(), await this.#identified(ids));
    if (contested !== undefined) this.#contested.set(all, contested);
    return all;
  }

  async #identified(ids: readonly number[]): Promise<Inventories> {
    const fetched = await this.#fetch(ids);
    return ids.flatMap((id) => fetched.get(id) ?? this.#byId.get(id)?.deref() ?? []);
  }

  /** Returns the inventories that this process does not have. */
  async #fetch(ids: readonly number[]): Promise<ReadonlyMap<number, ServerInventory>> {
    const missing = ids.filter((id) => this.#byId.get(id)?.deref() === undefined);
    const fetched = new Map<number, ServerInventory>();
    if (missing.length === 0) return fetched;
    const inventories = await this.#options.hub.personalInventories(missing);
    for (const [index, id] of missing.entries()) {
      const inventory = inventories[index] ?? undefined;
      if (inventory === undefined) continue;
      fetched.set(id, inventory);
      this.#byId.set(id, new WeakRef(inventory));
    }
    this.#sweep();
    return fetched;
  }

  #sweep(): void {
    for (const [id, ref] of this.#byId) if (ref.deref() === undefined) this.#byId.delete(id);
  }
}
