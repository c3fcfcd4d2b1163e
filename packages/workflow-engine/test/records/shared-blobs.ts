import type { RecordBlobs, SharedBlobs, SharedBlobsListener } from '@gateway/call-contract';

/** A storage that several processes write to, as one of them uses it. */
export interface ProcessBlobs extends RecordBlobs {
  readonly shared: SharedBlobs;
}

/** A storage in memory of several processes. */
export class SharedTestBlobs {
  readonly texts = new Map<string, { readonly text: string; readonly summary: string }>();
  /** The writes, with their times. */
  readonly writes: { readonly id: string; readonly status: string; readonly at: number }[] = [];
  readonly #listeners = new Set<SharedBlobsListener>();
  /** Why writes fail. */
  failure: Error | undefined;

  /** Returns the storage for a process. Only the one that leads removes records. */
  process({ leads = true } = {}): ProcessBlobs {
    return {
      list: () => Promise.resolve([...this.texts.keys()]),
      read: (id) => Promise.resolve(this.texts.get(id)?.text),
      write: (id, text, summary) => this.#write(id, { text, summary }),
      remove: (id) => {
        if (leads) this.delete(id);
        return Promise.resolve();
      },
      shared: {
        follow: (listener) => {
          this.#listeners.add(listener);
          this.#report(listener);
          return Promise.resolve();
        },
        report: () => {
          for (const listener of this.#listeners) this.#report(listener);
        },
        close: () => undefined,
      },
    };
  }

  /** Deletes a record as another client does. */
  delete(id: string): void {
    if (!this.texts.delete(id)) return;
    for (const listener of this.#listeners) listener.onRemoved([id]);
  }

  /** Ends the record of a run whose process has ended, as the leader does. */
  end(id: string): void {
    const [listener] = this.#listeners;
    const ended = listener?.endRecord(id, this.texts.get(id)?.text ?? '');
    if (ended !== undefined) void this.#write(id, ended);
  }

  /** Reports that changes cannot be read. */
  interrupt(error: Error): void {
    for (const listener of this.#listeners) listener.onFailure(error);
  }

  /** Reports that changes are read again. */
  recover(): void {
    for (const listener of this.#listeners) listener.onRecovery();
  }

  #report(listener: SharedBlobsListener): void {
    listener.onStored([...this.texts].map(([id, { summary }]) => ({ id, summary })));
  }

  #write(id: string, stored: { readonly text: string; readonly summary: string }): Promise<void> {
    const { status } = JSON.parse(stored.text) as { readonly status: string };
    this.writes.push({ id, status, at: performance.now() });
    if (this.failure !== undefined) return Promise.reject(this.failure);
    this.texts.set(id, stored);
    for (const { onStored } of this.#listeners) onStored([{ id, summary: stored.summary }]);
    return Promise.resolve();
  }
}
