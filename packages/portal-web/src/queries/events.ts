import { isJsonObject, type JsonObject, toText } from '@gateway/call-contract';
import { keepPreviousData, type UseQueryResult } from '@tanstack/react-query';
import { useToolAnswer } from './core-tools.ts';

/** The filters of `core_events`. @spec §6 */
interface EventListFilter {
  readonly resourceType?: string;
  readonly resourceName?: string;
  readonly eventType?: 'Normal' | 'Warning';
  /** How long ago, such as `30m`. */
  readonly since?: string;
}

/** One or more occurrences of the same state change, as `core_events` lists it. */
export interface EventEntry {
  /** RFC 3339. */
  readonly at: string;
  readonly resourceType: string;
  readonly resourceName: string;
  readonly reason: string;
  readonly message: string;
  readonly isWarning: boolean;
  /** How often it happened within ten minutes. */
  readonly count: number;
}

const POLL_MS = 3_000;
const TIME = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/;

/** Times are in UTC, without a zone. */
const toRfc3339 = (timestamp: string): string =>
  TIME.test(timestamp) ? `${timestamp.replace(' ', 'T')}Z` : timestamp;

const parseEvent = (entry: JsonObject): EventEntry => ({
  at: toRfc3339(toText(entry['timestamp'])),
  resourceType: toText(entry['resource_type']),
  resourceName: toText(entry['resource_name']),
  reason: toText(entry['reason']),
  message: toText(entry['message']),
  isWarning: entry['type'] === 'Warning',
  count: typeof entry['count'] === 'number' ? entry['count'] : 1,
});

/** Reads the events of an answer of `core_events`. */
export const parseEvents = ({ events }: JsonObject): readonly EventEntry[] =>
  Array.isArray(events) ? events.filter(isJsonObject).map(parseEvent) : [];

/** Reads events, newest first, again and again. A stateless client cannot follow them. */
export const useEvents = (
  filter: EventListFilter,
  { limit, isLive = true }: { readonly limit: number; readonly isLive?: boolean },
): UseQueryResult<readonly EventEntry[]> =>
  useToolAnswer(
    {
      key: ['events', filter, limit],
      tool: 'core_events',
      args: { ...filter, limit },
      parse: parseEvents,
    },
    { placeholderData: keepPreviousData, refetchInterval: isLive && POLL_MS },
  );
