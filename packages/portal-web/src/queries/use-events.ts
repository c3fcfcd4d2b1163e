import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useBackend } from '../backend/backend-context.ts';
import { isJsonObject, type JsonObject } from '../mcp/mcp-outcome.ts';
import { callCoreTool } from '../mcp/meta-tools.ts';

/** The filters of `core_events`. @spec §6 */
export interface EventFilter {
  readonly resourceType?: string;
  readonly resourceName?: string;
  readonly eventType?: 'Normal' | 'Warning';
  /** How long ago, such as `30m`. */
  readonly since?: string;
}

/** One or more occurrences of the same state change, as `core_events` lists it. */
export interface GatewayEvent {
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

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Times are in UTC, without a zone. */
const timeOf = (timestamp: string): string =>
  TIME.test(timestamp) ? `${timestamp.replace(' ', 'T')}Z` : timestamp;

const eventOf = (entry: JsonObject): GatewayEvent => ({
  at: timeOf(textOf(entry['timestamp'])),
  resourceType: textOf(entry['resource_type']),
  resourceName: textOf(entry['resource_name']),
  reason: textOf(entry['reason']),
  message: textOf(entry['message']),
  isWarning: entry['type'] === 'Warning',
  count: typeof entry['count'] === 'number' ? entry['count'] : 1,
});

/** Reads the events of an answer of `core_events`. */
export const eventsOf = ({ events }: JsonObject): readonly GatewayEvent[] =>
  Array.isArray(events) ? events.filter(isJsonObject).map(eventOf) : [];

/** Reads events, newest first, again and again. A stateless client cannot follow them. */
export const useEvents = (
  filter: EventFilter,
  { limit, isLive = true }: { readonly limit: number; readonly isLive?: boolean },
): UseQueryResult<readonly GatewayEvent[]> => {
  const { gateway } = useBackend();
  return useQuery({
    queryKey: ['events', filter, limit],
    placeholderData: keepPreviousData,
    refetchInterval: isLive && POLL_MS,
    queryFn: async ({ signal }) =>
      eventsOf(await callCoreTool(gateway, 'core_events', { ...filter, limit }, { signal })),
  });
};
