import type { EnginePorts } from '../../model/ports.ts';

/** How long a run works before it lets others go first, in milliseconds. */
const STRETCH_MS = 20;

/** Makes room for other work of the process: tools that answer at once would leave none, however long the run is. */
export class Pace {
  readonly #ports: EnginePorts;
  #since: number;

  constructor(ports: EnginePorts) {
    this.#ports = ports;
    this.#since = ports.now();
  }

  /** Whether it is time to rest. */
  get isDue(): boolean {
    return this.#ports.pause !== undefined && this.#ports.now() - this.#since >= STRETCH_MS;
  }

  /** Rests until others have had their turn. */
  async rest(): Promise<void> {
    try {
      await this.#ports.pause?.();
    } catch {
      // The run goes on without a rest.
    }
    this.#since = this.#ports.now();
  }
}
