import type { EventQuery, StoredEvent } from '@gateway/events';

/** The events that are remembered. */
export interface EventsPort {
  /** Newest first. */
  query(query: EventQuery): Promise<readonly StoredEvent[]>;
  /** The clock that stamps events, in milliseconds since the epoch. */
  now(): number;
  /** Hears of every occurrence from now on, in order; returns how to end it. */
  subscribe(listener: (event: StoredEvent) => void): () => void;
}
