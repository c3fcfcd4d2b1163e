import type { EventLines } from './event-lines.ts';
import type { EventKind, StoredEvent } from './stored-event.ts';
import { eventOfLine } from './stored-line.ts';

/** Lines that are read for each event that is remembered: an event that was counted up left several. */
const LINES_PER_EVENT = 4;

/** The events that the lines of one kind tell of, in the order of their numbers. */
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
    // The one with the largest number is the event as it was last; an append that was repeated may have put it elsewhere.
    const known = found.get(key);
    if (known !== undefined && known.id > event.id) continue;
    if (known !== undefined) ids.delete(known.id);
    ids.add(event.id);
    found.set(key, event);
    if (found.size >= maxEvents) break;
  }
  return [...found.values()].sort((a, b) => a.id - b.id);
};
