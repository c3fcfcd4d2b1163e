import type { StoredEvent } from '@gateway/events';

/** The maximum number of events that wait, and their maximum age in milliseconds: longer than a replica is missed. */
const MAX_EVENTS = 1_000;
const MAX_AGE_MS = 60_000;

/** Returns what distinguishes an event from the others of this process, apart from the number of its occurrences. */
export const eventId = ({ kind, namespace, name, reason, message, firstAt }: StoredEvent): string =>
  JSON.stringify([kind, namespace, name, reason, message, firstAt]);

/** The newest events of a replica that does not lead, until it can be assumed that the leader has written its own ones. */
export class EventBacklog<Event extends StoredEvent = StoredEvent> {
  readonly #events = new Map<string, Event>();

  /** Adds an event, or replaces it by a later occurrence. Forgets those that are too old or too many. */
  add(event: Event, now: number): void {
    const id = eventId(event);
    this.#events.delete(id);
    this.#events.set(id, event);
    for (const [oldest, { lastAt }] of this.#events) {
      if (this.#events.size <= MAX_EVENTS && now - lastAt <= MAX_AGE_MS) return;
      this.#events.delete(oldest);
    }
  }

  /** Returns the events that are not too old, oldest first. */
  events(now: number): readonly Event[] {
    return [...this.#events.values()].filter(({ lastAt }) => now - lastAt <= MAX_AGE_MS);
  }

  /** Removes an event, unless it has occurred again. */
  remove(event: Event): void {
    const id = eventId(event);
    if (this.#events.get(id) === event) this.#events.delete(id);
  }
}
