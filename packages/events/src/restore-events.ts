import type { EventLines } from './event-lines.ts';
import type { EventKind, StoredEvent } from './stored-event.ts';
import { eventOfLine } from './stored-line.ts';

/** Number of lines that are read per event, because an aggregated event has several lines. */
const LINES_PER_EVENT = 4;

/** Returns the events of the lines of one kind, in the order of their numbers. */
export const restoredEvents = async (
  lines: EventLines,
  kind: EventKind,
  maxEvents: number,
): Promise<readonly StoredEvent[]> => {
  const found = new Map<string, StoredEvent>();
  const ids = new Set<number>();
  for (const line of await lines.read(kind, maxEvents * LINES_PER_EVENT)) {
    const event = eventOfLine(line);
    if (event?.kind !== kind || ids.has(event.id)) continue;
    const { reason, namespace, name, message, firstAt } = event;
    const key = `${reason}\n${namespace}\n${name}\n${String(firstAt)}\n${message}`;
    // The line with the greatest number is the latest state; a repeated append can change the order of lines.
    const known = found.get(key);
    if (known !== undefined && known.id > event.id) continue;
    if (known !== undefined) ids.delete(known.id);
    ids.add(event.id);
    found.set(key, event);
    if (found.size >= maxEvents) break;
  }
  return [...found.values()].sort((a, b) => a.id - b.id);
};
