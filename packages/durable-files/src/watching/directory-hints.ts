import { watch, type FSWatcher } from 'node:fs';
import { stat } from 'node:fs/promises';
import { directoryIdentityOf } from './directory-identity.ts';

interface Watched {
  /** The directory that is watched: another one may take its path. */
  readonly identity: string;
  readonly watcher: FSWatcher;
}

/**
 * Watches directories for changes. A notification is only a hint that a scan is worthwhile. Its absence proves nothing: operating systems
 * drop notifications, limit the number of watches and do not follow links.
 */
export class DirectoryHints {
  readonly #directories: readonly string[];
  readonly #onHint: () => void;
  readonly #watched = new Map<string, Watched>();
  #isClosed = false;

  constructor(directories: readonly string[], onHint: () => void) {
    this.#directories = directories;
    this.#onHint = onHint;
  }

  /** Watches the directories that exist now, including those that were replaced since the last call. */
  async refresh(): Promise<void> {
    for (const directory of this.#directories) {
      const identity = await identityAt(directory);
      if (this.#isClosed) return;
      if (this.#watched.get(directory)?.identity === identity) continue;
      this.#unwatch(directory);
      if (identity !== undefined) this.#watch(directory, identity);
    }
  }

  /** Stops watching. */
  close(): void {
    this.#isClosed = true;
    for (const directory of this.#directories) this.#unwatch(directory);
  }

  #watch(directory: string, identity: string): void {
    try {
      const watcher = watch(directory, this.#onHint);
      watcher.on('error', () => {
        this.#unwatch(directory);
      });
      this.#watched.set(directory, { identity, watcher });
    } catch {
      // Without a watch, periodic scans find the changes.
    }
  }

  #unwatch(directory: string): void {
    this.#watched.get(directory)?.watcher.close();
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
