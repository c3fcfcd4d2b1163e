import { watch, type FSWatcher } from 'node:fs';
import { stat } from 'node:fs/promises';

interface Watched {
  /** Which directory it is, since another may take its name. */
  readonly identity: string;
  readonly watcher: FSWatcher;
}

/**
 * Asks the operating system to report changes in directories. A report says only that looking is worthwhile now; that
 * none comes says nothing, since systems lose reports, refuse more watches and know nothing of what links lead to.
 */
export class DirectoryHints {
  readonly #directories: readonly string[];
  readonly #onHint: () => void;
  readonly #watched = new Map<string, Watched>();
  #closed = false;

  constructor(directories: readonly string[], onHint: () => void) {
    this.#directories = directories;
    this.#onHint = onHint;
  }

  /** Watches the directories that are there now; those that were replaced are watched anew. */
  async refresh(): Promise<void> {
    for (const directory of this.#directories) {
      const identity = await identityOf(directory);
      if (this.#closed) return;
      if (this.#watched.get(directory)?.identity === identity) continue;
      this.#unwatch(directory);
      if (identity !== undefined) this.#watch(directory, identity);
    }
  }

  /** Releases everything. */
  close(): void {
    this.#closed = true;
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
      // No watch to be had: looking at intervals finds the changes.
    }
  }

  #unwatch(directory: string): void {
    this.#watched.get(directory)?.watcher.close();
    this.#watched.delete(directory);
  }
}

const identityOf = async (directory: string): Promise<string | undefined> => {
  try {
    const { dev, ino } = await stat(directory, { bigint: true });
    return `${String(dev)}:${String(ino)}`;
  } catch {
    return undefined;
  }
};
