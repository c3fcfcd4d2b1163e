import { type EventQuery, isEventMatch } from './event-query.ts';
import { type StoredEvent, isObservedByAll } from './gateway-event.ts';

/** How many times a process has recorded an event, as it reports it to the others. */
export interface EventReport {
  /** The process. */
  readonly origin: string;
  /** Of the occurrences of the process, in milliseconds since the epoch. */
  readonly firstAt: number;
  readonly lastAt: number;
  readonly count: number;
}

/** Time within which occurrences in several processes are one fact, in milliseconds. */
const SAME_FACT_MS = 10_000;

/** Processes whose reports of one event are remembered. */
const MAX_ORIGINS = 64;

/** The name of this process among the origins. */
const OWN = '';

interface Tally {
  /** Of the last report. */
  readonly firstAt: number;
  readonly reported: number;
  /** The count to which the occurrences of this process lead. */
  readonly level: number;
}

/**
 * Counts the occurrences of one event in several processes. What all of them observe, such as the loss of a server, counts once when they
 * observe it within 10 seconds. A report can be repeated: it counts once.
 */
export class SharedCount {
  readonly #isObservedByAll: boolean;
  readonly #tallies = new Map<string, Tally>();
  #shown: number;
  /** The count before the occurrences that are compared. */
  #base: number;
  #lastAt = -Infinity;

  constructor(isObservedByAll: boolean, shown = 0) {
    this.#isObservedByAll = isObservedByAll;
    this.#shown = shown;
    this.#base = shown;
  }

  /** Returns a count for the next time window, which knows the reports so far. */
  next(): SharedCount {
    const next = new SharedCount(this.#isObservedByAll);
    for (const [origin, tally] of this.#tallies) next.#tallies.set(origin, { ...tally, level: 0 });
    return next;
  }

  /** Adds an occurrence in this process. Returns the count. */
  addOwn(at: number): number {
    const { firstAt, reported } = this.#tallies.get(OWN) ?? { firstAt: at, reported: 0 };
    return this.add({ origin: OWN, firstAt, lastAt: at, count: reported + 1 });
  }

  /** Adds the occurrences of a report that are new. Returns the count. */
  add({ origin, firstAt, lastAt, count }: EventReport): number {
    const known = this.#tallies.get(origin);
    const added = count - (known?.firstAt === firstAt ? known.reported : 0);
    if (added <= 0) return this.#shown;
    if (lastAt - this.#lastAt > SAME_FACT_MS) this.#align();
    this.#lastAt = Math.max(this.#lastAt, lastAt);
    const level = (this.#tallies.get(origin)?.level ?? this.#base) + added;
    this.#remember(origin, { firstAt, reported: count, level });
    this.#shown = this.#isObservedByAll ? Math.max(this.#shown, level) : this.#shown + added;
    return this.#shown;
  }

  /** Records a report whose occurrences are in the count already. */
  acknowledge({ origin, firstAt, lastAt, count }: EventReport): void {
    this.#lastAt = Math.max(this.#lastAt, lastAt);
    this.#remember(origin, { firstAt, reported: count, level: this.#shown });
  }

  /** Later occurrences are further ones, in whichever process they are. */
  #align(): void {
    this.#base = this.#shown;
    for (const [origin, tally] of this.#tallies) {
      this.#tallies.set(origin, { ...tally, level: this.#shown });
    }
  }

  #remember(origin: string, tally: Tally): void {
    this.#tallies.delete(origin);
    this.#tallies.set(origin, tally);
    const [oldest] = this.#tallies.keys();
    if (this.#tallies.size > MAX_ORIGINS && oldest !== undefined) this.#tallies.delete(oldest);
  }
}

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
const formatKey = ({ namespace, name, reason, message }: EventIdentity): string =>
  `${reason}\n${namespace}\n${name}\n${message}`;

/** The number and the times of an event. */
export type Occurrence = Pick<StoredEvent, 'id' | 'firstAt' | 'lastAt' | 'count'>;

/** Returns an event. Copies member by member, which is much faster than spreading. */
const toStored = (
  { kind, name, namespace, reason, message, type }: EventIdentity,
  { id, firstAt, lastAt, count }: Occurrence,
): StoredEvent => {
  return { id, kind, name, namespace, reason, message, type, firstAt, lastAt, count };
};

/** Returns the counts of an event that was stored, or of one that is new. */
const createShare = ({
  reason,
  count = 0,
}: Pick<StoredEvent, 'reason'> & { readonly count?: number }): Shared => ({
  counts: new SharedCount(isObservedByAll(reason), count),
  own: undefined,
});

/** Limits of recorded events. */
export interface RecorderLimits {
  /** Maximum number of events of one kind; 5,000. Kinds have separate limits, so frequent workflow events do not displace server events. */
  readonly maxEvents: number;
  /** Window in which identical events are aggregated, from the first one, in milliseconds; 10 minutes. */
  readonly aggregationMs: number;
}

/** Default limits. */
export const RECORDER_LIMITS: RecorderLimits = { maxEvents: 5_000, aggregationMs: 600_000 };

/** The newest events of one kind, oldest first; identical events within a time window are aggregated. */
export class EventRing {
  readonly #limits: RecorderLimits;
  readonly #isShared: boolean;
  /** In the order of the numbers. */
  #places: Place[] = [];
  /** Index of the oldest event, or of an empty position before it. */
  #start = 0;
  #size = 0;
  /** Positions of events that can be aggregated. */
  readonly #latest = new Map<string, Place>();

  /** `isShared`: other processes report their events to this one. */
  constructor(limits: RecorderLimits, isShared = false) {
    this.#limits = limits;
    this.#isShared = isShared;
  }

  /** Adds one occurrence. `id` is greater than all others. Returns nothing when another process has reported it. */
  add(identity: EventIdentity, id: number, at: number): StoredEvent | undefined {
    return this.#isShared ? this.#addShared(identity, id, at) : this.#addAlone(identity, id, at);
  }

  /** Adds the occurrences of another process. `id` is greater than all others. Returns nothing when they are known. */
  merge(event: StoredEvent, origin: string, id: number): StoredEvent | undefined {
    const { key, place, before } = this.#findRecent(event, event.lastAt);
    const counts = this.#countsFor(event, place, before);
    const count = counts.add({ ...event, origin });
    if (count <= (before?.count ?? 0)) return undefined;
    const shown = { key, identity: event, before, counts };
    const { firstAt, lastAt } = event;
    return this.#show(shown, { id, firstAt, lastAt, count }, before && place?.shared?.own);
  }

  /** Adds an event of the time before this process, unless it is known. Nothing is announced. */
  mergeHistory({ event, own }: HistoryEvent, origin: string, id: number): void {
    const { key, place, before } = this.#findRecent(event, event.lastAt);
    const shared = before === undefined ? createShare(event) : place?.shared;
    if (own !== undefined) shared?.counts.acknowledge({ ...own, origin });
    if (before === undefined) this.#keep(key, { ...event, id }, shared);
  }

  #addShared(identity: EventIdentity, id: number, at: number): StoredEvent | undefined {
    const { key, place, before } = this.#findRecent(identity, at);
    const counts = this.#countsFor(identity, place, before);
    const count = counts.addOwn(at);
    if (count <= (before?.count ?? 0)) return undefined;
    const { firstAt, count: recorded } = (before && place?.shared?.own) ?? {
      firstAt: at,
      count: 0,
    };
    return this.#show(
      { key, identity, before, counts },
      { id, firstAt: at, lastAt: at, count },
      { id, firstAt, lastAt: at, count: recorded + 1 },
    );
  }

  #addAlone(identity: EventIdentity, id: number, at: number): StoredEvent {
    // After a large step of the clock a new event starts.
    const { key, place, before } = this.#findRecent(identity, at);
    if (place === undefined || before === undefined)
      return this.#keep(key, toStored(identity, { id, firstAt: at, lastAt: at, count: 1 }));
    place.event = undefined;
    this.#size -= 1;
    const lastAt = Math.max(at, before.lastAt);
    const { firstAt, count } = before;
    return this.#keep(key, toStored(before, { id, firstAt, lastAt, count: count + 1 }));
  }

  /** Adds a stored event. Numbers increase from call to call. */
  restore(event: StoredEvent): void {
    this.#keep(formatKey(event), event, this.#isShared ? createShare(event) : undefined);
  }

  /** Returns the newest events, oldest first. */
  history(count: number): readonly HistoryEvent[] {
    const found: HistoryEvent[] = [];
    for (const { event, shared } of this.#newestFirst()) {
      if (found.length >= count) break;
      const own = shared?.own;
      found.push({ event, ...(own !== undefined && { own }) });
    }
    return found.reverse();
  }

  /** Returns at most `count` events that this process has recorded, with its own numbers above `id`, in their order. */
  ownAfter(id: number, count: number): readonly StoredEvent[] {
    const found: StoredEvent[] = [];
    for (const { event, shared } of this.#newestFirst()) {
      if (event.id <= id) break;
      const own = shared?.own;
      if (own !== undefined && own.id > id) found.push(toStored(event, own));
    }
    return found.sort((a, b) => a.id - b.id).slice(0, count);
  }

  /** Returns the newest events that match the query, newest first. */
  newest(query: EventQuery): readonly StoredEvent[] {
    const { limit = Number.POSITIVE_INFINITY } = query;
    const found: StoredEvent[] = [];
    for (const { event } of this.#newestFirst()) {
      if (found.length >= limit) break;
      if (isEventMatch(query, event)) found.push(event);
    }
    return found;
  }

  /** Returns at most `count` events with greater numbers, oldest first. */
  after(id: number, count: number): readonly StoredEvent[] {
    const found: StoredEvent[] = [];
    for (const { event } of this.#newestFirst()) {
      if (event.id <= id) break;
      found.push(event);
    }
    return found.reverse().slice(0, count);
  }

  *#newestFirst(): Generator<Place & { readonly event: StoredEvent }> {
    for (let index = this.#places.length - 1; index >= this.#start; index -= 1) {
      const place = this.#places[index];
      if (place?.event !== undefined) yield place as Place & { readonly event: StoredEvent };
    }
  }

  /** Returns the event with this identity in whose time window `at` is. */
  #findRecent(
    identity: EventIdentity,
    at: number,
  ): {
    readonly key: string;
    readonly place?: Place | undefined;
    readonly before?: StoredEvent | undefined;
  } {
    const key = formatKey(identity);
    const place = this.#latest.get(key);
    const event = place?.event;
    const isSame = event !== undefined && Math.abs(at - event.firstAt) < this.#limits.aggregationMs;
    return { key, place, before: isSame ? event : undefined };
  }

  #countsFor(
    identity: EventIdentity,
    place: Place | undefined,
    before: StoredEvent | undefined,
  ): SharedCount {
    const counts = place?.shared?.counts ?? createShare(identity).counts;
    return before === undefined ? counts.next() : counts;
  }

  #show(
    {
      key,
      identity,
      before,
      counts,
    }: {
      readonly key: string;
      readonly identity: EventIdentity;
      readonly before: StoredEvent | undefined;
      readonly counts: SharedCount;
    },
    occurrence: Occurrence,
    own: OwnOccurrences | undefined,
  ): StoredEvent {
    const place = this.#latest.get(key);
    if (before !== undefined && place !== undefined) {
      place.event = undefined;
      this.#size -= 1;
    }
    // The first time is a part of the identity of a stored event.
    const firstAt = before?.firstAt ?? occurrence.firstAt;
    const lastAt = Math.max(occurrence.lastAt, before?.lastAt ?? 0);
    const event = toStored(identity, { ...occurrence, firstAt, lastAt });
    return this.#keep(key, event, { counts, own });
  }

  #keep(key: string, event: StoredEvent, shared?: Shared): StoredEvent {
    const place: Place = { key, event, shared };
    this.#places.push(place);
    this.#latest.set(key, place);
    this.#size += 1;
    if (this.#size > this.#limits.maxEvents) this.#dropOldest();
    // Removes empty positions when there are as many as the maximum number of events.
    if (this.#places.length > 2 * this.#limits.maxEvents) this.#tidy();
    return event;
  }

  #dropOldest(): void {
    while (this.#places[this.#start]?.event === undefined) this.#start += 1;
    const oldest = this.#places[this.#start];
    this.#start += 1;
    this.#size -= 1;
    if (oldest === undefined) return;
    oldest.event = undefined;
    if (this.#latest.get(oldest.key) === oldest) this.#latest.delete(oldest.key);
  }

  #tidy(): void {
    this.#places = this.#places.filter(({ event }) => event !== undefined);
    this.#start = 0;
  }
}
