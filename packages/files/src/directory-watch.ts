import { type BigIntStats, type FSWatcher, statfsSync, statSync, watch } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';

/**
 * The file systems for which Linux reports every change at once because only this machine writes to them: ext, XFS, Btrfs, F2FS, ZFS,
 * tmpfs, ramfs, overlay.
 */
const REPORTING: ReadonlySet<number> = new Set([
  0xef53, 0x5846_5342, 0x9123_683e, 0xf2f5_2010, 0x2fc1_2fc1, 0x0102_1994, 0x8584_58f6, 0x794c_7630,
]);

/** Returns whether a watch of this directory reports every change of its entries. */
const canReportChanges = (directory: string): boolean => {
  try {
    return process.platform === 'linux' && REPORTING.has(statfsSync(directory).type);
  } catch {
    return false;
  }
};

/** The fifth field of a line of `mountinfo`. Blanks and backslashes in it are octal numbers. */
const MOUNT_POINT = /^(?:\S+ ){4}(\S+)/gmu;

const unescapePath = (path: string): string =>
  path.replaceAll(/\\([0-7]{3})/gu, (_, code: string) => String.fromCodePoint(parseInt(code, 8)));

/** Returns the mount points in a text with the format of `/proc/self/mountinfo`, see proc_pid_mountinfo(5). */
export const mountPointsIn = (text: string): ReadonlySet<string> =>
  new Set([...text.matchAll(MOUNT_POINT)].map(([, path = '']) => unescapePath(path)));

/**
 * Returns the paths where this process has file systems mounted, as Linux lists them. A file that is mounted by itself may change without
 * a report to the watch of its directory. Rejects where the system has no such list.
 */
export const mountPoints = async (): Promise<ReadonlySet<string>> =>
  mountPointsIn(await readFile('/proc/self/mountinfo', 'utf8'));

/** Returns a text that identifies a directory. Inode numbers are reused at once, so that the time of birth is part of it. */
const readDirectoryIdentity = ({ dev, ino, birthtimeNs }: BigIntStats): string =>
  [dev, ino, birthtimeNs].join(':');

/** Returns the identity of the directory at a path, undefined when nothing is there. Throws when its stats cannot be read. */
const findDirectoryIdentity = (directory: string): string | undefined => {
  const stats = statSync(directory, { bigint: true, throwIfNoEntry: false });
  return stats && readDirectoryIdentity(stats);
};

/**
 * Resolves when every notification of changes made so far is delivered. A write returns with its notification queued in the kernel, and the
 * event loop reads the whole queue once per iteration; the current iteration may have read it already.
 */
export const drainPendingReports = async (): Promise<void> => {
  await setImmediate();
  await setImmediate();
};

/** The state of a watched directory. */
interface WatchedDirectory {
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
    const identity = findDirectoryIdentity(this.#directory);
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
    if (!canReportChanges(this.#directory)) return;
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
      const identity = await findIdentity(directory);
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
      return { identity, watcher, isReporting: canReportChanges(directory) };
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

const findIdentity = async (directory: string): Promise<string | undefined> => {
  try {
    return readDirectoryIdentity(await stat(directory, { bigint: true }));
  } catch {
    return undefined;
  }
};

const isStillAt = (directory: string, identity: string | undefined): boolean => {
  try {
    return findDirectoryIdentity(directory) === identity;
  } catch {
    return identity === undefined;
  }
};
