import type { EventLines } from './event-lines.ts';
import { MAX_LINES_PER_WRITE } from './recorder-limits.ts';
import type { EventKind, StoredEvent } from './stored-event.ts';
import { lineOf } from './stored-line.ts';

/** Dependencies of a writer. */
export interface LineWriterOptions {
  readonly lines: EventLines;
  readonly kinds: readonly EventKind[];
  /** Returns at most `count` events of a kind with numbers above `id`, in the order of the numbers. */
  readonly after: (kind: EventKind, id: number, count: number) => readonly StoredEvent[];
  /** One line for the log, at warn level. */
  readonly warn: (text: string) => void;
}

const MAX_REASON_CHARS = 300;

const reasonOf = (error: unknown): string => {
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
        this.#options.warn(`Events cannot be stored and are kept in memory: ${reasonOf(error)}`);
      }
      return !isLast;
    }
  }

  async #writeKind(kind: EventKind): Promise<void> {
    for (;;) {
      const events = this.#unwritten(kind, MAX_LINES_PER_WRITE);
      const last = events.at(-1);
      if (last === undefined) return;
      await this.#options.lines.append(kind, events.map(lineOf));
      this.#written.set(kind, last.id);
    }
  }

  #unwritten(kind: EventKind, count: number): readonly StoredEvent[] {
    return this.#options.after(kind, this.#written.get(kind) ?? 0, count);
  }
}
