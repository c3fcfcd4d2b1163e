/** One point in time of an owner; its links are `undefined` after it is due or cancelled. */
export interface Deadline<Owner> {
  readonly owner: Owner;
  readonly dueAt: number;
  previous: Deadline<Owner> | undefined;
  next: Deadline<Owner> | undefined;
  isWaiting: boolean;
}

/** The longest delay of a timer of the runtime, in milliseconds. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * Deadlines that are all equally far away when they are set, behind one timer: since the first one set is the first one
 * due, setting and giving up cost a few assignments, however many wait.
 */
export class Deadlines<Owner> {
  readonly #delayMs: number;
  readonly #onDue: (owner: Owner) => void;
  #first: Deadline<Owner> | undefined;
  #last: Deadline<Owner> | undefined;
  #timer: NodeJS.Timeout | undefined;

  /** @param onDue called with the owner of a deadline when its time is up; it must not throw */
  constructor(delayMs: number, onDue: (owner: Owner) => void) {
    this.#delayMs = Math.min(delayMs, MAX_TIMER_MS);
    this.#onDue = onDue;
  }

  /** The owners of the waiting deadlines at this moment, the first one due first. */
  owners(): readonly Owner[] {
    const owners = [];
    for (let one = this.#first; one !== undefined; one = one.next) owners.push(one.owner);
    return owners;
  }

  set(owner: Owner): Deadline<Owner> {
    const deadline: Deadline<Owner> = {
      owner,
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
  cancel(deadline: Deadline<Owner>): void {
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

  #armFor({ dueAt }: Deadline<Owner>, now: number): void {
    if (this.#timer === undefined) this.#arm(Math.ceil(dueAt - now));
  }

  #fire(): void {
    this.#timer = undefined;
    const now = performance.now();
    let first = this.#first;
    while (first !== undefined && first.dueAt <= now) {
      this.cancel(first);
      this.#onDue(first.owner);
      first = this.#first;
    }
    // A deadline that a listener has set has armed the timer already.
    if (first !== undefined) this.#armFor(first, now);
  }
}
