import type { ExecutionRecord } from '@gateway/crd-schemas';
import type { RecordBlobs } from './record-blobs.ts';

/** The blob that the storage should contain for an id. */
export type PendingBlob =
  | { readonly kind: 'record'; readonly record: ExecutionRecord }
  | { readonly kind: 'nothing' }
  /** It is fine as it is. */
  | { readonly kind: 'same' };

/** The dependencies of a queue. */
export interface BlobQueueOptions {
  readonly blobs: RecordBlobs;
  /** Called at the time of writing, so that only the newest record is written. */
  readonly wanted: (id: string) => PendingBlob;
  readonly onWritten: (id: string, record: ExecutionRecord) => void;
  readonly onFailed: (kind: 'write' | 'remove', error: unknown) => void;
}

/** Maximum number of concurrent writes. */
const MAX_AT_ONCE = 4;

/**
 * Brings a storage up to date, one operation at a time for each identity: a later one never overtakes an earlier one, and
 * several changes of a waiting record are written once.
 */
export class BlobQueue {
  readonly #options: BlobQueueOptions;
  readonly #waiting = new Set<string>();
  readonly #running = new Set<string>();
  #idle: (() => void)[] = [];

  constructor(options: BlobQueueOptions) {
    this.#options = options;
  }

  /** Marks an id as changed. */
  touch(id: string): void {
    this.#waiting.add(id);
    this.#start();
  }

  /** Resolves once nothing waits and nothing runs. */
  settled(): Promise<void> {
    if (this.#waiting.size === 0 && this.#running.size === 0) return Promise.resolve();
    return new Promise((resolve) => this.#idle.push(resolve));
  }

  #start(): void {
    for (const id of this.#waiting) {
      if (this.#running.size >= MAX_AT_ONCE) return;
      if (this.#running.has(id)) continue;
      this.#waiting.delete(id);
      this.#running.add(id);
      void this.#update(id);
    }
  }

  async #update(id: string): Promise<void> {
    // Resumes after the current call: further changes are part of the same write.
    await Promise.resolve();
    const wanted = this.#options.wanted(id);
    if (wanted.kind === 'record') await this.#write(id, wanted.record);
    if (wanted.kind === 'nothing') await this.#remove(id);
    this.#running.delete(id);
    this.#start();
    if (this.#running.size > 0 || this.#waiting.size > 0) return;
    const idle = this.#idle;
    this.#idle = [];
    for (const resolve of idle) resolve();
  }

  async #write(id: string, record: ExecutionRecord): Promise<void> {
    try {
      await this.#options.blobs.write(id, JSON.stringify(record));
      this.#options.onWritten(id, record);
    } catch (error) {
      this.#options.onFailed('write', error);
    }
  }

  async #remove(id: string): Promise<void> {
    try {
      await this.#options.blobs.remove(id);
    } catch (error) {
      this.#options.onFailed('remove', error);
    }
  }
}
