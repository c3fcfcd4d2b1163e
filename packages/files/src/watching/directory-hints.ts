import { watch, type FSWatcher } from 'node:fs';
import { stat } from 'node:fs/promises';
import { directoryIdentityAt, directoryIdentityOf } from './directory-identity.ts';
import { reportsChanges } from './reported-changes.ts';

interface Watched {
  /** The directory that is watched: another one may take its path. Undefined for a missing directory. */
  readonly identity: string | undefined;
  /** Absent when the directory is missing or the system allows no more watches. */
  readonly watcher?: FSWatcher;
  readonly isReporting: boolean;
}

/**
 * Watches a directory and some of its directories for changes. A notification is only a hint that a scan is worthwhile. Its absence proves
 * nothing unless `isReported`: operating systems drop notifications, limit the number of watches and do not follow links.
 */
export class DirectoryHints {
  readonly #root: string;
  readonly #directories: readonly string[];
  readonly #onHint: () => void;
  readonly #watched = new Map<string, Watched>();
  #isClosed = false;

  /** @param directories paths of directories inside the root, which may be missing */
  constructor(root: string, directories: readonly string[], onHint: () => void) {
    this.#root = root;
    this.#directories = [root, ...directories];
    this.#onHint = onHint;
  }

  /** Watches the directories that exist now, including those that were replaced since the last call. */
  async refresh(): Promise<void> {
    for (const directory of this.#directories) {
      const identity = await identityAt(directory);
      if (this.#isClosed) return;
      const watched = this.#watched.get(directory);
      const isWatched = identity === undefined || watched?.watcher !== undefined;
      if (watched !== undefined && watched.identity === identity && isWatched) continue;
      this.#unwatch(directory);
      this.#watched.set(directory, this.#watch(directory, identity));
    }
  }

  /**
   * Returns whether the directories are still those of the last `refresh`, and whether each change of their entries since then was a hint.
   * A file is more than its entry: one that is a link, has several links or is mounted can change without a hint.
   */
  isReported(): boolean {
    const root = this.#watched.get(this.#root);
    if (root?.isReporting !== true) return false;
    const watched = [...this.#watched];
    return (
      watched.length === this.#directories.length &&
      // The watch of the root reports that a missing directory is created.
      watched.every(([, { identity, isReporting }]) => identity === undefined || isReporting) &&
      watched.every(([directory, { identity }]) => isStillAt(directory, identity))
    );
  }

  /** Stops watching. */
  close(): void {
    this.#isClosed = true;
    for (const directory of this.#directories) this.#unwatch(directory);
  }

  #watch(directory: string, identity: string | undefined): Watched {
    if (identity === undefined) return { identity, isReporting: false };
    try {
      const watcher = watch(directory, this.#onHint);
      watcher.on('error', () => {
        if (this.#watched.get(directory)?.watcher === watcher) this.#unwatch(directory);
      });
      return { identity, watcher, isReporting: reportsChanges(directory) };
    } catch {
      // Without a watch, periodic scans find the changes.
      return { identity, isReporting: false };
    }
  }

  #unwatch(directory: string): void {
    this.#watched.get(directory)?.watcher?.close();
    this.#watched.delete(directory);
  }
}

const identityAt = async (directory: string): Promise<string | undefined> => {
  try {
    return directoryIdentityOf(await stat(directory, { bigint: true }));
  } catch {
    return undefined;
  }
};

const isStillAt = (directory: string, identity: string | undefined): boolean => {
  try {
    return directoryIdentityAt(directory) === identity;
  } catch {
    return identity === undefined;
  }
};
