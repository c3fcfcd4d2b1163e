import { MAX_MESSAGE_CHARS, toSingleLine } from './event-text.ts';
import { EVENT_KINDS, type EventKind } from './event-reasons.ts';
import type { StoredEvent } from './gateway-event.ts';

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

const parsed = (line: string): unknown => {
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
const eventOfLine = (line: string): StoredEvent | undefined =>
  line.length > MAX_LINE_CHARS ? undefined : parseStoredEvent(parsed(line));

/** Number of lines that are read per event, because an aggregated event has several lines. */
const LINES_PER_EVENT = 4;

/** Returns the events of the lines of one kind, in the order of their numbers. */
export const readStoredEvents = async (
  lines: EventLines,
  kind: EventKind,
  maxEvents: number,
): Promise<readonly StoredEvent[]> => {
  const found = new Map<string, StoredEvent>();
  const ids = new Set<number>();
  for (const line of await lines.read(kind, maxEvents * LINES_PER_EVENT)) {
    const event = eventOfLine(line);
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
export interface LineWriterOptions {
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
export class LineWriter {
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
  async settled(): Promise<void> {
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
