import type { StoredEvent } from '@gateway/events';
import { BoundedMap } from './bounded-map.ts';
import { eventId } from './event-backlog.ts';

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

const MAX_EVENTS = 10_000;

/**
 * Divides the occurrences of an event among the objects that they are about. An object that is created again has the name of the former one,
 * and other events.
 */
export class EventSubjects {
  readonly #subjects = new BoundedMap<Subject>(MAX_EVENTS);

  /** Records an event in the cluster. */
  remember({ uid, ...event }: SubjectEvent): void {
    const { firstAt, count } = event;
    this.#subjects.set(eventId(event), { uid, firstAt, before: 0, count });
  }

  /** Returns the occurrences that are about the object with this uid, of an event whose last one was just recorded. */
  of(event: StoredEvent, uid: string | undefined): SubjectEvent {
    const subject = subjectOf(event, uid, this.#subjects.get(eventId(event)));
    this.#subjects.set(eventId(event), subject);
    return {
      ...event,
      ...(subject.uid === undefined ? {} : { uid: subject.uid }),
      ...{ firstAt: subject.firstAt, count: event.count - subject.before },
    };
  }
}

const subjectOf = (
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
