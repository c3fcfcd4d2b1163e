import type { ApiConnection } from '../connection/api-connection.ts';
import type { ApiFailure } from '../connection/api-result.ts';
import type { ApiKind } from '../objects/api-kind.ts';
import type { ObjectList } from '../reads/list-objects.ts';
import { ListWatch } from './list-watch.ts';

/** The objects to follow, and the callbacks. */
export interface InformerRequest {
  readonly kind: ApiKind;
  readonly namespace: string;
  /** Called for each change. Must not throw. */
  readonly onChange: (name: string, change: 'written' | 'deleted') => void;
  /** Called once per outage, when the second attempt fails. Must not throw. */
  readonly onFailure: (failure: ApiFailure, verb: 'list' | 'watch') => void;
}

/**
 * Reports the names of changed objects of a kind in a namespace. After a new list, compares the versions with the known ones, so that no
 * change is missed.
 */
export class Informer {
  readonly #request: InformerRequest;
  readonly #listWatch: ListWatch;
  #revisions: Map<string, string> | undefined;

  constructor(connection: ApiConnection, request: InformerRequest) {
    this.#request = request;
    const { kind, namespace, onChange, onFailure } = request;
    this.#listWatch = new ListWatch(
      connection,
      { kind, namespace },
      {
        onList: (list) => this.#replace(list),
        onEvent: ({ kind: change, object: { object, revision } }) => {
          const { name } = object.metadata;
          if (change === 'written') this.#revisions?.set(name, revision);
          else this.#revisions?.delete(name);
          onChange(name, change);
        },
        onFailure,
        onProgress: () => undefined,
      },
    );
  }

  /** Resolves when changes from now on are reported, or when the first attempt has failed. */
  async synced(): Promise<void> {
    await this.#listWatch.synced();
  }

  /** Stops without further callbacks. */
  stop(): void {
    this.#listWatch.stop();
  }

  #replace({ objects }: ObjectList): void {
    const now = new Map(objects.map(({ object, revision }) => [object.metadata.name, revision]));
    const before = this.#revisions;
    this.#revisions = now;
    if (before === undefined) return;
    const { onChange } = this.#request;
    for (const [name, revision] of now)
      if (before.get(name) !== revision) onChange(name, 'written');
    for (const name of before.keys()) if (!now.has(name)) onChange(name, 'deleted');
  }
}
