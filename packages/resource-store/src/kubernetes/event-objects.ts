import type { EventKind, EventLines, StoredEvent } from '@gateway/events';
import {
  applyObject,
  hasStatus,
  listObjects,
  type ApiConnection,
  type ApiFailure,
  type Leadership,
} from '@gateway/kube-client';
import { EventBudget } from './event-budget.ts';
import {
  EVENT,
  eventObject,
  eventOfObject,
  eventSelector,
  type EventObject,
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

const GATHER_MS = 500;
const RETRY_MS = 1_000;
const MAX_RETRY_MS = 60_000;

/** Refusals that a repetition does not change: the namespace is gone, or the object is not accepted. */
const isFinal = (failure: ApiFailure): boolean =>
  failure.kind === 'refused' && [400, 404, 409, 422].includes(failure.status);

/**
 * Stores events as objects of events.k8s.io/v1, next to the objects that they are about. Occurrences of an aggregated event are one object.
 * Only the replica that leads writes.
 */
export class EventObjects implements EventLines {
  readonly #options: EventObjectsOptions;
  readonly #budget = new EventBudget();
  readonly #timers = new Map<NodeJS.Timeout, () => void>();
  #isClosed = false;
  #isForbidden = false;

  constructor(options: EventObjectsOptions) {
    this.#options = options;
  }

  readonly append = async (_kind: EventKind, lines: readonly string[]): Promise<void> => {
    if (!this.#options.leadership.isLeader()) return;
    const objects = new Map<string, EventObject>();
    for (const line of lines) {
      const event = JSON.parse(line) as StoredEvent;
      const object = eventObject(event, this.#options, this.#options.placeOf(event));
      objects.set(`${object.key.namespace}/${object.key.name}`, object);
    }
    for (const object of objects.values()) await this.#write(object);
  };

  readonly read = async (kind: EventKind, count: number): Promise<readonly string[]> => {
    const { connection, namespaces, namespace } = this.#options;
    const own = kind === 'Configuration' ? [namespace] : namespaces;
    const places = own.length === 0 ? [undefined] : own;
    const selector = { labelSelector: eventSelector(kind, this.#options) };
    const found: StoredEvent[] = [];
    for (const place of places) {
      const request = {
        kind: EVENT,
        selector,
        ...(place === undefined ? {} : { namespace: place }),
      };
      const list = await listObjects(connection, request);
      if (!list.ok) throw new Error(failureSentence(list.failure, { verb: 'list', ...request }));
      found.push(...list.value.objects.map((object) => eventOfObject(object, kind)));
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
    for (const [timer, resolve] of this.#timers) {
      clearTimeout(timer);
      resolve();
    }
    this.#timers.clear();
    return Promise.resolve();
  };

  async #write({ key, fields }: EventObject): Promise<void> {
    const { connection } = this.#options;
    const { regarding } = fields;
    if (!this.#budget.take(JSON.stringify(regarding), Date.now())) return;
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
