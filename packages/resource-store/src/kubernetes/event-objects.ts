import { createHash } from 'node:crypto';
import { computeBackoffDelay, type Backoff } from '@gateway/call-contract';
import { formatApiVersion } from '@gateway/crd-schemas';
import { EVENT_KINDS, type EventKind, type EventLines, type StoredEvent } from '@gateway/events';
import {
  type ApiConnection,
  type ApiFailure,
  type ApiKind,
  applyObject,
  toFields,
  hasStatus,
  type Leadership,
  listObjects,
  type ListSample,
  type VersionedObject,
} from '@gateway/kube-client';
import { LRUCache } from 'lru-cache';
import {
  type ContinuedEvent,
  EventBacklog,
  EventBudget,
  computeEventId,
  EventSubjects,
  FormerEvents,
  type KnownEvent,
  type SubjectEvent,
  type Succession,
} from './event-succession.ts';
import { formatFailureSentence } from './failure-sentence.ts';

export const EVENT: ApiKind = {
  group: 'events.k8s.io',
  version: 'v1',
  kind: 'Event',
  resource: 'events',
};

/** The value of `app.kubernetes.io/managed-by` of the events of gateways. */
const MANAGER = 'gateway';
const MANAGED_BY = 'app.kubernetes.io/managed-by';
const MAX_NAME_CHARS = 253;
const HASH_CHARS = 16;

/** The gateway whose events are written. */
export interface EventOrigin {
  readonly apiGroup: string;
  /** The namespace of events about the configuration. */
  readonly namespace: string;
}

const formatKindLabel = ({ apiGroup }: EventOrigin): string => `${apiGroup}/kind`;

export const formatEventSelector = (kind: EventKind, origin: EventOrigin): string =>
  `${MANAGED_BY}=${MANAGER},${formatKindLabel(origin)}=${kind}`;

const formatMicroTime = (at: number): string => new Date(at).toISOString().replace('Z', '000Z');

/** The parts of an event that the API does not let change. */
const formatEventName = ({ name, reason, message, firstAt, uid = '' }: SubjectEvent): string => {
  const hash = createHash('sha256').update(JSON.stringify([name, reason, message, firstAt, uid]));
  const suffix = `.${hash.digest('hex').slice(0, HASH_CHARS)}`;
  return name.slice(0, MAX_NAME_CHARS - suffix.length) + suffix;
};

/** The namespace of an event, and the uid of the object that it is about, if it exists. */
export interface EventObjectPlace {
  readonly namespace: string;
  readonly uid?: string;
  /** The object of another replica that this event continues. */
  readonly continued?: ContinuedEvent | undefined;
}

/** An event as the API stores it. */
export interface EventObject {
  readonly key: { readonly namespace: string; readonly name: string };
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Returns the object of an event. Occurrences of an aggregated event have one object, whose `series` counts them. */
const createEventObject = (
  event: SubjectEvent,
  origin: EventOrigin,
  { namespace, continued }: Pick<EventObjectPlace, 'namespace' | 'continued'>,
): EventObject => {
  const { kind, name, reason, message, type, lastAt } = event;
  const { object, uid, firstAt, more }: ContinuedEvent = continued ?? {
    object: formatEventName(event),
    ...(event.uid === undefined ? {} : { uid: event.uid }),
    firstAt: event.firstAt,
    more: 0,
  };
  const count = event.count + more;
  const apiVersion = formatApiVersion(origin.apiGroup);
  return {
    key: { namespace, name: object },
    fields: {
      metadata: { labels: { [MANAGED_BY]: MANAGER, [formatKindLabel(origin)]: kind } },
      eventTime: formatMicroTime(firstAt),
      reason,
      action: reason,
      note: message,
      type,
      reportingController: `${origin.apiGroup}/gateway`,
      reportingInstance: MANAGER,
      regarding: { apiVersion, kind, namespace, name, ...(uid === undefined ? {} : { uid }) },
      ...(count > 1 ? { series: { count, lastObservedTime: formatMicroTime(lastAt) } } : {}),
    },
  };
};

const parseTime = (value: unknown): number => {
  const at = Date.parse(String(value));
  return Number.isNaN(at) ? 0 : at;
};

/** Returns the event of an object; its number is the time of its last occurrence. */
export const toStoredEvent = ({ object }: VersionedObject, kind: EventKind): StoredEvent => {
  const fields: Readonly<Record<string, unknown>> = { ...object };
  const { name, namespace } = toFields(fields['regarding']);
  const { count, lastObservedTime } = toFields(fields['series']);
  const firstAt = parseTime(fields['eventTime']);
  const lastAt = lastObservedTime === undefined ? firstAt : parseTime(lastObservedTime);
  return {
    id: lastAt,
    kind,
    name: String(name),
    namespace: String(namespace),
    reason: String(fields['reason']),
    message: String(fields['note']),
    type: fields['type'] === 'Warning' ? 'Warning' : 'Normal',
    firstAt,
    lastAt,
    count: typeof count === 'number' ? count : 1,
  };
};

/** Returns the event of an object with what another replica needs to continue it. */
const toKnownEvent = (found: VersionedObject, kind: EventKind): KnownEvent => {
  const fields: Readonly<Record<string, unknown>> = { ...found.object };
  const { uid } = toFields(fields['regarding']);
  return {
    object: found.object.metadata.name,
    ...(typeof uid === 'string' ? { uid } : {}),
    event: toStoredEvent(found, kind),
  };
};

/** Returns events newest first, each with its own number. */
const assignNumbers = (events: readonly StoredEvent[]): readonly StoredEvent[] => {
  let last = 0;
  return events
    .toSorted((a, b) => a.id - b.id)
    .map((event) => {
      last = Math.max(last + 1, event.id);
      return { ...event, id: last };
    })
    .reverse();
};

/** How many events of one kind and namespace are read and used. */
interface EventSampleBounds {
  readonly maxRead: number;
  readonly maxUsed: number;
}

const BOUNDS: EventSampleBounds = { maxRead: 50_000, maxUsed: 10_000 };

/** Returns the newest objects of events, by their last occurrence. */
const selectNewest = (
  objects: readonly VersionedObject[],
  kind: EventKind,
  count: number,
): readonly VersionedObject[] =>
  objects
    .map((object) => ({ object, at: toStoredEvent(object, kind).lastAt }))
    .sort((a, b) => b.at - a.at)
    .slice(0, count)
    .map(({ object }) => object);

/** Returns the part of a list of events that is used: any client of the API can create more events than fit in memory. */
export const createEventSample = (
  kind: EventKind,
  { maxRead, maxUsed }: EventSampleBounds = BOUNDS,
): ListSample => ({
  maxRead,
  keep: (objects) =>
    objects.length <= 2 * maxUsed ? objects : selectNewest(objects, kind, maxUsed),
});

/** The dependencies of events in a cluster. */
export interface EventObjectsOptions extends EventOrigin {
  readonly connection: ApiConnection;
  /** The namespaces whose definitions are used; all when empty. */
  readonly namespaces: readonly string[];
  readonly leadership: Leadership;
  readonly findPlace: (event: StoredEvent) => EventObjectPlace;
  /** Called once when the gateway may not write events. Must not throw. */
  readonly onProblem: (sentence: string) => void;
}

const MAX_CONTINUED = 10_000;
const GATHER_MS = 500;
const RETRIES: Backoff = { firstMs: 1_000, maxMs: 60_000 };

/** No other process has led before this one. */
const NO_EVENTS = new FormerEvents([], -Infinity);

/** Refusals that a repetition does not change: the namespace is gone, or the object is not accepted. */
const isFinal = (failure: ApiFailure): boolean =>
  failure.kind === 'refused' && [400, 404, 409, 422].includes(failure.status);

/** A permission or a namespace is missing: to list again does not help. */
const isLasting = (failure: ApiFailure): boolean => isFinal(failure) || hasStatus(failure, 403);

/** The events of one namespace. */
type Listed =
  | { readonly ok: true; readonly objects: readonly VersionedObject[] }
  | { readonly ok: false; readonly sentence: string; readonly isLasting: boolean };

/**
 * Stores events as objects of events.k8s.io/v1, next to the objects that they are about. Occurrences of an aggregated event are one object.
 * Only the replica that leads writes. The others keep their newest events; a new leader writes those of them that the former one has not
 * written, as occurrences of its objects where it has written the same event.
 */
export class EventObjects implements EventLines {
  readonly #options: EventObjectsOptions;
  readonly #budget = new EventBudget();
  readonly #subjects = new EventSubjects();
  readonly #backlog = new EventBacklog<SubjectEvent>();
  #former = NO_EVENTS;
  /** By what distinguishes the events of this process. */
  readonly #continued = new LRUCache<string, ContinuedEvent>({ max: MAX_CONTINUED });
  readonly #stopFollowing: () => void;
  readonly #timers = new Map<NodeJS.Timeout, () => void>();
  #isClosed = false;
  #isForbidden = false;
  /** This process leads and has written what the former leader has not. */
  #isWriting: boolean;
  /** Counts the changes of leadership. */
  #term = 0;

  constructor(options: EventObjectsOptions) {
    this.#options = options;
    const { leadership } = options;
    this.#isWriting = leadership.isLeader();
    this.#stopFollowing = leadership.onChange((isLeader) => {
      this.#isWriting = false;
      this.#term += 1;
      if (isLeader) void this.#succeed(this.#term);
    });
  }

  readonly append = async (_kind: EventKind, lines: readonly string[]): Promise<void> => {
    const { findPlace } = this.#options;
    const recorded = lines.map((line) => JSON.parse(line) as StoredEvent);
    // Before anything is written: the object may be another one later.
    const events = recorded.map((event) =>
      this.#subjects.toSubjectEvent(event, findPlace(event).uid),
    );
    for (const event of events) {
      if (!this.#isPermitted(event)) continue;
      if (this.#isWriting && this.#options.leadership.isLeader()) await this.#write(event);
      else this.#backlog.add(event, Date.now());
    }
  };

  readonly read = async (kind: EventKind, count: number): Promise<readonly string[]> => {
    const found: StoredEvent[] = [];
    for (const list of await this.#list(kind)) {
      if (!list.ok) throw new Error(list.sentence);
      for (const { event, uid } of list.objects.map((object) => toKnownEvent(object, kind))) {
        this.#subjects.remember({ ...event, ...(uid === undefined ? {} : { uid }) });
        found.push(event);
      }
    }
    return assignNumbers(found)
      .slice(0, count)
      .map((event) => JSON.stringify(event));
  };

  readonly pause = (failures: number): Promise<void> => {
    if (this.#isClosed) return Promise.resolve();
    const ms = failures === 0 ? GATHER_MS : computeBackoffDelay(failures - 1, RETRIES);
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#timers.delete(timer);
        resolve();
      }, ms);
      timer.unref();
      this.#timers.set(timer, resolve);
    });
  };

  readonly close = (): Promise<void> => {
    this.#isClosed = true;
    this.#stopFollowing();
    for (const [timer, resolve] of this.#timers) {
      clearTimeout(timer);
      resolve();
    }
    this.#timers.clear();
    return Promise.resolve();
  };

  async #list(kind: EventKind): Promise<readonly Listed[]> {
    const { connection, namespaces, namespace } = this.#options;
    const own = kind === 'Configuration' ? [namespace] : namespaces;
    const places = own.length === 0 ? [undefined] : own;
    const selector = { labelSelector: formatEventSelector(kind, this.#options) };
    return Promise.all(
      places.map(async (place) => {
        const where = place === undefined ? {} : { namespace: place };
        const request = { kind: EVENT, selector, ...where };
        const list = await listObjects(connection, { ...request, sample: createEventSample(kind) });
        if (list.ok) return { ok: true, objects: list.value.objects };
        const sentence = formatFailureSentence(list.failure, { verb: 'list', ...request });
        return { ok: false, sentence, isLasting: isLasting(list.failure) };
      }),
    );
  }

  /** Writes what the former leader has not written, until that is done or this process does not lead. */
  async #succeed(term: number): Promise<void> {
    let hasRead = false;
    for (let failures = 0; this.#isSucceeding(term);) {
      try {
        if (!hasRead) await this.#readFormer();
        hasRead = true;
        await this.#writeBacklog(term);
        if (this.#isSucceeding(term))
          this.#isWriting = this.#backlog.events(Date.now()).length === 0;
      } catch {
        failures += 1;
        await this.pause(failures);
      }
    }
  }

  #isSucceeding(term: number): boolean {
    const { leadership } = this.#options;
    return !this.#isClosed && !this.#isWriting && term === this.#term && leadership.isLeader();
  }

  /** Reads the events in the cluster. Those of a namespace that may not be listed are missing. */
  async #readFormer(): Promise<void> {
    const ledAt = Date.now();
    const known: KnownEvent[] = [];
    for (const kind of EVENT_KINDS)
      for (const list of await this.#list(kind)) {
        if (list.ok) known.push(...list.objects.map((object) => toKnownEvent(object, kind)));
        else if (!list.isLasting) throw new Error(list.sentence);
      }
    this.#former = new FormerEvents(known, ledAt);
    this.#continued.clear();
  }

  async #writeBacklog(term: number): Promise<void> {
    for (const event of this.#backlog.events(Date.now())) {
      if (!this.#isSucceeding(term)) return;
      await this.#write(event);
      this.#backlog.remove(event);
    }
  }

  #isPermitted(event: SubjectEvent): boolean {
    const object = JSON.stringify([event.kind, event.namespace, event.name]);
    return this.#budget.take(
      { object, event: computeEventId(event), count: event.count },
      Date.now(),
    );
  }

  /** Returns the object of the former leader that an event continues, if there is one, and whether to write the event. */
  #findSuccession(
    event: SubjectEvent,
    namespace: string,
  ): Pick<Succession, 'isBehind'> & Partial<Succession> {
    const id = computeEventId(event);
    const continued = this.#continued.get(id);
    if (continued !== undefined) return { continued, isBehind: true };
    const { uid } = event;
    const place = { namespace, ...(uid === undefined ? {} : { uid }) };
    const found = this.#former.find(event, place);
    if (found === undefined) return { isBehind: true };
    this.#continued.set(id, found.continued);
    return found;
  }

  /** Writes an occurrence, unless the former leader has. */
  async #write(event: SubjectEvent): Promise<void> {
    const { connection, findPlace } = this.#options;
    const { namespace } = findPlace(event);
    const { continued, isBehind } = this.#findSuccession(event, namespace);
    if (!isBehind) return;
    const { key, fields } = createEventObject(event, this.#options, { namespace, continued });
    const { fieldManager } = connection;
    const request = { kind: EVENT, key, fields, fieldManager, isForced: true };
    const written = await applyObject(connection, request);
    if (written.ok || isFinal(written.failure)) return;
    const sentence = formatFailureSentence(written.failure, { verb: 'write', kind: EVENT, ...key });
    if (!hasStatus(written.failure, 403)) throw new Error(sentence);
    // A missing permission in one namespace must not stop the events of others.
    if (!this.#isForbidden) this.#options.onProblem(sentence);
    this.#isForbidden = true;
  }
}
