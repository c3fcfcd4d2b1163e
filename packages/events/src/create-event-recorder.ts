import { type EventLines, LineWriter, readStoredEvents } from './event-lines.ts';
import type { EventQuery } from './event-query.ts';
import { EVENT_KINDS, EVENT_REASONS, type EventKind } from './event-reasons.ts';
import {
  type EventIdentity,
  type HistoryEvent,
  EventRing,
  RECORDER_LIMITS,
  type RecorderLimits,
} from './event-ring.ts';
import { DEFAULT_NAMESPACE, formatEventMessage, toSingleLine } from './event-text.ts';
import type { EventSink, GatewayEvent, StoredEvent } from './gateway-event.ts';

/** Dependencies of a recorder. */
export interface EventRecorderOptions {
  /** Storage of the events; in memory only when absent. */
  readonly lines?: EventLines;
  /** Milliseconds since the epoch; may jump. */
  readonly now: () => number;
  /** One line for the log, at warn level. */
  readonly warn: (text: string) => void;
  readonly limits?: Partial<RecorderLimits>;
  /** Returns the namespace of a resource whose event names none; `default` when absent. */
  readonly namespaceOf?: (kind: EventKind, name: string) => string | undefined;
  /**
   * Other processes report their events to this one. The function reads their earlier events into the recorder and ends soon; events of this
   * process wait for it. It must not reject.
   */
  readonly join?: (exchange: EventExchange) => Promise<void>;
}

/** The part of a recorder that an exchange of events with other processes uses. */
export interface EventExchange {
  /** Returns at most `count` events that this process has recorded, with numbers above `id`, in the order of these numbers. */
  readonly ownAfter: (id: number, count: number) => readonly StoredEvent[];
  /** Adds occurrences of another process. Listeners get those that are new. */
  readonly merge: (event: StoredEvent, origin: string) => void;
  /** Returns the newest events of each kind, oldest first. */
  readonly history: (perKind: number) => readonly HistoryEvent[];
  /** Adds an earlier event of another process, unless it is known. Listeners do not get it. */
  readonly mergeHistory: (event: HistoryEvent, origin: string) => void;
  /** Calls the listener with each occurrence in this process, as {@link EventExchange.ownAfter} returns it; one listener. */
  readonly onOwn: (listener: EventListener) => void;
}

/** Called with each recorded occurrence; must not throw. */
export type EventListener = (event: StoredEvent) => void;

/** Records events. A gateway has one recorder. */
export interface EventRecorder {
  /** Records an event without waiting for the storage. */
  readonly emit: EventSink;
  /** Returns recorded events, newest first. */
  readonly query: (query: EventQuery) => Promise<readonly StoredEvent[]>;
  /**
   * Calls the listener with every further occurrence, in order. Numbers (`id`) increase, so a caller of `query` misses nothing and gets nothing twice. Returns a function that ends the subscription.
   */
  readonly subscribe: (listener: EventListener) => () => void;
  /** Loads stored events. Earlier events wait until then. Does nothing without `lines`. */
  readonly load: () => Promise<void>;
  /** Resolves when all events are stored, or cannot be stored. */
  readonly settled: () => Promise<void>;
  /** Stores all events and closes the storage. Later events stay in memory. */
  readonly close: () => Promise<void>;
}

/** Maximum number of events that wait for the load. */
const MAX_EARLY_EVENTS = 1_000;
const MAX_NAME_CHARS = 253;

const formatIdentity = (
  event: GatewayEvent,
  { namespaceOf }: Pick<EventRecorderOptions, 'namespaceOf'>,
): EventIdentity => {
  const { kind, type } = EVENT_REASONS[event.reason];
  const { name, namespace = namespaceOf?.(kind, name) ?? DEFAULT_NAMESPACE } = event;
  return {
    kind,
    name: toSingleLine(name, MAX_NAME_CHARS),
    namespace: toSingleLine(namespace, MAX_NAME_CHARS),
    reason: event.reason,
    message: formatEventMessage(event),
    type,
  };
};

class Recorder implements EventRecorder {
  readonly #options: EventRecorderOptions;
  readonly #limits: RecorderLimits;
  readonly #rings: ReadonlyMap<EventKind, EventRing>;
  readonly #listeners = new Set<EventListener>();
  readonly #early: { readonly event: GatewayEvent; readonly at: number }[] = [];
  #writer: LineWriter | undefined;
  #loading: Promise<void> | undefined;
  #isLoaded: boolean;
  #lastId = 0;
  #ownListener: EventListener | undefined;

  constructor(options: EventRecorderOptions) {
    this.#options = options;
    const limits = { ...RECORDER_LIMITS, ...options.limits };
    this.#limits = limits;
    const isShared = options.join !== undefined;
    this.#rings = new Map(EVENT_KINDS.map((kind) => [kind, new EventRing(limits, isShared)]));
    this.#isLoaded = options.lines === undefined && !isShared;
    if (options.lines === undefined) return;
    this.#writer = new LineWriter({
      lines: options.lines,
      kinds: EVENT_KINDS,
      after: (kind, id, count) => this.#rings.get(kind)?.after(id, count) ?? [],
      warn: options.warn,
    });
  }

  readonly emit = (event: GatewayEvent): void => {
    const at = this.#options.now();
    if (this.#isLoaded) {
      this.#add(event, at);
      return;
    }
    this.#early.push({ event, at });
    if (this.#early.length > MAX_EARLY_EVENTS) this.#early.shift();
  };

  readonly query = async (query: EventQuery): Promise<readonly StoredEvent[]> => {
    await this.load();
    const found = [...this.#rings.values()].flatMap((ring) => ring.newest(query));
    return found.sort((a, b) => b.id - a.id).slice(0, query.limit);
  };

  readonly subscribe = (listener: EventListener): (() => void) => {
    // A separate object, so that one function can subscribe twice.
    const own: EventListener = (event) => listener(event);
    this.#listeners.add(own);
    return () => this.#listeners.delete(own);
  };

  readonly load = (): Promise<void> => {
    if (this.#isLoaded) return Promise.resolve();
    this.#loading ??= this.#load();
    return this.#loading;
  };

  readonly settled = async (): Promise<void> => {
    await this.load();
    await this.#writer?.settled();
  };

  readonly close = async (): Promise<void> => {
    await this.settled();
    if (this.#writer === undefined) return;
    this.#writer = undefined;
    await this.#options.lines?.close();
  };

  async #load(): Promise<void> {
    for (const kind of EVENT_KINDS) await this.#restore(kind);
    await this.#options.join?.(this.#exchange());
    this.#isLoaded = true;
    for (const { event, at } of this.#early.splice(0)) this.#add(event, at);
  }

  async #restore(kind: EventKind): Promise<void> {
    const { lines, warn } = this.#options;
    if (lines === undefined) return;
    try {
      for (const event of await readStoredEvents(lines, kind, this.#limits.maxEvents)) {
        this.#rings.get(kind)?.restore(event);
        this.#lastId = Math.max(this.#lastId, event.id);
        this.#writer?.startAfter(kind, event.id);
      }
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      warn(`Stored events of the kind ${kind} cannot be read: ${toSingleLine(reason, 300)}`);
    }
  }

  #add(event: GatewayEvent, at: number): void {
    const identity = formatIdentity(event, this.#options);
    this.#lastId += 1;
    const ring = this.#rings.get(identity.kind);
    const stored = ring?.add(identity, this.#lastId, at);
    this.#publish(stored);
    if (stored === undefined || this.#ownListener === undefined) return;
    for (const own of ring?.ownAfter(stored.id - 1, 1) ?? []) this.#ownListener(own);
  }

  #publish(stored: StoredEvent | undefined): void {
    if (stored === undefined) return;
    this.#writer?.touch();
    for (const listener of this.#listeners) listener(stored);
  }

  #exchange(): EventExchange {
    const rings = [...this.#rings.values()];
    const findRing = ({ kind }: StoredEvent): EventRing | undefined => this.#rings.get(kind);
    const nextId = (): number => (this.#lastId += 1);
    return {
      ownAfter: (id, count) =>
        rings
          .flatMap((ring) => ring.ownAfter(id, count))
          .sort((a, b) => a.id - b.id)
          .slice(0, count),
      merge: (event, origin) => this.#publish(findRing(event)?.merge(event, origin, nextId())),
      history: (perKind) =>
        rings
          .flatMap((ring) => ring.history(perKind))
          .sort((a, b) => a.event.lastAt - b.event.lastAt),
      mergeHistory: (known, origin) => findRing(known.event)?.mergeHistory(known, origin, nextId()),
      onOwn: (listener) => {
        this.#ownListener = listener;
      },
    };
  }
}

/**
 * Creates a recorder of the newest events of each kind. Identical events within a time window are aggregated with a count. With `lines`,
 * events survive restarts.
 * @spec §6
 */
export const createEventRecorder = (options: EventRecorderOptions): EventRecorder =>
  new Recorder(options);
