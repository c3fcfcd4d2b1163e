import type { KubernetesObject, ObjectName, Stored } from '@gateway/agent-releases';
import type { ApiKind } from './api-kind.ts';

type StoredObject = Stored<KubernetesObject>;

const isSame = (a: StoredObject, b: StoredObject): boolean =>
  a.revision === b.revision &&
  a.revision !== '' &&
  a.object.metadata['uid'] === b.object.metadata['uid'];

/**
 * Remembers what was read last, so that an object which did not change is the same JavaScript object as before: whoever computes
 * something of it need not do so again. Holds no more than the last list of each kind and namespace, and what was read since.
 */
export class KnownObjects {
  readonly #shelves = new Map<string, Map<string, StoredObject>>();

  /** The object as it was read before, if it is still that version. */
  same(kind: ApiKind, read: StoredObject): StoredObject {
    const { namespace, name } = read.object.metadata;
    const shelf = this.#shelves.get(shelfKey(kind, namespace));
    const known = shelf?.get(name);
    if (known !== undefined && isSame(known, read)) return known;
    shelf?.set(name, read);
    return read;
  }

  /** The same for all objects of a kind in a namespace; those that are not among them are forgotten. */
  sameList(
    kind: ApiKind,
    namespace: string,
    read: readonly StoredObject[],
  ): readonly StoredObject[] {
    const key = shelfKey(kind, namespace);
    const before = this.#shelves.get(key);
    const shelf = new Map<string, StoredObject>();
    for (const stored of read) {
      const known = before?.get(stored.object.metadata.name);
      shelf.set(
        stored.object.metadata.name,
        known !== undefined && isSame(known, stored) ? known : stored,
      );
    }
    if (shelf.size === 0) this.#shelves.delete(key);
    else this.#shelves.set(key, shelf);
    return [...shelf.values()];
  }

  forget(kind: ApiKind, { namespace, name }: ObjectName): void {
    this.#shelves.get(shelfKey(kind, namespace))?.delete(name);
  }
}

const shelfKey = ({ resource }: ApiKind, namespace: string): string => `${resource}/${namespace}`;
