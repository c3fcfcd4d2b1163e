import type { RecorderLimits } from './recorder-limits.ts';
import type { StoredEvent } from './stored-event.ts';

/** What an event is, apart from when it happened. */
export type EventIdentity = Omit<StoredEvent, 'id' | 'firstAt' | 'lastAt' | 'count'>;

const keyOf = ({ namespace, name, reason, message }: EventIdentity): string =>
  `${reason}\n${namespace}\n${name}\n${message}`;

/** The newest events of one kind, oldest first; equal ones of a while are one with a count. */
export class EventRing {
  readonly #limits: RecorderLimits;
  /** By number, which is the order of time too. */
  readonly #events = new Map<number, StoredEvent>();
  /** The numbers of what may still be counted up. */
  readonly #latest = new Map<string, number>();

  constructor(limits: RecorderLimits) {
    this.#limits = limits;
  }

  /** Adds one occurrence. `id` is above all others. */
  add(identity: EventIdentity, id: number, at: number): StoredEvent {
    const key = keyOf(identity);
    const before = this.#events.get(this.#latest.get(key) ?? -1);
    // A clock that was set back by much starts a new event rather than counting up one from the future.
    const isSame =
      before !== undefined && Math.abs(at - before.firstAt) < this.#limits.aggregationMs;
    const event: StoredEvent = isSame
      ? { ...before, id, lastAt: Math.max(at, before.lastAt), count: before.count + 1 }
      : { ...identity, id, firstAt: at, lastAt: at, count: 1 };
    if (isSame) this.#events.delete(before.id);
    this.#keep(key, event);
    return event;
  }

  /** Takes an event as it was remembered. Numbers grow from call to call. */
  restore(event: StoredEvent): void {
    this.#keep(keyOf(event), event);
  }

  /** Oldest first. */
  all(): IterableIterator<StoredEvent> {
    return this.#events.values();
  }

  #keep(key: string, event: StoredEvent): void {
    this.#events.set(event.id, event);
    this.#latest.set(key, event.id);
    while (this.#events.size > this.#limits.maxEvents) this.#dropOldest();
  }

  #dropOldest(): void {
    for (const event of this.#events.values()) {
      this.#events.delete(event.id);
      const key = keyOf(event);
      if (this.#latest.get(key) === event.id) this.#latest.delete(key);
      return;
    }
  }
}
