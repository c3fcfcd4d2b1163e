interface Expiry {
  readonly at: number;
  readonly key: string;
}

/** Keys in the order of their expiry: a binary heap. */
export class ExpiryQueue {
  readonly #heap: Expiry[] = [];

  get size(): number {
    return this.#heap.length;
  }

  add(key: string, at: number): void {
    const heap = this.#heap;
    let index = heap.length;
    heap.push({ at, key });
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (this.#at(parent) <= at) break;
      this.#swap(index, parent);
      index = parent;
    }
  }

  /** Removes and returns the first key that expires at `now` or before, or returns undefined. */
  removeExpired(now: number): string | undefined {
    const first = this.#heap[0];
    if (first === undefined || first.at > now) return undefined;
    const last = this.#heap.pop();
    if (last !== undefined && this.#heap.length > 0) {
      this.#heap[0] = last;
      this.#sink();
    }
    return first.key;
  }

  clear(): void {
    this.#heap.length = 0;
  }

  #sink(): void {
    let index = 0;
    for (;;) {
      const left = 2 * index + 1;
      const child = this.#at(left + 1) < this.#at(left) ? left + 1 : left;
      if (this.#at(index) <= this.#at(child)) return;
      this.#swap(index, child);
      index = child;
    }
  }

  /** The time at a place of the heap; after its end, infinity. */
  #at(index: number): number {
    return this.#heap[index]?.at ?? Infinity;
  }

  #swap(a: number, b: number): void {
    const heap = this.#heap;
    [heap[a], heap[b]] = [heap[b] as Expiry, heap[a] as Expiry];
  }
}
