import { closeIgnoringErrors } from '../connection/connection.ts';
import type { CredentialProblem } from './person-authority.ts';
import type { PersonalConnection } from './personal-connection.ts';

/** The connections of persons that no new request uses. */
export class EndingConnections {
  readonly #closing = new Set<Promise<void>>();
  readonly #retired = new Set<PersonalConnection>();

  /**
   * Closes a connection, if there is one.
   *
   * @param problem why the requests that run have no result; absent when the connection itself is the reason
   */
  end(connection: PersonalConnection | undefined, problem?: CredentialProblem): void {
    if (connection === undefined) return;
    this.#retired.delete(connection);
    const closing = closeIgnoringErrors({ close: () => connection.close(problem) }).finally(() =>
      this.#closing.delete(closing),
    );
    this.#closing.add(closing);
  }

  /** Closes a connection, if there is one, when no request runs on it any more. */
  retire(connection: PersonalConnection | undefined): void {
    if (connection === undefined) return;
    this.#retired.add(connection);
    connection.whenUnused(() => {
      if (this.#retired.has(connection)) this.end(connection);
    });
  }

  /** Closes all of them. Resolves when they have ended. */
  async close(): Promise<void> {
    for (const connection of [...this.#retired]) this.end(connection);
    await Promise.all(this.#closing);
  }
}
