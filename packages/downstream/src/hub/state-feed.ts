import type { ContestedNames, ServerInventory } from '@gateway/catalog';
import { isDeepStrictEqual } from 'node:util';
import type { Downstream } from '../supervision/downstream.ts';
import type { ServerView } from '../supervision/server-view.ts';
import type { PersonalFacts } from './personal-contract.ts';
import type { StateChange } from './hub-contract.ts';

/** The state that the receiver has. */
interface Known {
  views: ReadonlyMap<string, ServerView>;
  inventories: ReadonlyMap<string, ServerInventory>;
  /** The last inventories of the servers that are not connected. */
  last: ReadonlyMap<string, ServerInventory>;
  contested: ContestedNames | undefined;
  personal: readonly PersonalFacts[];
  settled: boolean;
}

type Change = Omit<StateChange, 'version'>;

const sameNames = (a: ReadonlyMap<string, unknown>, b: ReadonlyMap<string, unknown>): boolean =>
  a.size === b.size && [...a.keys()].every((name) => b.has(name));

const sameServers = (a: Known, b: Known): boolean =>
  sameNames(a.views, b.views) &&
  sameNames(a.inventories, b.inventories) &&
  sameNames(a.last, b.last);

const changeOf = (known: Known, next: Known): Change | undefined => {
  const change: Change = {
    settled: next.settled,
    servers: [...next.views.keys()],
    changedViews: [...next.views.values()].filter(
      (view) => !isDeepStrictEqual(view, known.views.get(view.name)),
    ),
    connected: [...next.inventories.keys()],
    last: [...next.last.keys()],
    changedInventories: [...next.inventories.values(), ...next.last.values()].filter(
      (inventory) =>
        inventory !== (known.inventories.get(inventory.name) ?? known.last.get(inventory.name)),
    ),
    ...(next.contested === undefined || next.contested === known.contested
      ? {}
      : { contested: next.contested }),
    ...(isDeepStrictEqual(next.personal, known.personal) ? {} : { personal: next.personal }),
  };
  const hasContent =
    change.contested !== undefined ||
    change.personal !== undefined ||
    change.changedViews.length + change.changedInventories.length > 0;
  return hasContent || known.settled !== next.settled || !sameServers(known, next)
    ? change
    : undefined;
};

const byName = <T extends { readonly name: string }>(
  entries: readonly T[],
): ReadonlyMap<string, T> => new Map(entries.map((entry) => [entry.name, entry]));

/** The source of the states. */
export interface FeedSource extends Pick<Downstream, 'servers' | 'inventories' | 'contestedNames'> {
  /** Returns the last inventories, as everybody had them, of the servers that are not connected. */
  readonly lastInventories: () => readonly ServerInventory[];
  readonly settled: () => boolean;
  /** Returns the servers with connections of persons. */
  readonly personal: () => readonly PersonalFacts[];
}

const stateOf = (source: FeedSource): Known => ({
  views: byName(source.servers()),
  inventories: byName(source.inventories()),
  last: byName(source.lastInventories()),
  contested: source.contestedNames(),
  personal: source.personal(),
  settled: source.settled(),
});

/** Sends one receiver the state of the servers and its changes. At most one change is unconfirmed. */
export class StateFeed {
  readonly #source: FeedSource;
  readonly #send: (message: StateChange) => void;
  /** The version that each caller of `flushed` waits for. */
  readonly #waiting = new Map<() => void, number>();
  #known: Known = {
    views: new Map(),
    inventories: new Map(),
    last: new Map(),
    contested: undefined,
    personal: [],
    settled: false,
  };
  #version = 0;
  #confirmed = 0;
  #isDirty = false;
  #isStopped = false;

  constructor(source: FeedSource, send: (message: StateChange) => void) {
    this.#source = source;
    this.#send = send;
    this.#push();
  }

  /** Sends the changes, after the previous change is confirmed. */
  update(): void {
    if (this.#version === this.#confirmed) this.#push();
    else this.#isDirty = true;
  }

  /** Records that the receiver has applied the state of this version. */
  confirm(version: number): void {
    if (version <= this.#confirmed || version > this.#version) return;
    this.#confirmed = version;
    if (this.#isDirty) this.#push();
    this.#release();
  }

  /** Resolves when the receiver has the present state, or when the feed stops. */
  flushed(): Promise<void> {
    this.update();
    if (this.#isStopped || this.#version === this.#confirmed) return Promise.resolve();
    const required = this.#isDirty ? this.#version + 1 : this.#version;
    return new Promise((resolve) => this.#waiting.set(resolve, required));
  }

  /** Stops the feed. */
  stop(): void {
    this.#isStopped = true;
    this.#release();
  }

  #push(): void {
    this.#isDirty = false;
    const next = stateOf(this.#source);
    const change = changeOf(this.#known, next);
    if (change === undefined && this.#version > 0) return;
    this.#known = next;
    this.#version += 1;
    this.#send({ version: this.#version, ...(change ?? NOTHING) });
  }

  #release(): void {
    const isCurrent = this.#isStopped || this.#version === this.#confirmed;
    for (const [resolve, required] of [...this.#waiting]) {
      if (!isCurrent && required > this.#confirmed) continue;
      this.#waiting.delete(resolve);
      resolve();
    }
  }
}

const NOTHING: Change = {
  settled: false,
  servers: [],
  changedViews: [],
  connected: [],
  last: [],
  changedInventories: [],
};
