import { LRUCache } from 'lru-cache';
import type { StoredEvent } from '@gateway/events';

/** The maximum number of events that wait, and their maximum age in milliseconds: longer than a replica is missed. */
const MAX_WAITING_EVENTS = 1_000;
const MAX_AGE_MS = 60_000;

/** Returns what distinguishes an event from the others of this process, apart from the number of its occurrences. */
export const computeEventId = ({
  kind,
  namespace,
  name,
  reason,
  message,
  firstAt,
}: StoredEvent): string => JSON.stringify([kind, namespace, name, reason, message, firstAt]);

/** The newest events of a replica that does not lead, until it can be assumed that the leader has written its own ones. */
export class EventBacklog<Event extends StoredEvent = StoredEvent> {
  readonly #events = new Map<string, Event>();

  /** Adds an event, or replaces it by a later occurrence. Forgets those that are too old or too many. */
  add(event: Event, now: number): void {
    const id = computeEventId(event);
    this.#events.delete(id);
    this.#events.set(id, event);
    for (const [oldest, { lastAt }] of this.#events) {
      if (this.#events.size <= MAX_WAITING_EVENTS && now - lastAt <= MAX_AGE_MS) return;
      this.#events.delete(oldest);
    }
  }

  /** Returns the events that are not too old, oldest first. */
  events(now: number): readonly Event[] {
    return [...this.#events.values()].filter(({ lastAt }) => now - lastAt <= MAX_AGE_MS);
  }

  /** Removes an event, unless it has occurred again. */
  remove(event: Event): void {
    const id = computeEventId(event);
    if (this.#events.get(id) === event) this.#events.delete(id);
  }
}

/** The events of one object that may be written at once, and the time after which another one may be, in milliseconds. */
const BURST = 25;
const REFILL_MS = 300_000;
const MAX_OBJECTS = 10_000;

interface Bucket {
  readonly used: number;
  readonly at: number;
}

export interface EventOccurrence {
  readonly object: string;
  readonly event: string;
  readonly count: number;
}

/**
 * Limits the events of each object, as the components of Kubernetes do, so that an object which changes all the time does not fill the
 * cluster. An occurrence is charged once, however often it is written again after a failure.
 */
export class EventBudget {
  readonly #buckets = new LRUCache<string, Bucket>({ max: MAX_OBJECTS });
  readonly #charged = new LRUCache<string, number>({ max: MAX_OBJECTS });

  /** Returns whether this occurrence may be written at this time. */
  take({ object, event, count }: EventOccurrence, now: number): boolean {
    if (this.#charged.get(event) === count) return true;
    const { used, at } = this.#buckets.get(object) ?? { used: 0, at: now };
    const left = Math.max(0, used - (now - at) / REFILL_MS);
    const isPermitted = left + 1 <= BURST;
    this.#buckets.set(object, { used: isPermitted ? left + 1 : left, at: now });
    if (isPermitted) this.#charged.set(event, count);
    return isPermitted;
  }
}

/** An event about one object; `uid` is absent when the object is unknown, such as one that was deleted. */
export interface SubjectEvent extends StoredEvent {
  readonly uid?: string;
}

/** The object that the last occurrences of an event are about. */
interface Subject {
  readonly uid: string | undefined;
  readonly firstAt: number;
  /** Occurrences before, which are about earlier objects of this name. */
  readonly before: number;
  readonly count: number;
}

const MAX_SUBJECTS = 10_000;

/**
 * Divides the occurrences of an event among the objects that they are about. An object that is created again has the name of the former one,
 * and other events.
 */
export class EventSubjects {
  readonly #subjects = new LRUCache<string, Subject>({ max: MAX_SUBJECTS });

  /** Records an event in the cluster. */
  remember({ uid, ...event }: SubjectEvent): void {
    const { firstAt, count } = event;
    this.#subjects.set(computeEventId(event), { uid, firstAt, before: 0, count });
  }

  /** Returns the occurrences that are about the object with this uid, of an event whose last one was just recorded. */
  toSubjectEvent(event: StoredEvent, uid: string | undefined): SubjectEvent {
    const subject = toSubject(event, uid, this.#subjects.get(computeEventId(event)));
    this.#subjects.set(computeEventId(event), subject);
    return {
      ...event,
      ...(subject.uid === undefined ? {} : { uid: subject.uid }),
      firstAt: subject.firstAt,
      count: event.count - subject.before,
    };
  }
}

const toSubject = (
  { firstAt, lastAt, count }: StoredEvent,
  uid: string | undefined,
  known: Subject | undefined,
): Subject => {
  if (known === undefined) return { uid, firstAt, before: 0, count };
  const isSame = uid === undefined || known.uid === undefined || uid === known.uid;
  // A write that is repeated is not another occurrence.
  if (isSame || count <= known.count) return { ...known, count: Math.max(count, known.count) };
  return { uid, firstAt: lastAt, before: known.count, count };
};

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

const toIdentity = (
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
      const identity = toIdentity(one.event, one.event);
      const same = this.#known.get(identity);
      if (same === undefined) this.#known.set(identity, [one]);
      else if (same.length < MAX_IDENTICAL) same.push(one);
    }
    this.#ledAt = ledAt;
  }

  /** Returns the object by which a former leader has written the same event; undefined when it has written none. */
  find(event: StoredEvent, place: Place): Succession | undefined {
    const [found] = (this.#known.get(toIdentity(event, place)) ?? [])
      .filter((one) => isAboutSame(one.uid, place.uid) && this.#isSame(one.event, event))
      .toSorted(
        (a, b) =>
          Number(b.uid === place.uid) - Number(a.uid === place.uid) ||
          computeDistance(a.event, event) - computeDistance(b.event, event),
      );
    return found === undefined ? undefined : computeSuccession(found, event);
  }

  #isSame(former: StoredEvent, event: StoredEvent): boolean {
    return computeDistance(former, event) < SAME_MS && event.firstAt <= this.#ledAt + SKEW_MS;
  }
}

const computeDistance = (one: StoredEvent, other: StoredEvent): number =>
  Math.abs(one.firstAt - other.firstAt);

const computeSuccession = (
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
