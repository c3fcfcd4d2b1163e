import type { ServerInventory } from '@gateway/catalog';
import { isDeepStrictEqual } from 'node:util';
import type { Downstream } from '../supervision/downstream.ts';
import type { ServerView } from '../supervision/server-view.ts';
import type { StateMessage } from './hub-message.ts';

/** What the reader knows. */
interface Known {
  views: ReadonlyMap<string, ServerView>;
  inventories: ReadonlyMap<string, ServerInventory>;
  settled: boolean;
}

type Change = Omit<StateMessage, 'kind' | 'version'>;

const sameNames = (a: ReadonlyMap<string, unknown>, b: ReadonlyMap<string, unknown>): boolean =>
  a.size === b.size && [...a.keys()].every((name) => b.has(name));

const changeOf = (known: Known, next: Known): Change | undefined => {
  const change: Change = {
    settled: next.settled,
    servers: [...next.views.keys()],
    changedViews: [...next.views.values()].filter(
      (view) => !isDeepStrictEqual(view, known.views.get(view.name)),
    ),
    connected: [...next.inventories.keys()],
    changedInventories: [...next.inventories.values()].filter(
      (inventory) => inventory !== known.inventories.get(inventory.name),
    ),
  };
  const same =
    known.settled === next.settled &&
    change.changedViews.length + change.changedInventories.length === 0 &&
    sameNames(known.views, next.views) &&
    sameNames(known.inventories, next.inventories);
  return same ? undefined : change;
};

const byName = <T extends { readonly name: string }>(
  entries: readonly T[],
): ReadonlyMap<string, T> => new Map(entries.map((entry) => [entry.name, entry]));

/** What the feed reads of the servers. */
export interface FeedSource extends Pick<Downstream, 'servers' | 'inventories'> {
  readonly settled: () => boolean;
}

const stateOf = (source: FeedSource): Known => ({
  views: byName(source.servers()),
  inventories: byName(source.inventories()),
  settled: source.settled(),
});

/** Keeps one reader's picture of the servers up to date, from the whole of it on; at most one change is on its way. */
export class StateFeed {
  readonly #source: FeedSource;
  readonly #send: (message: StateMessage) => void;
  /** Who waits, and for which version. */
  readonly #waiting = new Map<() => void, number>();
  #known: Known = { views: new Map(), inventories: new Map(), settled: false };
  #version = 0;
  #taken = 0;
  #isDirty = false;
  #isStopped = false;

  constructor(source: FeedSource, send: (message: StateMessage) => void) {
    this.#source = source;
    this.#send = send;
    this.#push();
  }

  /** Something may have changed. */
  look(): void {
    if (this.#version === this.#taken) this.#push();
    else this.#isDirty = true;
  }

  /** The reader has taken over the state of this version. */
  taken(version: number): void {
    if (version <= this.#taken || version > this.#version) return;
    this.#taken = version;
    if (this.#isDirty) this.#push();
    this.#release();
  }

  /** Resolves once the reader has everything that is true now; on `stop` as well. */
  flushed(): Promise<void> {
    this.look();
    if (this.#isStopped || this.#version === this.#taken) return Promise.resolve();
    const wanted = this.#isDirty ? this.#version + 1 : this.#version;
    return new Promise((resolve) => this.#waiting.set(resolve, wanted));
  }

  /** Ends it. */
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
    this.#send({ kind: 'state', version: this.#version, ...(change ?? NOTHING) });
  }

  #release(): void {
    const everyone = this.#isStopped || this.#version === this.#taken;
    for (const [resolve, wanted] of [...this.#waiting]) {
      if (!everyone && wanted > this.#taken) continue;
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
  changedInventories: [],
};
