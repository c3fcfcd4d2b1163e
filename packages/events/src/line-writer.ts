import type { EventLines } from './event-lines.ts';
import { MAX_LINES_PER_WRITE } from './recorder-limits.ts';
import type { EventKind, StoredEvent } from './stored-event.ts';
import { lineOf } from './stored-line.ts';

/** What a writer asks, and whom it tells. */
export interface LineWriterOptions {
  readonly lines: EventLines;
  readonly kinds: readonly EventKind[];
  /** What is remembered of a kind at this moment and has a number above `id`: at most `count`, in the order of the numbers. */
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
 * Brings the kept lines up to date with what is remembered, one append at a time. What happens meanwhile waits in memory
 * and goes with the next one; after a failure everything that is still remembered is written.
 */
export class LineWriter {
  readonly #options: LineWriterOptions;
  /** The last number of each kind that is kept. */
  readonly #written = new Map<EventKind, number>();
  #running: Promise<void> | undefined;
  #failures = 0;
  #hurry = (): void => undefined;
  #isHurried = false;

  constructor(options: LineWriterOptions) {
    this.#options = options;
  }

  /** Says that everything of this kind up to this number is kept. */
  startAfter(kind: EventKind, id: number): void {
    this.#written.set(kind, id);
  }

  /** Says that something is remembered that was not. */
  touch(): void {
    this.#running ??= this.#run();
  }

  /** Writes what is there now. Resolves when it is kept, or cannot be. */
  async settled(): Promise<void> {
    if (this.#running === undefined && this.#failures === 0) return;
    this.#isHurried = true;
    this.#hurry();
    this.touch();
    await this.#running;
  }

  async #run(): Promise<void> {
    // Whoever touches is done first.
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

  /** Whether to go on later. */
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
