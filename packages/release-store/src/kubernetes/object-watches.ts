import type { StoreChange } from '@gateway/agent-releases';
import type { ApiConnection } from './api-connection.ts';
import { API_KINDS } from './api-kind.ts';
import { ObjectWatch } from './object-watch.ts';

const WATCHED = ['HelmRelease', 'OCIRepository'] as const;

/** All watches of a store. */
export class ObjectWatches {
  readonly #watches = new Set<ObjectWatch>();
  readonly #connection: ApiConnection;
  readonly #onWarning: (sentence: string) => void;

  constructor(connection: ApiConnection, onWarning: (sentence: string) => void) {
    this.#connection = connection;
    this.#onWarning = onWarning;
  }

  /** @param listener must not throw. @returns what ends it */
  begin(namespaces: readonly string[], listener: (change: StoreChange) => void): () => void {
    const watches = [...new Set(namespaces)].flatMap((namespace) =>
      WATCHED.map((kind) => this.#watch(namespace, kind, listener)),
    );
    return () => {
      for (const watch of watches) this.#end(watch);
    };
  }

  /** Done when all that were begun tell of changes, or could not yet: a write that waits for this is told to all of them. */
  async begun(): Promise<void> {
    await Promise.all([...this.#watches].map((watch) => watch.begun()));
  }

  close(): void {
    for (const watch of this.#watches) this.#end(watch);
  }

  #watch(
    namespace: string,
    kind: (typeof WATCHED)[number],
    listener: (change: StoreChange) => void,
  ): ObjectWatch {
    const watch = new ObjectWatch(this.#connection, {
      kind: API_KINDS[kind],
      namespace,
      onChange: (name, change) => listener({ kind, object: { namespace, name }, change }),
      onWarning: this.#onWarning,
    });
    this.#watches.add(watch);
    return watch;
  }

  #end(watch: ObjectWatch): void {
    watch.end();
    this.#watches.delete(watch);
  }
}
