import type { NameOwner } from './catalog-warning.ts';

/** Returns whether two owners are the same. */
const sameOwner = (a: NameOwner, b: NameOwner): boolean => a.name === b.name && a.kind === b.kind;

/** Returns the holder of a name when it is another owner. */
export const otherHolder = (
  holder: NameOwner | undefined,
  owner: NameOwner,
): NameOwner | undefined => (holder === undefined || sameOwner(holder, owner) ? undefined : holder);

/** Receives the claims of owners that can serve a name now. */
export interface ClaimSink {
  claim(name: string, owner: NameOwner): void;
}

/** Gives each name to one of the owners that claim it. */
export class NameContest implements ClaimSink {
  readonly holders = new Map<string, NameOwner>();
  /** The holders of the names that several owners claim. */
  readonly contested = new Map<string, NameOwner>();
  readonly #previous: ReadonlyMap<string, NameOwner>;

  /** @param previous the holders so far */
  constructor(previous: ReadonlyMap<string, NameOwner>) {
    this.#previous = previous;
  }

  /** Gives the name to the holder so far; without one, the first claim wins. */
  claim(name: string, owner: NameOwner): void {
    const holder = this.holders.get(name);
    if (holder === undefined) this.holders.set(name, owner);
    else if (!sameOwner(holder, owner))
      this.#decide(name, this.#heldBefore(name, owner) ? owner : holder);
  }

  /** Keeps the name for an owner that cannot serve it now, if it is the holder so far. Call it after all claims. */
  retain(name: string, owner: NameOwner): void {
    if (!this.#heldBefore(name, owner)) return;
    const holder = this.holders.get(name);
    if (holder === undefined) this.holders.set(name, owner);
    else if (!sameOwner(holder, owner)) this.#decide(name, owner);
  }

  #heldBefore(name: string, owner: NameOwner): boolean {
    const before = this.#previous.get(name);
    return before !== undefined && sameOwner(before, owner);
  }

  #decide(name: string, holder: NameOwner): void {
    this.holders.set(name, holder);
    this.contested.set(name, holder);
  }
}
