/** How many times a process has recorded an event, as it reports it to the others. */
export interface EventReport {
  /** The process. */
  readonly origin: string;
  /** Of the occurrences of the process, in milliseconds since the epoch. */
  readonly firstAt: number;
  readonly lastAt: number;
  readonly count: number;
}

/** Time within which occurrences in several processes are one fact, in milliseconds. */
const SAME_FACT_MS = 10_000;

/** Processes whose reports of one event are remembered. */
const MAX_ORIGINS = 64;

/** The name of this process among the origins. */
const OWN = '';

interface Tally {
  /** Of the last report. */
  readonly firstAt: number;
  readonly reported: number;
  /** The count to which the occurrences of this process lead. */
  readonly level: number;
}

/**
 * Counts the occurrences of one event in several processes. What all of them observe, such as the loss of a server, counts once when they
 * observe it within 10 seconds. A report can be repeated: it counts once.
 */
export class SharedCount {
  readonly #isObservedByAll: boolean;
  readonly #tallies = new Map<string, Tally>();
  #shown: number;
  /** The count before the occurrences that are compared. */
  #base: number;
  #lastAt = -Infinity;

  constructor(isObservedByAll: boolean, shown = 0) {
    this.#isObservedByAll = isObservedByAll;
    this.#shown = shown;
    this.#base = shown;
  }

  /** Returns a count for the next time window, which knows the reports so far. */
  next(): SharedCount {
    const next = new SharedCount(this.#isObservedByAll);
    for (const [origin, tally] of this.#tallies) next.#tallies.set(origin, { ...tally, level: 0 });
    return next;
  }

  /** Adds an occurrence in this process. Returns the count. */
  addOwn(at: number): number {
    const { firstAt, reported } = this.#tallies.get(OWN) ?? { firstAt: at, reported: 0 };
    return this.add({ origin: OWN, firstAt, lastAt: at, count: reported + 1 });
  }

  /** Adds the occurrences of a report that are new. Returns the count. */
  add({ origin, firstAt, lastAt, count }: EventReport): number {
    const known = this.#tallies.get(origin);
    const added = count - (known?.firstAt === firstAt ? known.reported : 0);
    if (added <= 0) return this.#shown;
    if (lastAt - this.#lastAt > SAME_FACT_MS) this.#align();
    this.#lastAt = Math.max(this.#lastAt, lastAt);
    const level = (this.#tallies.get(origin)?.level ?? this.#base) + added;
    this.#remember(origin, { firstAt, reported: count, level });
    this.#shown = this.#isObservedByAll ? Math.max(this.#shown, level) : this.#shown + added;
    return this.#shown;
  }

  /** Records a report whose occurrences are in the count already. */
  acknowledge({ origin, firstAt, lastAt, count }: EventReport): void {
    this.#lastAt = Math.max(this.#lastAt, lastAt);
    this.#remember(origin, { firstAt, reported: count, level: this.#shown });
  }

  /** Later occurrences are further ones, in whichever process they are. */
  #align(): void {
    this.#base = this.#shown;
    for (const [origin, tally] of this.#tallies) {
      this.#tallies.set(origin, { ...tally, level: this.#shown });
    }
  }

  #remember(origin: string, tally: Tally): void {
    this.#tallies.delete(origin);
    this.#tallies.set(origin, tally);
    const [oldest] = this.#tallies.keys();
    if (this.#tallies.size > MAX_ORIGINS && oldest !== undefined) this.#tallies.delete(oldest);
  }
}
