import type { EnginePorts } from '../../model/ports.ts';

/** Steps that all runs may take in one turn of the event loop; the last rendering may exceed it. About ten milliseconds. */
const STEPS_PER_TURN = 20_000;

/** Limits the work of all runs in one turn of the event loop, so that concurrent steps do not block it together. */
export class TurnBudget {
  readonly #pause: EnginePorts['pause'];
  #left = STEPS_PER_TURN;
  #next: Promise<void> | undefined;

  constructor({ pause }: Pick<EnginePorts, 'pause'>) {
    this.#pause = pause;
  }

  /** True when work must wait for the next turn. */
  get isSpent(): boolean {
    return this.#left < 0 && this.#pause !== undefined;
  }

  /** Counts steps of this turn. */
  take(steps: number): void {
    this.#left -= steps;
  }

  /** Resolves in the next turn. Those that wait must look again: the first of them may spend it. */
  next(): Promise<void> {
    this.#next ??= this.#wait();
    return this.#next;
  }

  async #wait(): Promise<void> {
    try {
      await this.#pause?.();
    } catch {
      // The work continues without a pause.
    }
    this.#left = STEPS_PER_TURN;
    this.#next = undefined;
  }
}
