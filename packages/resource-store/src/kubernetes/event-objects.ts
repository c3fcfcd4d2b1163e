import type { EventKind, EventLines, StoredEvent } from '@gateway/events';
import {
  applyObject,
  hasStatus,
  listObjects,
  type ApiConnection,
  type ApiFailure,
  type Leadership,
  type VersionedObject,
} from '@gateway/kube-client';
import { BoundedMap } from './bounded-map.ts';
import { EventBacklog, eventId } from './event-backlog.ts';
import { EventBudget } from './event-budget.ts';
import { successionOf, type ContinuedEvent, type KnownEvent } from './event-succession.ts';
import {
  EVENT,
  eventObject,
  eventOfObject,
  eventSelector,
  type EventPlace,
  type EventOrigin,
} from './event-object.ts';
import { failureSentence } from './failure-sentence.ts';

/** The dependencies of events in a cluster. */
export interface EventObjectsOptions extends EventOrigin {
  readonly connection: ApiConnection;
  /** The namespaces whose definitions are used; all when empty. */
  readonly namespaces: readonly string[];
  readonly leadership: Leadership;
  /** Returns the place of an event, which is that of its object. */
  readonly placeOf: (event: StoredEvent) => EventPlace;
  /** Called once when the gateway may not write events. Must not throw. */
  readonly onProblem: (sentence: string) => void;
}

const KINDS: readonly EventKind[] = ['MCPServer', 'Workflow', 'Configuration'];
const MAX_CONTINUED = 10_000;
const GATHER_MS = 500;
const RETRY_MS = 1_000;
const MAX_RETRY_MS = 60_000;

/** Refusals that a repetition does not change: the namespace is gone, or the object is not accepted. */
const isFinal = (failure: ApiFailure): boolean =>
  failure.kind === 'refused' && [400, 404, 409, 422].includes(failure.status);

/**
 * Stores events as objects of events.k8s.io/v1, next to the objects that they are about. Occurrences of an aggregated event are one object.
 * Only the replica that leads writes. The others keep their newest events; a new leader writes those of them that the former one has not
 * written, as occurrences of its objects where it has written the same event.
 */
export class EventObjects implements EventLines {
  readonly #options: EventObjectsOptions;
  readonly #budget = new EventBudget();
  readonly #backlog = new EventBacklog();
  readonly #continued = new BoundedMap<ContinuedEvent>(MAX_CONTINUED);
  readonly #stopFollowing: () => void;
  readonly #timers = new Map<NodeJS.Timeout, () => void>();
  #isClosed = false;
  #isForbidden = false;
  /** This process leads and has written what the former leader has not. */
  #isWriting: boolean;

  constructor(options: EventObjectsOptions) {
    this.#options = options;
    const { leadership } = options;
    this.#isWriting = leadership.isLeader();
    this.#stopFollowing = leadership.onChange((isLeader) => {
      this.#isWriting = false;
      if (isLeader) void this.#succeed();
    });
  }

  readonly append = async (_kind: EventKind, lines: readonly string[]): Promise<void> => {
    const events = lines.map((line) => JSON.parse(line) as StoredEvent);
    for (const event of events) {
      if (!this.#isPermitted(event)) continue;
      if (this.#isWriting && this.#options.leadership.isLeader()) await this.#write(event);
      else this.#backlog.add(event, Date.now());
    }
  };

  readonly read = async (kind: EventKind, count: number): Promise<readonly string[]> => {
    const found: StoredEvent[] = [];
    for (const list of await this.#list(kind)) {
      if (typeof list === 'string') throw new Error(list);
      found.push(...list.map((object) => eventOfObject(object, kind)));
    }
    return numbered(found)
      .slice(0, count)
      .map((event) => JSON.stringify(event));
  };

  readonly pause = (failures: number): Promise<void> => {
    if (this.#isClosed) return Promise.resolve();
    const ms = failures === 0 ? GATHER_MS : Math.min(MAX_RETRY_MS, RETRY_MS * 2 ** (failures - 1));
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

  /** Returns the objects of each namespace, or why they cannot be listed. */
  async #list(kind: EventKind): Promise<readonly (readonly VersionedObject[] | string)[]> {
    const { connection, namespaces, namespace } = this.#options;
    const own = kind === 'Configuration' ? [namespace] : namespaces;
    const places = own.length === 0 ? [undefined] : own;
    const selector = { labelSelector: eventSelector(kind, this.#options) };
    return Promise.all(
      places.map(async (place) => {
        const where = place === undefined ? {} : { namespace: place };
        const request = { kind: EVENT, selector, ...where };
        const list = await listObjects(connection, request);
        if (list.ok) return list.value.objects;
        return failureSentence(list.failure, { verb: 'list', ...request });
      }),
    );
  }

  /** Writes what the former leader has not written, until that is done or this process does not lead. */
  async #succeed(): Promise<void> {
    for (let failures = 0; this.#isSucceeding();) {
      try {
        await this.#writeBacklog();
        if (this.#isSucceeding()) this.#isWriting = this.#backlog.events(Date.now()).length === 0;
      } catch {
        failures += 1;
        await this.pause(failures);
      }
    }
  }

  #isSucceeding(): boolean {
    return !this.#isClosed && !this.#isWriting && this.#options.leadership.isLeader();
  }

  async #writeBacklog(): Promise<void> {
    const events = this.#backlog.events(Date.now());
    const known = await this.#known(new Set(events.map(({ kind }) => kind)));
    for (const event of events) {
      if (!this.#isSucceeding()) return;
      const found = successionOf(known, event, this.#options.placeOf(event).namespace);
      if (found !== undefined) this.#continued.set(eventId(event), found.continued);
      if (found?.isBehind !== false) await this.#write(event);
      this.#backlog.remove(event);
    }
  }

  /** Returns the events in the cluster, newest first; those that cannot be listed are missing. */
  async #known(kinds: ReadonlySet<EventKind>): Promise<readonly KnownEvent[]> {
    const found: KnownEvent[] = [];
    for (const kind of KINDS.filter((one) => kinds.has(one)))
      for (const list of await this.#list(kind)) {
        if (typeof list === 'string') continue;
        for (const object of list)
          found.push({
            object: object.object.metadata.name,
            event: eventOfObject(object, kind),
          });
      }
    return found.sort((a, b) => b.event.lastAt - a.event.lastAt);
  }

  #isPermitted(event: StoredEvent): boolean {
    const object = JSON.stringify([event.kind, event.namespace, event.name]);
    return this.#budget.take({ object, event: eventId(event), count: event.count }, Date.now());
  }

  async #write(event: StoredEvent): Promise<void> {
    const { connection, placeOf } = this.#options;
    const continued = this.#continued.get(eventId(event));
    const place = { ...placeOf(event), ...(continued === undefined ? {} : { continued }) };
    const { key, fields } = eventObject(event, this.#options, place);
    const { fieldManager } = connection;
    const request = { kind: EVENT, key, fields, fieldManager, isForced: true };
    const written = await applyObject(connection, request);
    if (written.ok || isFinal(written.failure)) return;
    const sentence = failureSentence(written.failure, { verb: 'write', kind: EVENT, ...key });
    if (!hasStatus(written.failure, 403)) throw new Error(sentence);
    // A missing permission in one namespace must not stop the events of others.
    if (!this.#isForbidden) this.#options.onProblem(sentence);
    this.#isForbidden = true;
  }
}

/** Returns events newest first, each with its own number. */
const numbered = (events: readonly StoredEvent[]): readonly StoredEvent[] => {
  let last = 0;
  return events
    .toSorted((a, b) => a.id - b.id)
    .map((event) => {
      last = Math.max(last + 1, event.id);
      return { ...event, id: last };
    })
    .reverse();
};
