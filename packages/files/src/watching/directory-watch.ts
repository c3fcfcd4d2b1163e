import { watch, type FSWatcher } from 'node:fs';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { directoryIdentityAt } from './directory-identity.ts';
import { reportsChanges } from './reported-changes.ts';

/**
 * Resolves when every notification of changes made so far is delivered. A write returns with its notification queued in the kernel, and the
 * event loop reads the whole queue once per iteration; the current iteration may have read it already.
 */
export const pendingReportsDelivered = async (): Promise<void> => {
  await setImmediate();
  await setImmediate();
};

/** The state of a watched directory. */
export interface WatchedDirectory {
  readonly exists: boolean;
  /** Every change from now on is reported. Otherwise, only a scan finds changes. */
  readonly isReported: boolean;
  /** The directory was replaced or was not watched before: its previous changes are unknown. */
  readonly isNew: boolean;
}

/** Watches the directory at a path, which may be created, deleted and replaced. */
export class DirectoryWatch {
  readonly #directory: string;
  readonly #onReport: (fileName: string | undefined) => void;
  #identity: string | undefined;
  #watcher: FSWatcher | undefined;

  /** @param onReport called with the name of a changed file, or without one when it is unknown */
  constructor(directory: string, onReport: (fileName: string | undefined) => void) {
    this.#directory = directory;
    this.#onReport = onReport;
  }

  /** Watches the directory that is at the path now, and returns its state. Throws when its stats cannot be read. */
  follow(): WatchedDirectory {
    const identity = directoryIdentityAt(this.#directory);
    const exists = identity !== undefined;
    const isNew = identity !== this.#identity || (exists && this.#watcher === undefined);
    if (isNew) {
      this.close();
      if (exists) this.#begin();
      this.#identity = identity;
    }
    return { exists, isReported: this.#watcher !== undefined, isNew };
  }

  /** Stops watching. A later `follow` treats the directory as new. */
  close(): void {
    this.#watcher?.close();
    this.#watcher = undefined;
    this.#identity = undefined;
  }

  #begin(): void {
    if (!reportsChanges(this.#directory)) return;
    try {
      // A late notification of a previous watcher must not close this one.
      const watcher = watch(this.#directory, { persistent: false }, (_event, fileName) => {
        if (watcher !== this.#watcher) return;
        // The name of the directory itself means that it was deleted.
        if (fileName === path.basename(this.#directory)) this.close();
        this.#onReport(fileName ?? undefined);
      });
      watcher.on('error', () => {
        if (watcher === this.#watcher) this.close();
      });
      this.#watcher = watcher;
    } catch {
      // The system allows no more watches: scans find the changes.
    }
  }
}
