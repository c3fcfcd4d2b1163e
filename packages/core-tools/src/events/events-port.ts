import type { EventQuery, StoredEvent } from '@gateway/events';
import type { JsonObject } from '@gateway/catalog';

/** The events that are remembered. */
export interface EventsPort {
  /** Newest first. */
  query(query: EventQuery): Promise<readonly StoredEvent[]>;
  /** The clock that stamps events, in milliseconds since the epoch. */
  now(): number;
  /** Hears of every occurrence from now on, in order; returns how to end it. */
  subscribe(listener: (event: StoredEvent) => void): () => void;
}

/** A way to tell a session something after the call that opened it. */
export interface SessionLine {
  notify(notification: { readonly method: string; readonly params: JsonObject }): void;
  /** Is called once when the line ends: with its session, or because another one of its name was opened. */
  onEnd(listener: () => void): void;
  end(): void;
}

/** A line, or why there is none: the client has no session, or no stream that it would hear on. */
export type OpenedLine =
  | { readonly ok: true; readonly line: SessionLine }
  | { readonly ok: false; readonly code: 'no-session' | 'no-stream' };
