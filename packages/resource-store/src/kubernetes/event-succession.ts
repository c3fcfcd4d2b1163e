import type { StoredEvent } from '@gateway/events';

/** An event in the cluster. */
export interface KnownEvent {
  /** The name of its object. */
  readonly object: string;
  readonly event: StoredEvent;
}

/** The object that continues an event of another replica. */
export interface ContinuedEvent {
  readonly object: string;
  readonly firstAt: number;
  /** Occurrences that this process has not counted. */
  readonly more: number;
}

/** The object of an event that a new leader has seen before. */
export interface Succession {
  readonly continued: ContinuedEvent;
  /** The object lacks an occurrence. */
  readonly isBehind: boolean;
}

/** Identical events within this time are one event, in milliseconds. */
const SAME_MS = 600_000;
/** Replicas notice the same fact at different times, in milliseconds: at most one interval of health checks. */
const SKEW_MS = 30_000;

/**
 * Returns the object by which the former leader has written the same event; undefined when it has written none.
 *
 * @param known newest first
 * @param namespace that of the object of the event
 */
export const successionOf = (
  known: readonly KnownEvent[],
  event: StoredEvent,
  namespace: string,
): Succession | undefined => {
  const found = known.find(
    ({ event: other }) =>
      other.name === event.name &&
      other.namespace === namespace &&
      other.reason === event.reason &&
      other.message === event.message &&
      Math.abs(other.firstAt - event.firstAt) < SAME_MS,
  );
  if (found === undefined) return undefined;
  const { count, firstAt, lastAt } = found.event;
  const isMissed = event.count <= count && event.lastAt > lastAt + SKEW_MS;
  const more = Math.max(0, count + (isMissed ? 1 : 0) - event.count);
  return {
    continued: { object: found.object, firstAt, more },
    isBehind: isMissed || event.count > count,
  };
};
