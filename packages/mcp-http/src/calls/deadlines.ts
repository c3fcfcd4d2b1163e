/** One moment that something waits for; `undefined` members once it has come or was given up. */
export interface Deadline {
  readonly onDue: () => void;
  readonly dueAt: number;
  previous: Deadline | undefined;
  next: Deadline | undefined;
  isWaiting: boolean;
}

/** The longest time that a timer of the runtime can take. */
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

  /** Calls the listener once the time is up; it must not throw. */
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
    // A timer that is there fires for an earlier deadline, and then looks for the next one.
    if (this.#timer === undefined) this.#arm(this.#delayMs);
    return deadline;
  }

  /** Gives a deadline up; does nothing after it has come. */
  giveUp(deadline: Deadline): void {
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
      this.giveUp(first);
      first.onDue();
      first = this.#first;
    }
    // One that was set meanwhile has armed the timer already.
    if (first !== undefined) this.#armFor(first, now);
  }
}
