import type { EventType, StoredEvent } from './stored-event.ts';

/** A query for events that match all given fields. */
export interface EventQuery {
  /** `MCPServer`, `Workflow` or `Configuration`. Another kind has no events. */
  readonly kind?: string;
  readonly name?: string;
  readonly namespace?: string;
  readonly type?: EventType;
  /** Last seen at or after this time, in milliseconds since the epoch. */
  readonly since?: number;
  /** Last seen at or before this time. */
  readonly until?: number;
  /** Maximum number of events, the newest; all when absent. */
  readonly limit?: number;
}

const sameOrAny = (wanted: string | undefined, value: string): boolean =>
  wanted === undefined || wanted === value;

/** Returns whether an event matches the query, without regard to `limit`. */
export const matchesQuery = (query: EventQuery, event: StoredEvent): boolean =>
  sameOrAny(query.kind, event.kind) &&
  sameOrAny(query.name, event.name) &&
  sameOrAny(query.namespace, event.namespace) &&
  sameOrAny(query.type, event.type) &&
  event.lastAt >= (query.since ?? -Infinity) &&
  event.lastAt <= (query.until ?? Infinity);
