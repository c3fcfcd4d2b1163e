import { closeIgnoringErrors } from '../connection/close-ignoring-errors.ts';
import type { Connection } from '../connection/connection.ts';

/** Maximum number of connections to one server whose calls may finish. */
const MAX_PER_SERVER = 4;

/** Connections that no new call uses. */
export class LeavingConnections {
  /** By server, the oldest first. */
  readonly #leaving = new Map<string, Set<Connection>>();
  readonly #ends = new Set<Promise<void>>();

  /** Closes a connection when its calls have ended. */
  leave(server: string, connection: Connection): void {
    const leaving = this.#leaving.get(server) ?? new Set<Connection>();
    this.#leaving.set(server, leaving.add(connection));
    void connection.unused().then(() => this.#endLeaving(server, connection));
    const [oldest] = leaving;
    if (leaving.size > MAX_PER_SERVER && oldest !== undefined) this.#endLeaving(server, oldest);
  }

  /** Closes a connection. */
  end(connection: Connection): void {
    const end = closeIgnoringErrors(connection).finally(() => this.#ends.delete(end));
    this.#ends.add(end);
  }

  /** Closes the connections to all servers but these. */
  keepOnly(isKept: (server: string) => boolean): void {
    for (const [server, leaving] of [...this.#leaving])
      if (!isKept(server)) for (const one of [...leaving]) this.#endLeaving(server, one);
  }

  /** Closes all connections. Resolves when they have ended. */
  async close(): Promise<void> {
    this.keepOnly(() => false);
    await Promise.all(this.#ends);
  }

  #endLeaving(server: string, connection: Connection): void {
    const leaving = this.#leaving.get(server);
    if (leaving?.delete(connection) !== true) return;
    if (leaving.size === 0) this.#leaving.delete(server);
    this.end(connection);
  }
}
