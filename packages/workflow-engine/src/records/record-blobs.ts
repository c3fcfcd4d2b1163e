import { computeBackoffDelay, type RecordBlobs } from '@gateway/call-contract';
import type { ExecutionRecord } from '@gateway/crd-schemas';
import { formatRecordSummary } from './stored-record.ts';

/** The times and timers that a storage of several processes needs. */
export interface RecordTimer {
  /** Returns a monotonic time in milliseconds. */
  elapsed(): number;
  /** Calls an action once after a delay. Returns a function that cancels the call. */
  after(delayMs: number, action: () => void): () => void;
}

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
  readonly findPending: (id: string) => PendingBlob;
  readonly onWritten: (id: string, record: ExecutionRecord) => void;
  readonly onRemoved: (id: string) => void;
  readonly onFailed: (kind: 'write' | 'remove', error: unknown) => void;
  /** Without it, each write starts at once, and failed writes are not repeated. */
  readonly pacing?: BlobPacing | undefined;
}

/** The times of writes, in milliseconds. */
export interface BlobPacing {
  readonly timer: RecordTimer;
  /** The time between two writes of one id. */
  readonly intervalMs: number;
  /** The time before the first repetition of a failed write. */
  readonly retryMs: number;
}

/** Maximum number of concurrent writes. */
const MAX_AT_ONCE = 4;
const MAX_RETRY_MS = 60_000;

const isFinal = (error: unknown): boolean =>
  error instanceof Error && 'isFinal' in error && error.isFinal === true;

/**
 * Brings a storage up to date, one operation at a time for each identity: a later one never overtakes an earlier one, and
 * several changes of a waiting record are written once. While writes fail, one at a time is tried, with exponential backoff.
 */
export class BlobQueue {
  readonly #options: BlobQueueOptions;
  readonly #waiting = new Set<string>();
  readonly #running = new Set<string>();
  /** The functions that cancel the delays. */
  readonly #delayed = new Map<string, () => void>();
  /** When an id may be written again, oldest first. */
  readonly #notBefore = new Map<string, number>();
  #idle: (() => void)[] = [];
  /** Called when an id has been written. */
  readonly #listeners = new Map<string, (() => void)[]>();
  #failures = 0;
  /** Cancels the pause after a failure. */
  #pause: (() => void) | undefined;

  constructor(options: BlobQueueOptions) {
    this.#options = options;
  }

  /** Marks an id as changed. It is written after a delay, unless it is marked again with a shorter one. */
  touch(id: string, delayMs = 0): void {
    this.#delayed.get(id)?.();
    this.#delayed.delete(id);
    const timer = this.#options.pacing?.timer;
    const waitMs = Math.max(delayMs, (this.#notBefore.get(id) ?? 0) - (timer?.elapsed() ?? 0));
    if (timer === undefined || waitMs <= 0) this.#add(id);
    else
      this.#delayed.set(
        id,
        timer.after(waitMs, () => this.#add(id)),
      );
  }

  /** Resolves once the newest state of an id is written, or its write has failed and is not repeated. */
  written(id: string): Promise<void> {
    if (!this.#isPending(id)) return Promise.resolve();
    return new Promise((resolve) => {
      this.#listeners.set(id, [...(this.#listeners.get(id) ?? []), resolve]);
    });
  }

  /** Resolves once nothing waits and nothing runs. Failed writes are tried once more, until one fails again. */
  settle(): Promise<void> {
    if (this.#isIdle) return Promise.resolve();
    const settled = new Promise<void>((resolve) => this.#idle.push(resolve));
    this.#resume();
    return settled;
  }

  #isPending(id: string): boolean {
    return this.#waiting.has(id) || this.#running.has(id) || this.#delayed.has(id);
  }

  #notify(id: string): void {
    const listeners = this.#listeners.get(id) ?? [];
    this.#listeners.delete(id);
    for (const listener of listeners) listener();
  }

  get #isIdle(): boolean {
    return this.#waiting.size + this.#running.size + this.#delayed.size === 0;
  }

  #add(id: string): void {
    this.#delayed.delete(id);
    this.#waiting.add(id);
    this.#start();
  }

  #start(): void {
    if (this.#pause !== undefined) return;
    for (const id of this.#waiting) {
      if (this.#running.size >= (this.#failures === 0 ? MAX_AT_ONCE : 1)) return;
      if (this.#running.has(id)) continue;
      this.#waiting.delete(id);
      this.#running.add(id);
      void this.#update(id);
    }
  }

  async #update(id: string): Promise<void> {
    // Resumes after the current call: further changes are part of the same write.
    await Promise.resolve();
    const wanted = this.#options.findPending(id);
    if (wanted.kind === 'record') await this.#write(id, wanted.record);
    if (wanted.kind === 'nothing') await this.#remove(id);
    this.#running.delete(id);
    // It changed during its write.
    if (this.#waiting.delete(id)) this.touch(id);
    if (!this.#isPending(id)) this.#notify(id);
    this.#start();
    if (!this.#isIdle) return;
    const idle = this.#idle;
    this.#idle = [];
    for (const resolve of idle) resolve();
  }

  async #write(id: string, record: ExecutionRecord): Promise<void> {
    const { blobs, onWritten, onFailed, pacing } = this.#options;
    try {
      await blobs.write(id, JSON.stringify(record), formatRecordSummary(record));
      this.#failures = 0;
      onWritten(id, record);
    } catch (error) {
      onFailed('write', error);
      this.#retry(id, error);
    }
    if (pacing !== undefined) this.#wait(id, pacing);
  }

  async #remove(id: string): Promise<void> {
    const { blobs, onRemoved, onFailed } = this.#options;
    try {
      await blobs.remove(id);
      onRemoved(id);
    } catch (error) {
      onFailed('remove', error);
    }
  }

  #wait(id: string, { timer, intervalMs }: BlobPacing): void {
    const now = timer.elapsed();
    this.#notBefore.delete(id);
    this.#notBefore.set(id, now + intervalMs);
    for (const [oldest, until] of this.#notBefore) {
      if (until > now) return;
      this.#notBefore.delete(oldest);
    }
  }

  #retry(id: string, error: unknown): void {
    const { pacing } = this.#options;
    if (pacing === undefined || isFinal(error)) return;
    if (this.#idle.length > 0) {
      // The process ends: further attempts would delay it.
      this.#clear();
      return;
    }
    this.#waiting.add(id);
    if (this.#pause !== undefined) return;
    this.#failures += 1;
    const delays = { firstMs: pacing.retryMs, maxMs: MAX_RETRY_MS };
    const waitMs = computeBackoffDelay(this.#failures - 1, delays);
    this.#pause = pacing.timer.after(waitMs, () => this.#resume());
  }

  #clear(): void {
    this.#waiting.clear();
    for (const cancel of this.#delayed.values()) cancel();
    this.#delayed.clear();
  }

  #resume(): void {
    this.#pause?.();
    this.#pause = undefined;
    this.#start();
  }
}
