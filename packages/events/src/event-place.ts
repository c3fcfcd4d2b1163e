import { isObservedByAll } from './observed-by-all.ts';
import { SharedCount } from './shared-count.ts';
import type { StoredEvent } from './stored-event.ts';

/** The identity of an event, without its times. */
export type EventIdentity = Omit<StoredEvent, 'id' | 'firstAt' | 'lastAt' | 'count'>;

/** A position in the order of events; empty after its event was aggregated and moved to the end. */
export interface Place {
  readonly key: string;
  event: StoredEvent | undefined;
  readonly shared: Shared | undefined;
}

/** The occurrences of this process. */
export interface OwnOccurrences {
  readonly id: number;
  readonly firstAt: number;
  readonly lastAt: number;
  readonly count: number;
}

/** The occurrences of one event that several processes have recorded. */
export interface Shared {
  readonly counts: SharedCount;
  readonly own: OwnOccurrences | undefined;
}

/** An event for another process, and what this process has recorded of it. */
export interface HistoryEvent {
  readonly event: StoredEvent;
  readonly own?: Omit<OwnOccurrences, 'id'>;
}

/** Returns the key of events that are identical. */
export const keyOf = ({ namespace, name, reason, message }: EventIdentity): string =>
  `${reason}\n${namespace}\n${name}\n${message}`;

/** The number and the times of an event. */
export type Occurrence = Pick<StoredEvent, 'id' | 'firstAt' | 'lastAt' | 'count'>;

/** Returns an event. Copies member by member, which is much faster than spreading. */
export const storedOf = (
  { kind, name, namespace, reason, message, type }: EventIdentity,
  { id, firstAt, lastAt, count }: Occurrence,
): StoredEvent => {
  return { id, kind, name, namespace, reason, message, type, firstAt, lastAt, count };
};

/** Returns the counts of an event that was stored, or of one that is new. */
export const restoredShare = ({
  reason,
  count = 0,
}: Pick<StoredEvent, 'reason'> & { readonly count?: number }): Shared => ({
  counts: new SharedCount(isObservedByAll(reason), count),
  own: undefined,
});
