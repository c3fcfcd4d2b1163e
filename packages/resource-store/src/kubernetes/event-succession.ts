import type { StoredEvent } from '@gateway/events';

/** An event in the cluster. */
export interface KnownEvent {
  /** The name of its object. */
  readonly object: string;
  /** Of the object that it is about, if the event says it. */
  readonly uid?: string;
  readonly event: StoredEvent;
}

/** The object that continues an event of another replica. */
export interface ContinuedEvent {
  readonly object: string;
  /** Of the object that the event is about. The API does not let an event change it. */
  readonly uid?: string;
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

/** Where an event belongs: the namespace and the uid of the object that it is about. */
interface Place {
  readonly namespace: string;
  readonly uid?: string;
}

/** Identical events within this time are one event, in milliseconds. */
const SAME_MS = 600_000;
/** Replicas notice the same fact at different times, in milliseconds: at most one interval of health checks. */
const SKEW_MS = 30_000;
/** The newest events that are remembered. */
const MAX_EVENTS = 10_000;
/** The newest events of one identity that are remembered: each is compared with an occurrence. */
const MAX_IDENTICAL = 100;

const identityOf = (
  { kind, name, reason, message }: StoredEvent,
  { namespace }: Pick<Place, 'namespace'>,
): string => JSON.stringify([kind, namespace, name, reason, message]);

/** An event about an object that was deleted does not say which one it was. */
const isAboutSame = (one: string | undefined, other: string | undefined): boolean =>
  one === undefined || other === undefined || one === other;

/** The events that were in the cluster when this process began to lead. */
export class FormerEvents {
  readonly #known = new Map<string, KnownEvent[]>();
  readonly #ledAt: number;

  /** @param ledAt when this process began to lead; `-Infinity` when no other one led before */
  constructor(known: readonly KnownEvent[], ledAt: number) {
    const newest = known.toSorted((a, b) => b.event.lastAt - a.event.lastAt).slice(0, MAX_EVENTS);
    for (const one of newest) {
      const identity = identityOf(one.event, one.event);
      const same = this.#known.get(identity);
      if (same === undefined) this.#known.set(identity, [one]);
      else if (same.length < MAX_IDENTICAL) same.push(one);
    }
    this.#ledAt = ledAt;
  }

  /** Returns the object by which a former leader has written the same event; undefined when it has written none. */
  find(event: StoredEvent, place: Place): Succession | undefined {
    const [found] = (this.#known.get(identityOf(event, place)) ?? [])
      .filter((one) => isAboutSame(one.uid, place.uid) && this.#isSame(one.event, event))
      .toSorted(
        (a, b) =>
          Number(b.uid === place.uid) - Number(a.uid === place.uid) ||
          distance(a.event, event) - distance(b.event, event),
      );
    return found === undefined ? undefined : successionTo(found, event);
  }

  #isSame(former: StoredEvent, event: StoredEvent): boolean {
    return distance(former, event) < SAME_MS && event.firstAt <= this.#ledAt + SKEW_MS;
  }
}

const distance = (one: StoredEvent, other: StoredEvent): number =>
  Math.abs(one.firstAt - other.firstAt);

const successionTo = (
  { object, uid, event: former }: KnownEvent,
  event: StoredEvent,
): Succession => {
  const { count, firstAt, lastAt } = former;
  const isMissed = event.count <= count && event.lastAt > lastAt + SKEW_MS;
  const more = Math.max(0, count + (isMissed ? 1 : 0) - event.count);
  return {
    continued: { object, firstAt, more, ...(uid === undefined ? {} : { uid }) },
    isBehind: isMissed || event.count > count,
  };
};
