import type { EventQuery, StoredEvent } from '@gateway/events';

/** The stored events. */
export interface EventsPort {
  /** Returns the matching events, newest first. */
  query(query: EventQuery): Promise<readonly StoredEvent[]>;
  /** Returns the time of the clock that stamps events, in milliseconds since the epoch. */
  now(): number;
  /** Calls back for every new event, in order. Returns the function that removes the listener. */
  subscribe(listener: (event: StoredEvent) => void): () => void;
}
