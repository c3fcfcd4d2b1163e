import type { StoreChange } from '../store/agent-store.ts';
import { POLL_MS } from './limits.ts';

type Listener = (change: StoreChange) => void;

/** The listeners of changes by namespace. */
export class StoreWatches {
  readonly #listeners = new Map<symbol, (change: StoreChange) => void>();
  readonly #look: () => void;
  #timer: NodeJS.Timeout | undefined;

  /** @param look finds changes that the system does not report; called periodically while there are listeners */
  constructor(look: () => void) {
    this.#look = look;
  }

  notify(change: StoreChange): void {
    for (const listener of [...this.#listeners.values()]) listener(change);
  }

  /** @returns a function that ends it */
  begin(namespaces: readonly string[], listener: Listener): () => void {
    const watched = new Set(namespaces);
    const id = Symbol();
    this.#listeners.set(id, (change) => {
      if (watched.has(change.object.namespace)) listener(change);
    });
    this.#timer ??= setInterval(this.#look, POLL_MS).unref();
    return () => {
      this.#listeners.delete(id);
      if (this.#listeners.size === 0) this.#stop();
    };
  }

  close(): void {
    this.#listeners.clear();
    this.#stop();
  }

  #stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
