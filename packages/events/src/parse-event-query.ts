import type { EventQuery } from './event-query.ts';
import { oneLine } from './event-text.ts';
import { goDurationMs } from './go-duration.ts';
import { rfc3339Ms } from './rfc3339.ts';
import type { EventType } from './stored-event.ts';

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

const timeText = (name: 'since' | 'until', text: string): string =>
  `Invalid '${name}' time format: ${JSON.stringify(oneLine(text, MAX_SHOWN_CHARS))} is neither an RFC 3339 time such as 2026-05-04T10:00:00Z nor a duration such as 1h or 30m`;

const timeOf = (text: string, now: number): number | undefined => {
  const ago = goDurationMs(text);
  return ago === undefined ? rfc3339Ms(text) : now - ago;
};

/** Reads a question for events. `now` is in milliseconds since the epoch. */
export const parseEventQuery = (filter: EventFilter, now: number): ParsedEventQuery => {
  const { resourceType: kind, resourceName: name, namespace, eventType: type, limit } = filter;
  const times: { since?: number; until?: number } = {};
  for (const key of ['since', 'until'] as const) {
    const text = filter[key];
    if (text === undefined) continue;
    const time = timeOf(text, now);
    if (time === undefined) return { ok: false, text: timeText(key, text) };
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
