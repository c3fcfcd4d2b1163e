/**
 * A map for entries of in-flight requests. The inner `Map` holds numbers only, because V8 keeps the outgrown tables of a `Map`,
 * which would move the values of finished requests to the old generation.
 */
export class InFlightMap<K extends string | number, V> {
  readonly #places = new Map<K, number>();
  readonly #values: (V | undefined)[] = [];
  readonly #free: number[] = [];

  get size(): number {
    return this.#places.size;
  }

  has(key: K): boolean {
    return this.#places.has(key);
  }

  get(key: K): V | undefined {
    const place = this.#places.get(key);
    return place === undefined ? undefined : this.#values[place];
  }

  /** Stores a value and replaces an earlier one of the same key. */
  set(key: K, value: V): void {
    const place = this.#places.get(key) ?? this.#free.pop() ?? this.#values.length;
    this.#places.set(key, place);
    this.#values[place] = value;
  }

  /** Removes a value. Returns `false` when there is none. */
  delete(key: K): boolean {
    const place = this.#places.get(key);
    if (place === undefined) return false;
    this.#places.delete(key);
    this.#values[place] = undefined;
    this.#free.push(place);
    return true;
  }

  /** The values at this moment, in the order in which their keys were added. */
  values(): readonly V[] {
    return [...this.#places.values()]
      .map((place) => this.#values[place])
      .filter((value) => value !== undefined);
  }

  clear(): void {
    this.#places.clear();
    this.#values.length = 0;
    this.#free.length = 0;
  }
}
