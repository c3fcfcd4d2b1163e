/** The events of one object that may be written at once, and the time after which another one may be, in milliseconds. */
const BURST = 25;
const REFILL_MS = 300_000;
const MAX_OBJECTS = 10_000;

interface Bucket {
  readonly used: number;
  readonly at: number;
}

/** Limits the events of each object, as the components of Kubernetes do, so that an object which changes all the time does not fill the cluster. */
export class EventBudget {
  readonly #buckets = new Map<string, Bucket>();

  /** Returns whether another event about this object may be written at this time. */
  take(object: string, now: number): boolean {
    const { used, at } = this.#buckets.get(object) ?? { used: 0, at: now };
    const left = Math.max(0, used - (now - at) / REFILL_MS);
    const isPermitted = left + 1 <= BURST;
    this.#buckets.delete(object);
    this.#buckets.set(object, { used: isPermitted ? left + 1 : left, at: now });
    if (this.#buckets.size > MAX_OBJECTS) {
      const [oldest] = this.#buckets.keys();
      if (oldest !== undefined) this.#buckets.delete(oldest);
    }
    return isPermitted;
  }
}
