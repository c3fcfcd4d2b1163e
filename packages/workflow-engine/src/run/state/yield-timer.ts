import type { EnginePorts } from '../../model/ports.ts';

/** How long a run works before it lets others go first, in milliseconds. */
const MAX_BUSY_MS = 20;

/** Makes room for other work of the process: tools that answer at once would leave none, however long the run is. */
export class YieldTimer {
  readonly #ports: EnginePorts;
  #since: number;

  constructor(ports: EnginePorts) {
    this.#ports = ports;
    this.#since = ports.now();
  }

  /** True when it is time to rest. */
  get isDue(): boolean {
    return this.#ports.pause !== undefined && this.#ports.now() - this.#since >= MAX_BUSY_MS;
  }

  /** Rests until others have had their turn. */
  async yield(): Promise<void> {
    try {
      await this.#ports.pause?.();
    } catch {
      // The run goes on without a rest.
    }
    this.#since = this.#ports.now();
  }
}
