/** One point in time with a listener; its links are `undefined` after it is due or cancelled. */
export interface Deadline {
  readonly onDue: () => void;
  readonly dueAt: number;
  previous: Deadline | undefined;
  next: Deadline | undefined;
  isWaiting: boolean;
}

/** The longest delay of a timer of the runtime, in milliseconds. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * Deadlines that are all equally far away when they are set, behind one timer: since the first one set is the first one
 * due, setting and giving up cost a few assignments, however many wait.
 */
export class Deadlines {
  readonly #delayMs: number;
  #first: Deadline | undefined;
  #last: Deadline | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(delayMs: number) {
    this.#delayMs = Math.min(delayMs, MAX_TIMER_MS);
  }

  /** Calls the listener when the time is up; it must not throw. */
  set(onDue: () => void): Deadline {
    const deadline: Deadline = {
      onDue,
      dueAt: performance.now() + this.#delayMs,
      previous: this.#last,
      next: undefined,
      isWaiting: true,
    };
    if (this.#last === undefined) this.#first = deadline;
    else this.#last.next = deadline;
    this.#last = deadline;
    // An existing timer fires for an earlier deadline and then arms itself for the next one.
    if (this.#timer === undefined) this.#arm(this.#delayMs);
    return deadline;
  }

  /** Cancels a deadline; does nothing after it is due. */
  cancel(deadline: Deadline): void {
    if (!deadline.isWaiting) return;
    deadline.isWaiting = false;
    const { previous, next } = deadline;
    if (previous === undefined) this.#first = next;
    else previous.next = next;
    if (next === undefined) this.#last = previous;
    else next.previous = previous;
    deadline.previous = undefined;
    deadline.next = undefined;
  }

  #arm(delayMs: number): void {
    this.#timer = setTimeout(() => this.#fire(), delayMs);
    this.#timer.unref();
  }

  #armFor({ dueAt }: Deadline, now: number): void {
    if (this.#timer === undefined) this.#arm(Math.ceil(dueAt - now));
  }

  #fire(): void {
    this.#timer = undefined;
    const now = performance.now();
    let first = this.#first;
    while (first !== undefined && first.dueAt <= now) {
      this.cancel(first);
      first.onDue();
      first = this.#first;
    }
    // A deadline that a listener has set has armed the timer already.
    if (first !== undefined) this.#armFor(first, now);
  }
}
