import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { errorCodeOf } from '../failures/error-code.ts';
import { makeDirectory } from '../writing/make-directory.ts';
import { removeStaleTemporaryFiles } from '../writing/temporary-file.ts';
import { acquireFileLock, type FileLock } from './file-lock.ts';
import { KeyedQueue } from './keyed-queue.ts';

/** A lock that is held. */
export type HeldLock = Extract<FileLock, { ok: true }>;

/** Directory, key syntax and timeouts of the locks. */
export interface KeyedFileLocksOptions {
  /** The directory of the lock files, created by the first lock. Its parent must exist. */
  readonly directory: string;
  /** The keys: a lock file has the name of its key. */
  readonly key: RegExp;
  /** The maximum time to wait for another process, in milliseconds. */
  readonly waitMs: number;
  /** The time for which a lock of another machine is respected, in milliseconds; longer than any task runs. */
  readonly foreignMs: number;
}

const SHORTEST_PAUSE_MS = 2;
const LONGEST_PAUSE_MS = 50;

/** Runs one task per key at a time, among all processes that use the directory. Locks of processes that have ended are ignored. */
export class KeyedFileLocks {
  readonly #options: KeyedFileLocksOptions;
  readonly #queue = new KeyedQueue();

  constructor(options: KeyedFileLocksOptions) {
    this.#options = options;
  }

  /** Runs a task while holding the lock of the key. Returns the holder instead when the lock is not free in time. */
  run<T>(
    key: string,
    task: (lock: HeldLock) => Promise<T>,
  ): Promise<T | { readonly heldBy: number }> {
    return this.#queue.run(key, async () => {
      const lock = await this.#acquire(path.join(this.#options.directory, key));
      if (!lock.ok) return { heldBy: lock.holder };
      try {
        return await task(lock);
      } finally {
        await lock.release();
      }
    });
  }

  /** Removes the files of processes that have ended. Never rejects. */
  async sweep(): Promise<void> {
    const { directory, key } = this.#options;
    await removeStaleTemporaryFiles(directory);
    const names = await readdir(directory).catch(() => []);
    for (const name of names.filter((file) => key.test(file))) {
      const lock = await this.#attempt(path.join(directory, name)).catch(() => undefined);
      if (lock?.ok === true) await lock.release();
    }
  }

  /** Waits for the running tasks. */
  async close(): Promise<void> {
    await this.#queue.idle();
  }

  async #acquire(file: string): Promise<FileLock> {
    const endsAt = performance.now() + this.#options.waitMs;
    for (let pauseMs = SHORTEST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
      const lock = await this.#attempt(file);
      if (lock.ok || performance.now() > endsAt) return lock;
      // Jitter, so that waiting processes do not retry at the same time.
      await pause(pauseMs * (0.5 + Math.random()));
    }
  }

  async #attempt(file: string): Promise<FileLock> {
    const { directory, foreignMs } = this.#options;
    try {
      return await acquireFileLock(file, { foreignMs });
    } catch (error) {
      if (errorCodeOf(error) !== 'ENOENT') throw error;
      await makeDirectory(directory);
      return acquireFileLock(file, { foreignMs });
    }
  }
}
