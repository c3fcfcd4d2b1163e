/** Bytes of logged events, over all sessions of an endpoint. */
export interface LogBudget {
  bytes: number;
}

/** The limits of the events that are stored for readers that resume. */
export interface EventLogLimits {
  /** Events stored for one session. */
  readonly maxLoggedEvents: number;
  /** Characters of events stored for one session. */
  readonly maxLoggedBytes: number;
  /** Characters of events stored for all sessions. */
  readonly maxLoggedBytesTotal: number;
}

interface LoggedEvent {
  readonly stream: string;
  readonly message: string;
}

/**
 * The latest events of one session, so that a reader that lost its connection can resume. The oldest events are dropped first.
 */
export class EventLog {
  readonly #limits: EventLogLimits;
  readonly #budget: LogBudget;
  /** By the number of the event in this session, oldest first. */
  readonly #events = new Map<number, LoggedEvent>();
  #bytes = 0;
  #last = 0;

  constructor(limits: EventLogLimits, budget: LogBudget) {
    this.#limits = limits;
    this.#budget = budget;
  }

  /** Number of stored events. */
  get size(): number {
    return this.#events.size;
  }

  /** Returns the number of an event without content, which is not stored. */
  mark(): number {
    return ++this.#last;
  }

  /** Stores a message of a stream and returns its number. */
  append(stream: string, message: string): number {
    const at = ++this.#last;
    this.#events.set(at, { stream, message });
    this.#count(message.length);
    this.#makeRoom();
    return at;
  }

  /** Returns the stored messages of a stream that follow an event, with their numbers. */
  *after(stream: string, event: number): Iterable<readonly [number, string]> {
    for (const [at, logged] of this.#events) {
      if (at > event && logged.stream === stream) yield [at, logged.message];
    }
  }

  /** Drops the events of a stream. */
  forget(stream: string): void {
    for (const [at, logged] of this.#events) if (logged.stream === stream) this.#drop(at, logged);
  }

  /** Drops everything. */
  clear(): void {
    for (const [at, logged] of this.#events) this.#drop(at, logged);
  }

  #makeRoom(): void {
    const { maxLoggedEvents, maxLoggedBytes, maxLoggedBytesTotal } = this.#limits;
    for (const [at, logged] of this.#events) {
      const fits =
        this.#events.size <= maxLoggedEvents &&
        this.#bytes <= maxLoggedBytes &&
        this.#budget.bytes <= maxLoggedBytesTotal;
      if (fits) return;
      this.#drop(at, logged);
    }
  }

  #drop(at: number, { message }: LoggedEvent): void {
    this.#events.delete(at);
    this.#count(-message.length);
  }

  #count(bytes: number): void {
    this.#bytes += bytes;
    this.#budget.bytes += bytes;
  }
}
