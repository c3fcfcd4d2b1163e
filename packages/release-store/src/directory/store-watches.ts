import type { StoreChange } from '@gateway/agent-releases';
import { POLL_MS } from './limits.ts';

type Listener = (change: StoreChange) => void;

/** Who is told of changes in which namespaces. */
export class StoreWatches {
  readonly #listeners = new Map<symbol, (change: StoreChange) => void>();
  readonly #look: () => void;
  #timer: NodeJS.Timeout | undefined;

  /** @param look has changes found that the system does not report; called now and then while somebody watches */
  constructor(look: () => void) {
    this.#look = look;
  }

  tell(change: StoreChange): void {
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
