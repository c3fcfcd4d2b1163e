import { readFileSync } from 'node:fs';
import { readdir, readFile, stat, unlink } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { computeBackoffDelay, type Backoff } from '@gateway/call-contract';
import {
  createFileAtomically,
  MACHINE_ID,
  makeDirectory,
  removeStaleTemporaryFiles,
} from './atomic-write.ts';
import { readErrorCode, ignoreMissing } from './file-errors.ts';

/** Runs the tasks of one key one after the other, in the order of their calls. Tasks of different keys run concurrently. */
export class KeyedQueue {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Runs a task after the earlier tasks of its key. Settles as the task does. */
  run<T>(key: string, task: () => Promise<T>): Promise<T> {
    const before = this.#last.get(key) ?? Promise.resolve();
    const result = before.then(task);
    const settled = result.then(ignore, ignore);
    this.#last.set(key, settled);
    void settled.then(() => {
      if (this.#last.get(key) === settled) this.#last.delete(key);
    });
    return result;
  }

  /** Resolves when no task is left, including tasks added meanwhile. Never rejects. */
  async idle(): Promise<void> {
    while (this.#last.size > 0) await Promise.all(this.#last.values());
  }
}

const ignore = (): void => undefined;

/** An acquired lock, or the process that holds it. */
type FileLock =
  | {
      readonly ok: true;
      /** Releases the lock. Idempotent. Never rejects. */
      readonly release: () => Promise<void>;
      /** Returns false when another machine removed the lock as abandoned. */
      readonly isHeld: () => boolean;
    }
  | { readonly ok: false; readonly holder: number };

/** Options of acquiring a lock. */
interface FileLockOptions {
  /**
   * The time for which the lock of another machine is respected, in milliseconds: its processes cannot be checked. Must exceed the longest
   * hold time plus the difference between the clocks. When absent, locks of other machines are ignored.
   */
  readonly foreignMs?: number;
}

const ATTEMPTS = 20;
const CONTENT = /^([0-9a-f]{8}) (\d{1,10})(?: (\d{1,20}))?\n$/;
/** The maximum age of a guard, in milliseconds; longer than checking a holder takes. */
const MAX_GUARD_AGE_MS = 10_000;
const PAUSE_MS = 20;

/** Reads the start time of a running process, because process ids are reused. It is in ticks since boot, so that no clock matters. */
const RUNNING = /^.*\) ([^ZX]) (?:-?\d+ ){18}(\d+) /s;

const OWN_START = (() => {
  try {
    return RUNNING.exec(readFileSync('/proc/self/stat', 'utf8'))?.[2];
  } catch {
    return undefined;
  }
})();

const OWN = `${[MACHINE_ID, process.pid, OWN_START ?? []].flat().join(' ')}\n`;

/** Atomic, because a lock without content would look abandoned. */
const OPTIONS = { mode: 0o600, isDurable: false } as const;

/** The locks that this process holds or acquires: its process id alone does not distinguish them. */
const held = new Set<string>();

/** Returns whether the process with this id and start time is running. */
const isRunning = async (pid: number, start: string | undefined): Promise<boolean> => {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (readErrorCode(error) === 'ESRCH') return false;
  }
  const stats = await readFile(`/proc/${String(pid)}/stat`, 'utf8').catch(() => undefined);
  // Without /proc, any process with this id counts as the holder.
  if (stats === undefined) return true;
  const startNow = RUNNING.exec(stats)?.[2];
  return startNow !== undefined && (start === undefined || start === startNow);
};

interface Lock extends FileLockOptions {
  readonly file: string;
}

/** Returns the process id of the holder according to the content of a lock, or undefined when the lock is abandoned. */
const readHolder = async (lock: Lock, content: string): Promise<number | undefined> => {
  const { file, foreignMs = 0 } = lock;
  const [, machine, id = '0', start] = CONTENT.exec(content) ?? [];
  const pid = Number(id);
  if (machine === MACHINE_ID) {
    // The locks of this process are in `held`.
    return pid !== process.pid && (await isRunning(pid, start)) ? pid : undefined;
  }
  if (foreignMs === 0) return undefined;
  const stats = await stat(file).catch(ignoreMissing);
  // A lock that was released meanwhile was held when it was read.
  return stats === undefined || Date.now() - stats.mtimeMs < foreignMs ? pid : undefined;
};

const isOld = async (file: string): Promise<boolean> => {
  const stats = await stat(file).catch(ignoreMissing);
  return stats !== undefined && Date.now() - stats.mtimeMs > MAX_GUARD_AGE_MS;
};

/**
 * Removes an abandoned lock. A guard file lets one process at a time check again and remove it, so that no process removes a lock that
 * another one has just acquired.
 */
const removeStaleLock = async (lock: Lock): Promise<void> => {
  const { file } = lock;
  const guard = `${file}-guard`;
  if (!(await createFileAtomically(guard, OWN, OPTIONS))) {
    if (await isOld(guard)) await unlink(guard).catch(ignoreMissing);
    else await pause(PAUSE_MS);
    return;
  }
  try {
    const content = await readFile(file, 'utf8').catch(ignoreMissing);
    // Another process may have acquired the lock after it was removed.
    if (content === undefined || (await readHolder(lock, content)) !== undefined) return;
    await unlink(file).catch(ignoreMissing);
  } finally {
    await unlink(guard).catch(() => undefined);
  }
};

/** Creates the lock file. Returns its holder, 0 when the holder changes at every attempt, undefined when this process has acquired it. */
const acquire = async (lock: Lock): Promise<number | undefined> => {
  const { file } = lock;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    if (await createFileAtomically(file, OWN, OPTIONS)) return undefined;
    const content = await readFile(file, 'utf8').catch(ignoreMissing);
    if (content === undefined) continue;
    const holder = await readHolder(lock, content);
    if (holder !== undefined) return holder;
    await removeStaleLock(lock);
  }
  return 0;
};

const isOwn = (file: string): boolean => {
  try {
    return readFileSync(file, 'utf8') === OWN;
  } catch {
    return false;
  }
};

const createLock = (file: string): Extract<FileLock, { ok: true }> => {
  let isReleased = false;
  return {
    ok: true,
    isHeld: () => isOwn(file),
    release: async () => {
      if (isReleased) return;
      isReleased = true;
      await unlink(file).catch(() => undefined);
      held.delete(file);
    },
  };
};

/**
 * Acquires an exclusive lock for this process by creating a file, without waiting. The lock of a process that has ended is ignored. Rejects
 * when the file cannot be written.
 */
export const acquireFileLock = async (
  name: string,
  options: FileLockOptions = {},
): Promise<FileLock> => {
  const file = path.resolve(name);
  if (held.has(file)) return { ok: false, holder: process.pid };
  held.add(file);
  try {
    const holder = await acquire({ ...options, file });
    if (holder === undefined) return createLock(file);
    held.delete(file);
    return { ok: false, holder };
  } catch (error) {
    held.delete(file);
    throw error;
  }
};

/** A lock that is held. */
export type HeldLock = Extract<FileLock, { ok: true }>;

/** Directory, key syntax and timeouts of the locks. */
interface KeyedFileLocksOptions {
  /** The directory of the lock files, created by the first lock. Its parent must exist. */
  readonly directory: string;
  /** The keys: a lock file has the name of its key. */
  readonly key: RegExp;
  /** The maximum time to wait for another process, in milliseconds. */
  readonly waitMs: number;
  /** The time for which a lock of another machine is respected, in milliseconds; longer than any task runs. */
  readonly foreignMs: number;
}

/** The jitter: waiting processes do not retry at the same time. */
const PAUSES: Backoff = { firstMs: 3, maxMs: 75, jitter: 2 / 3 };

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
    for (let attempt = 0; ; attempt += 1) {
      const lock = await this.#attempt(file);
      if (lock.ok || performance.now() > endsAt) return lock;
      await pause(computeBackoffDelay(attempt, PAUSES));
    }
  }

  async #attempt(file: string): Promise<FileLock> {
    const { directory, foreignMs } = this.#options;
    try {
      return await acquireFileLock(file, { foreignMs });
    } catch (error) {
      if (readErrorCode(error) !== 'ENOENT') throw error;
      await makeDirectory(directory);
      return acquireFileLock(file, { foreignMs });
    }
  }
}
