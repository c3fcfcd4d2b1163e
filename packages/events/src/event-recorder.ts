import type { EventQuery } from './event-query.ts';
import {
  type EventIdentity,
  EventRing,
  type HistoryEvent,
  RECORDER_LIMITS,
  type RecorderLimits,
} from './event-ring.ts';
import {
  DEFAULT_NAMESPACE,
  EVENT_KINDS,
  EVENT_REASONS,
  type EventKind,
  type EventSink,
  type GatewayEvent,
  MAX_MESSAGE_CHARS,
  type StoredEvent,
  formatEventMessage,
  toSingleLine,
} from './gateway-event.ts';

/**
 * Storage of events as lines, oldest first, one sequence per kind. A line is JSON without line breaks. An implementation deletes the oldest lines to limit the size.
 */
export interface EventLines {
  /** Appends lines. Rejects when not all lines were stored; the caller then appends them again. */
  append(kind: EventKind, lines: readonly string[]): Promise<void>;
  /** Returns at most `count` lines, newest first. Lines can be incomplete or unknown. */
  read(kind: EventKind, count: number): Promise<readonly string[]>;
  /**
   * Resolves when the next lines should be written: after a short delay, and later after failures.
   * @param failures number of consecutive failed appends
   */
  pause(failures: number): Promise<void>;
  /** Closes the storage. Nothing is appended afterwards. */
  close(): Promise<void>;
}

/** Characters of a line that is read; what is written is far shorter. */
const MAX_LINE_CHARS = 16_384;

/** An event as a line. */
const formatLine = (event: StoredEvent): string => JSON.stringify(event);

const isText = (value: unknown): value is string => typeof value === 'string';

/** A whole number that leaves room above it: a broken line must not use up the numbers. */
const isCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value < 2 ** 52;

const KINDS: ReadonlySet<unknown> = new Set(EVENT_KINDS);
const TYPES: ReadonlySet<unknown> = new Set(['Normal', 'Warning']);

const WORDS = ['name', 'namespace', 'reason'] as const;
const COUNTS = ['id', 'firstAt', 'lastAt', 'count'] as const;

/** Events of a cluster can be written by others: names and reasons are shown as they are, so they are single words. */
const WORD = /^[\w.:@/-]{1,253}$/u;

const isStoredEvent = (value: Readonly<Record<string, unknown>>): boolean =>
  KINDS.has(value['kind']) &&
  TYPES.has(value['type']) &&
  isText(value['message']) &&
  WORDS.every((key) => isText(value[key]) && WORD.test(value[key])) &&
  COUNTS.every((key) => isCount(value[key]));

const parseJson = (line: string): unknown => {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
};

/** Returns the event of a JSON value, or undefined when the value is none. */
export const parseStoredEvent = (value: unknown): StoredEvent | undefined => {
  if (typeof value !== 'object' || value === null) return undefined;
  if (!isStoredEvent(value as Readonly<Record<string, unknown>>)) return undefined;
  const { id, kind, name, namespace, reason, message, type, firstAt, lastAt, count } =
    value as StoredEvent;
  const text = toSingleLine(message, MAX_MESSAGE_CHARS);
  return { id, kind, name, namespace, reason, message: text, type, firstAt, lastAt, count };
};

/** The event of a line, or undefined when the line is torn, foreign or far too long. */
const parseEventLine = (line: string): StoredEvent | undefined =>
  line.length > MAX_LINE_CHARS ? undefined : parseStoredEvent(parseJson(line));

/** Number of lines that are read per event, because an aggregated event has several lines. */
const LINES_PER_EVENT = 4;

/** Returns the events of the lines of one kind, in the order of their numbers. */
const readStoredEvents = async (
  lines: EventLines,
  kind: EventKind,
  maxEvents: number,
): Promise<readonly StoredEvent[]> => {
  const found = new Map<string, StoredEvent>();
  const ids = new Set<number>();
  for (const line of await lines.read(kind, maxEvents * LINES_PER_EVENT)) {
    const event = parseEventLine(line);
    if (event?.kind !== kind || ids.has(event.id)) continue;
    const { reason, namespace, name, message, firstAt } = event;
    const key = `${reason}\n${namespace}\n${name}\n${String(firstAt)}\n${message}`;
    // The line with the greatest number is the latest state; a repeated append can change the order of lines.
    const known = found.get(key);
    if (known !== undefined && known.id > event.id) continue;
    if (known !== undefined) ids.delete(known.id);
    ids.add(event.id);
    found.set(key, event);
    if (found.size >= maxEvents) break;
  }
  return [...found.values()].sort((a, b) => a.id - b.id);
};

/** Dependencies of a writer. */
interface LineWriterOptions {
  readonly lines: EventLines;
  readonly kinds: readonly EventKind[];
  /** Returns at most `count` events of a kind with numbers above `id`, in the order of the numbers. */
  readonly after: (kind: EventKind, id: number, count: number) => readonly StoredEvent[];
  /** One line for the log, at warn level. */
  readonly warn: (text: string) => void;
}

/** Maximum number of lines of one write. */
const MAX_LINES_PER_WRITE = 1_000;

const MAX_REASON_CHARS = 300;

const formatReason = (error: unknown): string => {
  const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
  return line.slice(0, MAX_REASON_CHARS);
};

/**
 * Writes recorded events to the storage, one append at a time. Further events wait in memory for the next append. After a failure all events that are still recorded are written.
 */
class LineWriter {
  readonly #options: LineWriterOptions;
  /** The last stored number of each kind. */
  readonly #written = new Map<EventKind, number>();
  #running: Promise<void> | undefined;
  #failures = 0;
  #hurry = (): void => undefined;
  #isHurried = false;

  constructor(options: LineWriterOptions) {
    this.#options = options;
  }

  /** Sets the last stored number of a kind. */
  startAfter(kind: EventKind, id: number): void {
    this.#written.set(kind, id);
  }

  /** Schedules a write after a new event. */
  touch(): void {
    this.#running ??= this.#run();
  }

  /** Writes all events. Resolves when they are stored, or cannot be stored. */
  async settle(): Promise<void> {
    if (this.#running === undefined && this.#failures === 0) return;
    this.#isHurried = true;
    this.#hurry();
    this.touch();
    await this.#running;
  }

  async #run(): Promise<void> {
    // The caller continues first.
    await Promise.resolve();
    let isMore = true;
    while (isMore) {
      if (!this.#isHurried) await this.#pause();
      const isLast = this.#isHurried;
      isMore = await this.#writeAll(isLast);
    }
    this.#isHurried = false;
    this.#running = undefined;
  }

  async #pause(): Promise<void> {
    const hurried = new Promise<void>((resolve) => {
      this.#hurry = resolve;
    });
    await Promise.race([hurried, this.#options.lines.pause(this.#failures)]);
  }

  /** Returns whether to continue later. */
  async #writeAll(isLast: boolean): Promise<boolean> {
    try {
      for (const kind of this.#options.kinds) await this.#writeKind(kind);
      this.#failures = 0;
      return !isLast && this.#options.kinds.some((kind) => this.#unwritten(kind, 1).length > 0);
    } catch (error) {
      this.#failures += 1;
      if (this.#failures === 1) {
        this.#options.warn(
          `Events cannot be stored and are kept in memory: ${formatReason(error)}`,
        );
      }
      return !isLast;
    }
  }

  async #writeKind(kind: EventKind): Promise<void> {
    for (;;) {
      const events = this.#unwritten(kind, MAX_LINES_PER_WRITE);
      const last = events.at(-1);
      if (last === undefined) return;
      await this.#options.lines.append(kind, events.map(formatLine));
      this.#written.set(kind, last.id);
    }
  }

  #unwritten(kind: EventKind, count: number): readonly StoredEvent[] {
    return this.#options.after(kind, this.#written.get(kind) ?? 0, count);
  }
}

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
  readonly findNamespace?: (kind: EventKind, name: string) => string | undefined;
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

/** Maximum number of events that wait for the load. */
const MAX_EARLY_EVENTS = 1_000;
const MAX_NAME_CHARS = 253;

const formatIdentity = (
  event: GatewayEvent,
  { findNamespace }: Pick<EventRecorderOptions, 'findNamespace'>,
): EventIdentity => {
  const { kind, type } = EVENT_REASONS[event.reason];
  const { name, namespace = findNamespace?.(kind, name) ?? DEFAULT_NAMESPACE } = event;
  return {
    kind,
    name: toSingleLine(name, MAX_NAME_CHARS),
    namespace: toSingleLine(namespace, MAX_NAME_CHARS),
    reason: event.reason,
    message: formatEventMessage(event),
    type,
  };
};

/**
 * Records the newest events of each kind; a gateway has one recorder. Identical events within a time window are aggregated with a count. With
 * `lines`, events survive restarts.
 * @spec §6
 */
export class EventRecorder {
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

  /** Records an event without waiting for the storage. */
  readonly emit: EventSink = (event) => {
    const at = this.#options.now();
    if (this.#isLoaded) {
      this.#add(event, at);
      return;
    }
    this.#early.push({ event, at });
    if (this.#early.length > MAX_EARLY_EVENTS) this.#early.shift();
  };

  /** Returns recorded events, newest first. */
  readonly query = async (query: EventQuery): Promise<readonly StoredEvent[]> => {
    await this.load();
    const found = [...this.#rings.values()].flatMap((ring) => ring.newest(query));
    return found.sort((a, b) => b.id - a.id).slice(0, query.limit);
  };

  /**
   * Calls the listener with every further occurrence, in order. Numbers (`id`) increase, so a caller of `query` misses nothing and gets nothing twice. Returns a function that ends the subscription.
   */
  readonly subscribe = (listener: EventListener): (() => void) => {
    // A separate object, so that one function can subscribe twice.
    const own: EventListener = (event) => listener(event);
    this.#listeners.add(own);
    return () => this.#listeners.delete(own);
  };

  /** Loads stored events. Earlier events wait until then. Does nothing without `lines`. */
  readonly load = (): Promise<void> => {
    if (this.#isLoaded) return Promise.resolve();
    this.#loading ??= this.#load();
    return this.#loading;
  };

  /** Resolves when all events are stored, or cannot be stored. */
  readonly settle = async (): Promise<void> => {
    await this.load();
    await this.#writer?.settle();
  };

  /** Stores all events and closes the storage. Later events stay in memory. */
  readonly close = async (): Promise<void> => {
    await this.settle();
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
