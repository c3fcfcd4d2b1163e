import type { EventLines } from './event-lines.ts';
import type { EventQuery } from './event-query.ts';
import { EVENT_REASONS } from './event-reasons.ts';
import { EventRing, type EventIdentity } from './event-ring.ts';
import { DEFAULT_NAMESPACE, eventText, oneLine } from './event-text.ts';
import type { EventSink, GatewayEvent } from './gateway-event.ts';
import { LineWriter } from './line-writer.ts';
import { MAX_EARLY_EVENTS, RECORDER_LIMITS, type RecorderLimits } from './recorder-limits.ts';
import { restoredEvents } from './restore-events.ts';
import type { EventKind, StoredEvent } from './stored-event.ts';

/** Dependencies of a recorder. */
export interface EventRecorderOptions {
  /** Storage of the events; in memory only when absent. */
  readonly lines?: EventLines;
  /** Milliseconds since the epoch; may jump. */
  readonly now: () => number;
  /** One line for the log, at warn level. */
  readonly warn: (text: string) => void;
  readonly limits?: Partial<RecorderLimits>;
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

const KINDS: readonly EventKind[] = ['MCPServer', 'Workflow', 'Configuration'];
const MAX_NAME_CHARS = 253;

const identityOf = (event: GatewayEvent): EventIdentity => {
  const { kind, type } = EVENT_REASONS[event.reason];
  return {
    kind,
    name: oneLine(event.name, MAX_NAME_CHARS),
    namespace: oneLine(event.namespace ?? DEFAULT_NAMESPACE, MAX_NAME_CHARS),
    reason: event.reason,
    message: eventText(event),
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

  constructor(options: EventRecorderOptions) {
    this.#options = options;
    const limits = { ...RECORDER_LIMITS, ...options.limits };
    this.#limits = limits;
    this.#rings = new Map(KINDS.map((kind) => [kind, new EventRing(limits)]));
    this.#isLoaded = options.lines === undefined;
    if (options.lines === undefined) return;
    this.#writer = new LineWriter({
      lines: options.lines,
      kinds: KINDS,
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
    for (const kind of KINDS) await this.#restore(kind);
    this.#isLoaded = true;
    for (const { event, at } of this.#early.splice(0)) this.#add(event, at);
  }

  async #restore(kind: EventKind): Promise<void> {
    const { lines, warn } = this.#options;
    if (lines === undefined) return;
    try {
      for (const event of await restoredEvents(lines, kind, this.#limits.maxEvents)) {
        this.#rings.get(kind)?.restore(event);
        this.#lastId = Math.max(this.#lastId, event.id);
        this.#writer?.startAfter(kind, event.id);
      }
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      warn(`Stored events of the kind ${kind} cannot be read: ${oneLine(reason, 300)}`);
    }
  }

  #add(event: GatewayEvent, at: number): void {
    const identity = identityOf(event);
    this.#lastId += 1;
    const stored = this.#rings.get(identity.kind)?.add(identity, this.#lastId, at);
    this.#writer?.touch();
    if (stored === undefined) return;
    for (const listener of this.#listeners) listener(stored);
  }
}

/**
 * Creates a recorder of the newest events of each kind. Identical events within a time window are aggregated with a count. With `lines`,
 * events survive restarts.
 * @spec §6
 */
export const createEventRecorder = (options: EventRecorderOptions): EventRecorder =>
  new Recorder(options);
