import { BoundedMap } from './bounded-map.ts';

/** The events of one object that may be written at once, and the time after which another one may be, in milliseconds. */
const BURST = 25;
const REFILL_MS = 300_000;
const MAX_OBJECTS = 10_000;

interface Bucket {
  readonly used: number;
  readonly at: number;
}

/** An occurrence of an event. */
export interface Occurrence {
  /** The object that the event is about. */
  readonly object: string;
  readonly event: string;
  readonly count: number;
}

/**
 * Limits the events of each object, as the components of Kubernetes do, so that an object which changes all the time does not fill the
 * cluster. An occurrence is charged once, however often it is written again after a failure.
 */
export class EventBudget {
  readonly #buckets = new BoundedMap<Bucket>(MAX_OBJECTS);
  readonly #charged = new BoundedMap<number>(MAX_OBJECTS);

  /** Returns whether this occurrence may be written at this time. */
  take({ object, event, count }: Occurrence, now: number): boolean {
    if (this.#charged.get(event) === count) return true;
    const { used, at } = this.#buckets.get(object) ?? { used: 0, at: now };
    const left = Math.max(0, used - (now - at) / REFILL_MS);
    const isPermitted = left + 1 <= BURST;
    this.#buckets.set(object, { used: isPermitted ? left + 1 : left, at: now });
    if (isPermitted) this.#charged.set(event, count);
    return isPermitted;
  }
}
