import { closeIgnoringErrors } from '../connection/connection.ts';

/** The processes of instances that are ending. */
export class EndingProcesses {
  readonly #servers = new Map<Promise<void>, string>();

  /** Number of processes. */
  get size(): number {
    return this.#servers.size;
  }

  /** Returns the number of processes of a server. */
  countOf(server: string): number {
    return [...this.#servers.values()].filter((name) => name === server).length;
  }

  /** Ends a process of a server. */
  end(server: string, connection: { close(): Promise<void> }): void {
    const closing = closeIgnoringErrors(connection).finally(() => this.#servers.delete(closing));
    this.#servers.set(closing, server);
  }

  /** Resolves when one of the processes is gone; at once when there is none. */
  async oneGone(): Promise<void> {
    if (this.size > 0) await Promise.race(this.#servers.keys());
  }

  /** Resolves when all processes are gone. */
  async allGone(): Promise<void> {
    await Promise.all(this.#servers.keys());
  }
}
