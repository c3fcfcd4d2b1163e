import { closeIgnoringErrors } from '../connection/connection.ts';

/** A connection that can be drained. */
export interface DrainableConnection {
  /** Resolves when no call uses the connection. */
  unused(): Promise<void>;
  close(): Promise<void>;
}

/** The connections that no new request uses, by what they belong to. */
export class DrainingConnections<T> {
  /** The oldest first. */
  readonly #draining = new Map<
    DrainableConnection,
    { readonly owner: T; readonly close: () => void }
  >();
  readonly #closing = new Map<Promise<void>, T>();

  /** The owners of connections whose calls may finish. */
  get draining(): readonly T[] {
    return [...this.#draining.values()].map(({ owner }) => owner);
  }

  /** The owners of connections that are being closed. */
  get closing(): readonly T[] {
    return [...this.#closing.values()];
  }

  /** Closes a connection. Calls that run on it fail. Resolves when it is closed. */
  close(owner: T, connection: Pick<DrainableConnection, 'close'>): Promise<void> {
    const closing = closeIgnoringErrors(connection).finally(() => this.#closing.delete(closing));
    this.#closing.set(closing, owner);
    return closing;
  }

  /** Closes a connection when its calls have ended. Resolves when it is closed. */
  drain(owner: T, connection: DrainableConnection): Promise<void> {
    return new Promise((resolve) => {
      const close = (): void => {
        if (this.#draining.delete(connection)) void this.close(owner, connection).then(resolve);
      };
      this.#draining.set(connection, { owner, close });
      void connection.unused().then(close);
    });
  }

  /** Closes the draining connections for which a function returns true. */
  end(ends: (owner: T, connection: DrainableConnection) => boolean): void {
    for (const [connection, { owner, close }] of [...this.#draining])
      if (ends(owner, connection)) close();
  }

  /** Resolves when a connection is closed; at once when none is being closed. */
  async oneClosed(): Promise<void> {
    if (this.#closing.size > 0) await Promise.race(this.#closing.keys());
  }

  /** Closes all connections. Resolves when they are closed. */
  async closeAll(): Promise<void> {
    this.end(() => true);
    await Promise.all(this.#closing.keys());
  }
}
