import type { Turn } from '@gateway/call-contract';
import type { EnginePorts } from '../../model/ports.ts';
import type { TurnBudget } from './turn-budget.ts';

/** The longest time that a run works without yielding, in milliseconds. */
const MAX_BUSY_MS = 20;

/** Yields to other work of the process: a run whose tools answer at once would otherwise block it. */
export class YieldTimer {
  readonly #ports: EnginePorts;
  readonly #turns: TurnBudget;
  #since: number;

  constructor(ports: EnginePorts, turns: TurnBudget) {
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
    await this.#turns.own(turn);
    this.#since = this.#ports.now();
  }
}
