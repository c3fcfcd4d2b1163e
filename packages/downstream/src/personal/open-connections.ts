import type { PersonalRecord } from './personal-record.ts';

interface OpenOptions {
  readonly max: number;
  readonly idleMs: number;
  /** Returns monotonic time in milliseconds. */
  readonly now: () => number;
  /** Returns whether a connection must stay open although no request runs on it. */
  readonly isNeeded: (record: PersonalRecord) => boolean;
  readonly close: (record: PersonalRecord) => void;
}

/** Maximum time between two checks for idle connections, in milliseconds. */
const MAX_CHECK_MS = 30_000;

/** The open connections of all persons, least recently used first. */
export class OpenConnections {
  readonly #options: OpenOptions;
  /** Monotonic time of the last use, by record. */
  readonly #usedAt = new Map<PersonalRecord, number>();
  /** Attempts in progress count too. */
  #opening = 0;
  readonly #timer: NodeJS.Timeout;

  constructor(options: OpenOptions) {
    this.#options = options;
    const checkMs = Math.max(10, Math.min(MAX_CHECK_MS, options.idleMs / 4));
    this.#timer = setInterval(() => this.#closeIdle(), checkMs);
    this.#timer.unref();
  }

  get size(): number {
    return this.#usedAt.size;
  }

  /** Makes room for a connection. @returns the function that ends the reservation; `undefined` when all connections are in use */
  reserve(): (() => void) | undefined {
    while (this.#usedAt.size + this.#opening >= this.#options.max) {
      const idle = this.#firstIdle();
      if (idle === undefined) return undefined;
      this.#options.close(idle);
      this.#usedAt.delete(idle);
    }
    this.#opening += 1;
    return () => {
      this.#opening -= 1;
    };
  }

  /** Records that a connection is open or used. */
  touch(record: PersonalRecord): void {
    this.#usedAt.delete(record);
    this.#usedAt.set(record, this.#options.now());
  }

  forget(record: PersonalRecord): void {
    this.#usedAt.delete(record);
  }

  records(): readonly PersonalRecord[] {
    return [...this.#usedAt.keys()];
  }

  /** Returns the number of connections by server. */
  byServer(): ReadonlyMap<string, number> {
    const counts = new Map<string, number>();
    for (const { server } of this.#usedAt.keys()) counts.set(server, (counts.get(server) ?? 0) + 1);
    return counts;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #isIdle(record: PersonalRecord): boolean {
    return (record.connection?.running ?? 0) === 0 && !this.#options.isNeeded(record);
  }

  #firstIdle(): PersonalRecord | undefined {
    for (const record of this.#usedAt.keys()) if (this.#isIdle(record)) return record;
    return undefined;
  }

  #closeIdle(): void {
    const { now, idleMs, close } = this.#options;
    const before = now() - idleMs;
    for (const [record, at] of [...this.#usedAt]) {
      if (at > before) return;
      if (!this.#isIdle(record)) continue;
      this.#usedAt.delete(record);
      close(record);
    }
  }
}
