import { matchesQuery, type EventQuery } from './event-query.ts';
import type { RecorderLimits } from './recorder-limits.ts';
import type { StoredEvent } from './stored-event.ts';

/** The identity of an event, without its times. */
export type EventIdentity = Omit<StoredEvent, 'id' | 'firstAt' | 'lastAt' | 'count'>;

/** A position in the order of events; empty after its event was aggregated and moved to the end. */
interface Place {
  readonly key: string;
  event: StoredEvent | undefined;
}

const keyOf = ({ namespace, name, reason, message }: EventIdentity): string =>
  `${reason}\n${namespace}\n${name}\n${message}`;

type Occurrence = Pick<StoredEvent, 'id' | 'firstAt' | 'lastAt' | 'count'>;

/** Copies member by member, which is much faster than spreading. */
const storedOf = (
  { kind, name, namespace, reason, message, type }: EventIdentity,
  { id, firstAt, lastAt, count }: Occurrence,
): StoredEvent => {
  return { id, kind, name, namespace, reason, message, type, firstAt, lastAt, count };
};

/** The newest events of one kind, oldest first; identical events within a time window are aggregated. */
export class EventRing {
  readonly #limits: RecorderLimits;
  /** In the order of the numbers. */
  #places: Place[] = [];
  /** Index of the oldest event, or of an empty position before it. */
  #start = 0;
  #size = 0;
  /** Positions of events that can be aggregated. */
  readonly #latest = new Map<string, Place>();

  constructor(limits: RecorderLimits) {
    this.#limits = limits;
  }

  /** Adds one occurrence. `id` is greater than all others. */
  add(identity: EventIdentity, id: number, at: number): StoredEvent {
    const key = keyOf(identity);
    const place = this.#latest.get(key);
    const before = place?.event;
    // After a large step of the clock a new event starts.
    const isSame =
      before !== undefined && Math.abs(at - before.firstAt) < this.#limits.aggregationMs;
    if (place === undefined || !isSame) {
      return this.#keep(key, storedOf(identity, { id, firstAt: at, lastAt: at, count: 1 }));
    }
    place.event = undefined;
    this.#size -= 1;
    const lastAt = Math.max(at, before.lastAt);
    const { firstAt, count } = before;
    return this.#keep(key, storedOf(before, { id, firstAt, lastAt, count: count + 1 }));
  }

  /** Adds a stored event. Numbers increase from call to call. */
  restore(event: StoredEvent): void {
    this.#keep(keyOf(event), event);
  }

  /** Returns the newest events that match the query, newest first. */
  newest(query: EventQuery): readonly StoredEvent[] {
    const { limit = Number.POSITIVE_INFINITY } = query;
    const found: StoredEvent[] = [];
    for (let index = this.#places.length - 1; index >= this.#start; index -= 1) {
      const event = this.#places[index]?.event;
      if (event === undefined || !matchesQuery(query, event)) continue;
      if (found.length >= limit) break;
      found.push(event);
    }
    return found;
  }

  /** Returns at most `count` events with greater numbers, oldest first. */
  after(id: number, count: number): readonly StoredEvent[] {
    const found: StoredEvent[] = [];
    for (let index = this.#places.length - 1; index >= this.#start; index -= 1) {
      const event = this.#places[index]?.event;
      if (event === undefined) continue;
      if (event.id <= id) break;
      found.push(event);
    }
    return found.reverse().slice(0, count);
  }

  #keep(key: string, event: StoredEvent): StoredEvent {
    const place: Place = { key, event };
    this.#places.push(place);
    this.#latest.set(key, place);
    this.#size += 1;
    if (this.#size > this.#limits.maxEvents) this.#dropOldest();
    // Removes empty positions when there are as many as the maximum number of events.
    if (this.#places.length > 2 * this.#limits.maxEvents) this.#tidy();
    return event;
  }

  #dropOldest(): void {
    while (this.#places[this.#start]?.event === undefined) this.#start += 1;
    const oldest = this.#places[this.#start];
    this.#start += 1;
    this.#size -= 1;
    if (oldest === undefined) return;
    oldest.event = undefined;
    if (this.#latest.get(oldest.key) === oldest) this.#latest.delete(oldest.key);
  }

  #tidy(): void {
    this.#places = this.#places.filter(({ event }) => event !== undefined);
    this.#start = 0;
  }
}
