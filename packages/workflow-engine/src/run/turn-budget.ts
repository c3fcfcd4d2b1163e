import { FairQueue, type Turn } from '@gateway/call-contract';
import type { EnginePorts } from '../model/ports.ts';

/** Steps that all runs may take in one turn of the event loop; the last rendering may exceed it. About ten milliseconds. */
const STEPS_PER_TURN = 20_000;

/**
 * Limits the work of all runs in one turn of the event loop, so that concurrent steps do not block it together. Waiting work is scheduled
 * round-robin by user, then by run.
 */
export class StepTurnBudget {
  readonly #pause: EnginePorts['pause'];
  readonly #waiting = new FairQueue<() => void>();
  #left = STEPS_PER_TURN;
  #isPausing = false;
  #isOwned = false;

  constructor({ pause }: Pick<EnginePorts, 'pause'>) {
    this.#pause = pause;
  }

  /** True when work must wait for a later turn. */
  get isSpent(): boolean {
    return (this.#left < 0 || this.#waiting.size > 0) && this.#pause !== undefined;
  }

  /** Counts steps of this turn. */
  take(steps: number): void {
    this.#left -= steps;
  }

  later<Result>(turn: Turn, work: () => Result | Promise<Result>): Promise<Result> {
    return new Promise((resolve) => {
      const begin = (): void => {
        // The inner promise is rejected when the work throws.
        resolve(new Promise((done) => done(work())));
      };
      this.#waiting.add(begin, turn);
      void this.#run();
    });
  }

  /** Resolves in a later turn and prevents other waiting work from running in that turn. */
  acquire(turn: Turn): Promise<void> {
    return this.later(turn, () => {
      this.#isOwned = true;
    });
  }

  async #run(): Promise<void> {
    if (this.#isPausing) return;
    this.#isPausing = true;
    while (this.#waiting.size > 0) {
      // Waiting work continues when the pause fails.
      await this.#pause?.().catch(() => undefined);
      this.#left = STEPS_PER_TURN;
      this.#isOwned = false;
      this.#work();
    }
    this.#isPausing = false;
  }

  #work(): void {
    while (this.#left >= 0 && !this.#isOwned && this.#waiting.size > 0) this.#waiting.take()?.();
  }
}

/** Maximum time that a run works without yielding, in milliseconds. */
const MAX_BUSY_MS = 20;

/** Yields to other work of the process, which a run of fast tools would otherwise block. */
export class YieldTimer {
  readonly #ports: EnginePorts;
  readonly #turns: StepTurnBudget;
  #since: number;

  constructor(ports: EnginePorts, turns: StepTurnBudget) {
    this.#ports = ports;
    this.#turns = turns;
    this.#since = ports.now();
  }

  /** Returns whether the run should yield now. */
  get isDue(): boolean {
    return this.#ports.pause !== undefined && this.#ports.now() - this.#since >= MAX_BUSY_MS;
  }

  /** Resolves in a turn of the event loop in which no other run that yielded continues. */
  async yield(turn: Turn): Promise<void> {
    await this.#turns.acquire(turn);
    this.#since = this.#ports.now();
  }
}
