import type { EnginePorts } from '../../model/ports.ts';

/** The longest time that a run works without yielding, in milliseconds. */
const MAX_BUSY_MS = 20;

/** Yields to other work of the process: a run whose tools answer at once would otherwise block it. */
export class YieldTimer {
  readonly #ports: EnginePorts;
  #since: number;

  constructor(ports: EnginePorts) {
    this.#ports = ports;
    this.#since = ports.now();
  }

  /** Returns whether the run should yield now. */
  get isDue(): boolean {
    return this.#ports.pause !== undefined && this.#ports.now() - this.#since >= MAX_BUSY_MS;
  }

  /** Resolves when other work has run. */
  async yield(): Promise<void> {
    try {
      await this.#ports.pause?.();
    } catch {
      // The run continues without yielding.
    }
    this.#since = this.#ports.now();
  }
}
