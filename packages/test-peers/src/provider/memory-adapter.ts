import type { Adapter, AdapterPayload } from 'oidc-provider';

interface Entry {
  readonly model: string;
  readonly payload: AdapterPayload;
  readonly expiresAt: number;
}

const keyOf = (model: string, id: string): string => `${model}:${id}`;

/** Everything that a provider stores, in the memory of the test. */
export class ProviderStore {
  readonly #entries = new Map<string, Entry>();

  /** Returns the adapter of one kind of object. */
  adapter(model: string): Adapter {
    const find = (accepts: (payload: AdapterPayload) => boolean): AdapterPayload | undefined =>
      this.#live(model).find(accepts);
    return {
      upsert: (id, payload, expiresIn) => this.#set(model, id, payload, expiresIn),
      find: (id) => Promise.resolve(this.#get(model, id)),
      findByUid: (uid) => Promise.resolve(find((payload) => payload.uid === uid)),
      findByUserCode: (code) => Promise.resolve(find(({ userCode }) => userCode === code)),
      consume: (id) => this.#consume(model, id),
      destroy: (id) => {
        this.#entries.delete(keyOf(model, id));
        return Promise.resolve();
      },
      revokeByGrantId: (grantId) => {
        this.remove((payload) => payload.grantId === grantId);
        return Promise.resolve();
      },
    };
  }

  /** Removes the objects that `accepts` selects. @returns how many */
  remove(accepts: (payload: AdapterPayload, model: string) => boolean): number {
    const found = [...this.#entries].filter(([, { payload, model }]) => accepts(payload, model));
    for (const [key] of found) this.#entries.delete(key);
    return found.length;
  }

  #live(model: string): readonly AdapterPayload[] {
    return [...this.#entries.values()]
      .filter((entry) => entry.model === model && entry.expiresAt > Date.now())
      .map(({ payload }) => payload);
  }

  #get(model: string, id: string): AdapterPayload | undefined {
    const entry = this.#entries.get(keyOf(model, id));
    return entry === undefined || entry.expiresAt <= Date.now() ? undefined : entry.payload;
  }

  #set(model: string, id: string, payload: AdapterPayload, expiresIn?: number): Promise<void> {
    const expiresAt = expiresIn ? Date.now() + expiresIn * 1000 : Infinity;
    this.#entries.set(keyOf(model, id), { model, payload, expiresAt });
    return Promise.resolve();
  }

  #consume(model: string, id: string): Promise<void> {
    const payload = this.#get(model, id);
    if (payload !== undefined) payload.consumed = Math.floor(Date.now() / 1000);
    return Promise.resolve();
  }
}
