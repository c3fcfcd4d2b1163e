import type { ApiKind, ObjectKey, VersionedObject } from './api-object.ts';

interface Running<T> {
  readonly reading: Promise<T>;
  next: Promise<T> | undefined;
}

/**
 * Shares concurrent reads by key, one at a time. A call during a read shares the next read, so that every caller gets a state that is not
 * older than its call, and any number of concurrent calls cause two reads.
 */
export class SharedReads<T> {
  readonly #running = new Map<string, Running<T>>();

  /** @param read must not reject */
  read(key: string, read: () => Promise<T>): Promise<T> {
    const running = this.#running.get(key);
    if (running === undefined) return this.#begin(key, read);
    running.next ??= running.reading.then(() => this.#begin(key, read));
    return running.next;
  }

  #begin(key: string, read: () => Promise<T>): Promise<T> {
    const running: Running<T> = { reading: read(), next: undefined };
    this.#running.set(key, running);
    void running.reading.then(() => {
      if (running.next === undefined) this.#running.delete(key);
    });
    return running.reading;
  }
}

const isSame = (a: VersionedObject, b: VersionedObject): boolean =>
  a.revision === b.revision &&
  a.revision !== '' &&
  a.object.metadata['uid'] === b.object.metadata['uid'];

/**
 * Caches objects by resource version, so that an unchanged object is the same JavaScript object as before and derived values can be reused. Has
 * the last list of each kind and namespace, and later reads.
 */
export class ObjectCache {
  readonly #caches = new Map<string, Map<string, VersionedObject>>();

  /** Returns the cached object when it has the same version, else the given one. */
  same(kind: ApiKind, read: VersionedObject): VersionedObject {
    const { namespace, name } = read.object.metadata;
    const cache = this.#caches.get(createCacheKey(kind, namespace));
    const cached = cache?.get(name);
    if (cached !== undefined && isSame(cached, read)) return cached;
    cache?.set(name, read);
    return read;
  }

  /** Does the same for every object of a kind in a namespace, and removes other objects from the cache. */
  sameList(
    kind: ApiKind,
    namespace: string,
    read: readonly VersionedObject[],
  ): readonly VersionedObject[] {
    const key = createCacheKey(kind, namespace);
    const before = this.#caches.get(key);
    const cache = new Map<string, VersionedObject>();
    for (const stored of read) {
      const cached = before?.get(stored.object.metadata.name);
      cache.set(
        stored.object.metadata.name,
        cached !== undefined && isSame(cached, stored) ? cached : stored,
      );
    }
    if (cache.size === 0) this.#caches.delete(key);
    else this.#caches.set(key, cache);
    return [...cache.values()];
  }

  /** Removes an object from the cache. */
  delete(kind: ApiKind, { namespace, name }: ObjectKey): void {
    this.#caches.get(createCacheKey(kind, namespace))?.delete(name);
  }
}

const createCacheKey = ({ resource }: ApiKind, namespace: string): string =>
  `${resource}/${namespace}`;
