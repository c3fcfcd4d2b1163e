import { statfsSync, statSync, watch, type FSWatcher } from 'node:fs';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';

/**
 * File systems of which Linux reports every change at once, since nobody but this machine writes to them: ext, XFS, Btrfs, F2FS,
 * ZFS, tmpfs, ramfs, overlay.
 */
const REPORTING: ReadonlySet<number> = new Set([
  0xef53, 0x5846_5342, 0x9123_683e, 0xf2f5_2010, 0x2fc1_2fc1, 0x0102_1994, 0x8584_58f6, 0x794c_7630,
]);

const isReporting = (directory: string): boolean => {
  try {
    return process.platform === 'linux' && REPORTING.has(statfsSync(directory).type);
  } catch {
    return false;
  }
};

/**
 * Waits until everything that the system has reported so far was delivered: it stands in line in the kernel when a write returns, and the
 * event loop takes the whole line once per turn. The first turn may be one that has looked already.
 */
export const reportsDelivered = async (): Promise<void> => {
  await setImmediate();
  await setImmediate();
};

/** What is known of a directory. */
export interface FollowedDirectory {
  readonly isThere: boolean;
  /** Every change from now on is reported. Where it is not, only looking tells. */
  readonly isReported: boolean;
  /** It is another one than before, or was not watched before: nothing is known of what was in it until now. */
  readonly isNew: boolean;
}

/** Watches the directory that has a name, whichever it is: it may be made, deleted and replaced. */
export class FolderWatch {
  readonly #directory: string;
  readonly #onReport: (fileName: string | undefined) => void;
  #identity: string | undefined;
  #watcher: FSWatcher | undefined;

  /** @param onReport told of a file that changed; of none when it is unknown which */
  constructor(directory: string, onReport: (fileName: string | undefined) => void) {
    this.#directory = directory;
    this.#onReport = onReport;
  }

  /** Sees to it that the directory is watched that is there now. Throws when it cannot be looked at. */
  follow(): FollowedDirectory {
    const identity = identityOf(this.#directory);
    const isThere = identity !== undefined;
    const isNew = identity !== this.#identity || (isThere && this.#watcher === undefined);
    if (isNew) {
      this.close();
      if (isThere) this.#begin();
      this.#identity = identity;
    }
    return { isThere, isReported: this.#watcher !== undefined, isNew };
  }

  /** Releases everything; what is followed afterwards is new. */
  close(): void {
    this.#watcher?.close();
    this.#watcher = undefined;
    this.#identity = undefined;
  }

  #begin(): void {
    if (!isReporting(this.#directory)) return;
    try {
      // Kept apart, so that a late word of the one before does not end this one.
      const watcher = watch(this.#directory, { persistent: false }, (_event, fileName) => {
        if (watcher !== this.#watcher) return;
        // The directory itself went, which is reported by its name.
        if (fileName === path.basename(this.#directory)) this.close();
        this.#onReport(fileName ?? undefined);
      });
      watcher.on('error', () => {
        if (watcher === this.#watcher) this.close();
      });
      this.#watcher = watcher;
    } catch {
      // The system gives no more watches: looking finds the changes.
    }
  }
}

/** Numbers of directories are used again at once, so that the time of birth belongs to them. */
const identityOf = (directory: string): string | undefined => {
  const stats = statSync(directory, { bigint: true, throwIfNoEntry: false });
  return stats && [stats.dev, stats.ino, stats.birthtimeNs].join(':');
};
