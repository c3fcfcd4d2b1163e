import { isJsonObject, type JsonObject, toText } from '@gateway/call-contract';
import { keepPreviousData, type UseQueryResult } from '@tanstack/react-query';
import { useToolAnswer } from './core-tools.ts';

/** The filters of `core_events`. @spec §6 */
interface EventListFilter {
  readonly resourceType?: string | undefined;
  readonly resourceName?: string | undefined;
  readonly eventType?: 'Normal' | 'Warning' | undefined;
  /** How long ago, such as `30m`. */
  readonly since?: string | undefined;
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

/** An event in a list: with a key, and the number of events of steps that it stands for. */
export interface EventRow extends EventEntry {
  readonly key: string;
  readonly steps: number;
}

const STEP = /^WorkflowStep/;
const RUN = /^WorkflowExecution/;

/**
 * Returns the rows of events, newest first. The events of the steps of a workflow are counted at the event of its run that follows them,
 * which is its end; those of a run that continues at the event of its start.
 *
 * @param hasSteps keeps the events of steps as rows of their own
 */
export const foldSteps = (
  events: readonly EventEntry[],
  hasSteps: boolean,
): readonly EventRow[] => {
  const rows: (EventEntry & { readonly key: string; steps: number })[] = [];
  const seen = new Map<string, number>();
  const runs = new Map<string, { steps: number }>();
  const waiting = new Map<string, number>();
  for (const event of events) {
    const { resourceType, resourceName, reason } = event;
    const isOfWorkflow = resourceType === 'Workflow' && !hasSteps;
    if (isOfWorkflow && STEP.test(reason)) {
      const run = runs.get(resourceName);
      if (run === undefined) waiting.set(resourceName, (waiting.get(resourceName) ?? 0) + 1);
      else run.steps += 1;
      continue;
    }
    // Identical events differ by their order.
    const text = [event.at, resourceType, resourceName, reason].join(' ');
    const times = (seen.get(text) ?? 0) + 1;
    seen.set(text, times);
    const row = { ...event, key: `${text} ${times}`, steps: 0 };
    rows.push(row);
    if (!isOfWorkflow || !RUN.test(reason)) continue;
    row.steps = waiting.get(resourceName) ?? 0;
    waiting.delete(resourceName);
    runs.set(resourceName, row);
  }
  return rows;
};

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
