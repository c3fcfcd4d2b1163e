import type { Connection } from '../connection/connection.ts';
import { callerOfInstance } from './caller-of-instance.ts';
import type { OutgoingRequest } from '../requests/outgoing-requests.ts';
import type { RequestConnection } from '../requests/request-connection.ts';
import type { RequestOutcome } from '../wire/request-outcome.ts';

/** The connection to an instance of a server. It counts the calls that run on it. */
export class InstanceConnection implements RequestConnection {
  readonly #connection: Connection;
  readonly #client: string;
  readonly #onUse: () => void;
  #running = 0;
  #onUnused: (() => void) | undefined;

  /** @param onUse called at the begin and at the end of each call */
  constructor(connection: Connection, client: string, onUse: () => void) {
    this.#connection = connection;
    this.#client = client;
    this.#onUse = onUse;
  }

  get era(): RequestConnection['era'] {
    return this.#connection.era;
  }

  get features(): RequestConnection['features'] {
    return this.#connection.features;
  }

  /** Number of running calls. */
  get running(): number {
    return this.#running;
  }

  request(request: OutgoingRequest): Promise<RequestOutcome> {
    const { options } = request;
    if (options?.caller === undefined) return this.#connection.request(request);
    const caller = callerOfInstance(options.caller, this.#client);
    return this.#connection.request({ ...request, options: { ...options, caller } });
  }

  enter(): void {
    this.#running += 1;
    this.#onUse();
  }

  leave(): void {
    this.#running -= 1;
    this.#onUse();
    if (this.#running === 0) this.#onUnused?.();
  }

  /** Calls back when no call runs. */
  whenUnused(onUnused: () => void): void {
    this.#onUnused = onUnused;
    if (this.#running === 0) onUnused();
  }

  close(): Promise<void> {
    return this.#connection.close();
  }
}
