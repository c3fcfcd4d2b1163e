import type { StoreChange } from '../store/agent-store.ts';
import { Informer, type ApiConnection } from '@gateway/kube-client';
import { API_KINDS } from './api-kinds.ts';
import { failureSentence } from './refusal.ts';

const WATCHED = ['HelmRelease', 'OCIRepository'] as const;

type Listener = (change: StoreChange) => void;

/** The informers of a store: one per watched kind and namespace of each listener. */
export class ReleaseInformers {
  readonly #informers = new Set<Informer>();
  readonly #connection: ApiConnection;
  readonly #onWarning: (sentence: string) => void;

  constructor(connection: ApiConnection, onWarning: (sentence: string) => void) {
    this.#connection = connection;
    this.#onWarning = onWarning;
  }

  /** Reports changes to the listener, which must not throw. Returns a function that stops this. */
  start(namespaces: readonly string[], listener: Listener): () => void {
    const informers = [...new Set(namespaces)].flatMap((namespace) =>
      WATCHED.map((kind) => this.#start(namespace, kind, listener)),
    );
    return () => {
      for (const informer of informers) this.#stop(informer);
    };
  }

  /** Resolves when every informer reports changes or has failed once, so that a write after this is reported by all of them. */
  async synced(): Promise<void> {
    await Promise.all([...this.#informers].map((informer) => informer.synced()));
  }

  /** Stops every informer. */
  close(): void {
    for (const informer of this.#informers) this.#stop(informer);
  }

  #start(namespace: string, kind: (typeof WATCHED)[number], listener: Listener): Informer {
    const informer = new Informer(this.#connection, {
      kind: API_KINDS[kind],
      namespace,
      onChange: (name, change) => listener({ kind, object: { namespace, name }, change }),
      onFailure: (failure, verb) =>
        this.#onWarning(failureSentence(failure, { verb, kind: API_KINDS[kind], namespace })),
    });
    this.#informers.add(informer);
    return informer;
  }

  #stop(informer: Informer): void {
    informer.stop();
    this.#informers.delete(informer);
  }
}
