import { statfsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';

/**
 * The file systems for which Linux reports every change at once because only this machine writes to them: ext, XFS, Btrfs, F2FS, ZFS,
 * tmpfs, ramfs, overlay.
 */
const REPORTING: ReadonlySet<number> = new Set([
  0xef53, 0x5846_5342, 0x9123_683e, 0xf2f5_2010, 0x2fc1_2fc1, 0x0102_1994, 0x8584_58f6, 0x794c_7630,
]);

/** Returns whether a watch of this directory reports every change of its entries. */
export const reportsChanges = (directory: string): boolean => {
  try {
    return process.platform === 'linux' && REPORTING.has(statfsSync(directory).type);
  } catch {
    return false;
  }
};

/** The fifth field of a line of `mountinfo`. Blanks and backslashes in it are octal numbers. */
const MOUNT_POINT = /^(?:\S+ ){4}(\S+)/gmu;

const unescaped = (path: string): string =>
  path.replaceAll(/\\([0-7]{3})/gu, (_, code: string) => String.fromCodePoint(parseInt(code, 8)));

/** Returns the mount points in a text with the format of `/proc/self/mountinfo`, see proc_pid_mountinfo(5). */
export const mountPointsIn = (text: string): ReadonlySet<string> =>
  new Set([...text.matchAll(MOUNT_POINT)].map(([, path = '']) => unescaped(path)));

/**
 * Returns the paths where this process has file systems mounted, as Linux lists them. A file that is mounted by itself may change without
 * a report to the watch of its directory. Rejects where the system has no such list.
 */
export const mountPoints = async (): Promise<ReadonlySet<string>> =>
  mountPointsIn(await readFile('/proc/self/mountinfo', 'utf8'));
