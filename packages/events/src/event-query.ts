import { type EventType, type StoredEvent, toSingleLine } from './gateway-event.ts';
import { goDurationMs } from './go-duration.ts';

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

const isSameOrAny = (wanted: string | undefined, value: string): boolean =>
  wanted === undefined || wanted === value;

/** Returns whether an event matches the query, without regard to `limit`. */
export const isEventMatch = (query: EventQuery, event: StoredEvent): boolean =>
  isSameOrAny(query.kind, event.kind) &&
  isSameOrAny(query.name, event.name) &&
  isSameOrAny(query.namespace, event.namespace) &&
  isSameOrAny(query.type, event.type) &&
  event.lastAt >= (query.since ?? -Infinity) &&
  event.lastAt <= (query.until ?? Infinity);

const CLOCK = String.raw`(?:[01]\d|2[0-3]):[0-5]\d`;
const FORM = new RegExp(
  String.raw`^(\d{4}-\d\d-\d\d)T(${CLOCK}:[0-5]\d)(?:\.(\d{1,9}))?(Z|[+-]${CLOCK})$`,
  'u',
);

/** February 30 would read as a day of March. */
const isDay = (day: string): boolean => {
  const date = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day);
};

const MAX_CHARS = 64;

/** Milliseconds since the epoch of a time such as `2026-05-04T10:00:00Z`, or undefined. RFC 3339 §5.6, without leap seconds. */
const parseRfc3339 = (text: string): number | undefined => {
  if (text.length > MAX_CHARS) return undefined;
  const [, day, clock = '', fraction = '0', zone = ''] = FORM.exec(text.toUpperCase()) ?? [];
  if (day === undefined || !isDay(day)) return undefined;
  return Date.parse(`${day}T${clock}${zone}`) + Number(`0.${fraction}`) * 1000;
};

/** A question for events as people write it. */
export interface EventFilter {
  readonly resourceType?: string | undefined;
  readonly resourceName?: string | undefined;
  readonly namespace?: string | undefined;
  readonly eventType?: EventType | undefined;
  /** RFC 3339 (`2026-05-04T10:00:00Z`), or how long ago as a Go duration (`1h30m`). */
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  readonly limit?: number | undefined;
}

/** The query, or the sentence that refuses it. */
export type ParsedEventQuery =
  { readonly ok: true; readonly query: EventQuery } | { readonly ok: false; readonly text: string };

const MAX_SHOWN_CHARS = 100;

const formatTimeProblem = (name: 'since' | 'until', text: string): string =>
  `Invalid '${name}' time format: ${JSON.stringify(toSingleLine(text, MAX_SHOWN_CHARS))} is neither an RFC 3339 time such as 2026-05-04T10:00:00Z nor a duration such as 1h or 30m`;

const readTime = (text: string, now: number): number | undefined => {
  const ago = goDurationMs(text);
  return ago === undefined ? parseRfc3339(text) : now - ago;
};

/** Reads a question for events. `now` is in milliseconds since the epoch. */
export const parseEventQuery = (filter: EventFilter, now: number): ParsedEventQuery => {
  const { resourceType: kind, resourceName: name, namespace, eventType: type, limit } = filter;
  const times: { since?: number; until?: number } = {};
  for (const key of ['since', 'until'] as const) {
    const text = filter[key];
    if (text === undefined) continue;
    const time = readTime(text, now);
    if (time === undefined) return { ok: false, text: formatTimeProblem(key, text) };
    times[key] = time;
  }
  const query: EventQuery = {
    ...(kind !== undefined && { kind }),
    ...(name !== undefined && { name }),
    ...(namespace !== undefined && { namespace }),
    ...(type !== undefined && { type }),
    ...times,
    ...(limit !== undefined && { limit }),
  };
  return { ok: true, query };
};
