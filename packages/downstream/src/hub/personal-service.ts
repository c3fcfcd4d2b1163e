import type { Principal } from '@gateway/call-contract';
import type { ServerInventory } from '@gateway/catalog';
import type { PersonalOutcome } from '../personal/personal-view.ts';
import type { Downstream } from '../supervision/downstream.ts';
import type { PersonalContract, PersonalState } from './personal-contract.ts';

type Inventories = readonly ServerInventory[];

/** Remove identifiers of collected inventories after this many additions. */
const SWEEP_EVERY = 1_024;

/** The inventories that another process may request, by identifiers that are never reused. */
class IdentifiedInventories {
  readonly #ids = new WeakMap<ServerInventory, number>();
  readonly #byId = new Map<number, WeakRef<ServerInventory>>();
  #last = 0;

  idOf(inventory: ServerInventory): number {
    const known = this.#ids.get(inventory);
    if (known !== undefined) return known;
    this.#last += 1;
    this.#ids.set(inventory, this.#last);
    this.#byId.set(this.#last, new WeakRef(inventory));
    if (this.#last % SWEEP_EVERY === 0) this.#sweep();
    return this.#last;
  }

  get(id: number): ServerInventory | null {
    return this.#byId.get(id)?.deref() ?? null;
  }

  #sweep(): void {
    for (const [id, ref] of this.#byId) if (ref.deref() === undefined) this.#byId.delete(id);
  }
}

/** Serves the servers of persons to one other process. */
export class PersonalService implements PersonalContract {
  readonly #downstream: Downstream;
  readonly #inventories = new IdentifiedInventories();

  constructor(downstream: Downstream) {
    this.#downstream = downstream;
  }

  async personalState(principal: Principal): Promise<PersonalState> {
    const downstream = this.#downstream;
    await downstream.prepare(principal);
    const servers = downstream.personal(principal);
    const inventories = downstream.inventoriesFor(principal);
    const last = this.#idsOf(downstream.lastInventories(principal), downstream.lastInventories());
    if (inventories === undefined) return { servers, last };
    return {
      servers,
      inventories: this.#idsOf(inventories, downstream.inventories()),
      last,
      contested: downstream.contestedNamesIn(inventories),
    };
  }

  /** Returns the identifiers of the inventories of a person that are not shared. */
  #idsOf(inventories: Inventories, shared: Inventories): readonly number[] {
    const others = new Set(shared);
    return inventories.flatMap((one) => (others.has(one) ? [] : [this.#inventories.idOf(one)]));
  }

  personalInventories(ids: readonly number[]): Promise<readonly (ServerInventory | null)[]> {
    return Promise.resolve(ids.map((id) => this.#inventories.get(id)));
  }

  connectPersonal(server: string, principal: Principal): Promise<PersonalOutcome> {
    return this.#downstream.connectPersonal(server, principal);
  }

  disconnectPersonal(server: string, principal: Principal): Promise<void> {
    this.#downstream.disconnectPersonal(server, principal);
    return Promise.resolve();
  }

  followPersons(listener: Parameters<PersonalContract['followPersons']>[0]): () => void {
    const stopChanging = this.#downstream.onSignInChange((key) => listener([key], 'changing'));
    const stopChanged = this.#downstream.onChange((changedFor) => {
      if (changedFor !== 'all') listener([...changedFor], 'changed');
    });
    return () => {
      stopChanging();
      stopChanged();
    };
  }
}
