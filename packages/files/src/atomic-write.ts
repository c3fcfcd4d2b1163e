import { createHash, randomBytes } from 'node:crypto';
import { closeSync, fstatSync, fsync, openSync, readlinkSync, renameSync, statSync } from 'node:fs';
import {
  type FileHandle,
  link,
  lstat,
  mkdir,
  open,
  readdir,
  rename,
  unlink,
} from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { readErrorCode, returnOn } from './file-errors.ts';

/** Distinguishes containers that share a host name but not their process ids. */
const readProcessNamespace = (): string => {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return '';
  }
};

/** Identifies the process id space of this process, as 8 hexadecimal digits. Process ids of another space have no meaning here. */
export const MACHINE_ID = createHash('sha256')
  .update(`${os.hostname()} ${readProcessNamespace()}`)
  .digest('hex')
  .slice(0, 8);

/** Longer than any write takes, in milliseconds. */
const LONGEST_WRITE_MS = 60_000;

const TEMPORARY = /^\.gateway-([0-9a-f]{8})-(\d{1,10})-[0-9a-f]{16}\.tmp$/;

/** Returns an unused path in this directory. The name is hidden, so that no reader takes it for a resource. */
export const createTemporaryPath = (directory: string): string => {
  const random = randomBytes(8).toString('hex');
  return path.join(directory, `.gateway-${MACHINE_ID}-${String(process.pid)}-${random}.tmp`);
};

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return readErrorCode(error) !== 'ESRCH';
  }
};

/** Returns whether the writer of a temporary file has ended, or had this process's id before it. */
const isStale = (machine: string, pid: number, modifiedAt: number): boolean => {
  const now = Date.now();
  if (now - modifiedAt > LONGEST_WRITE_MS) return true;
  if (machine !== MACHINE_ID) return false;
  // The clock of the file system and this clock differ by up to a tick.
  if (pid === process.pid) return modifiedAt < now - process.uptime() * 1000 - 100;
  return !isRunning(pid);
};

const removeIfStale = async (directory: string, name: string): Promise<void> => {
  const [, machine = '', pid = ''] = TEMPORARY.exec(name) ?? [];
  if (machine === '') return;
  const file = path.join(directory, name);
  try {
    const stats = await lstat(file);
    if (stats.isFile() && isStale(machine, Number(pid), stats.mtimeMs)) await unlink(file);
  } catch {
    // The file is gone or this process may not delete it; readers ignore it in both cases.
  }
};

/** Removes the temporary files of processes that ended during a write in this directory. Never rejects. */
export const removeStaleTemporaryFiles = async (directory: string): Promise<void> => {
  const names = await readdir(directory).catch(() => []);
  for (const name of names) await removeIfStale(directory, name);
};

/**
 * Creates a directory unless it exists. Does not create its parent: a missing parent may be a disk that is not mounted.
 *
 * @param mode the permissions of a new directory
 */
export const makeDirectory = async (directory: string, mode?: number): Promise<void> => {
  await mkdir(directory, mode === undefined ? {} : { mode }).catch(returnOn('EEXIST', undefined));
};

/** Options of an atomic write. */
interface WriteOptions {
  /** The permissions of a new file. */
  readonly mode: number;
  /** Waits until the disk has the content, so that it survives a power failure. */
  readonly isDurable: boolean;
  /** Gives a replacement the permissions of a new file, and not those of the file that it replaces. */
  readonly hasOwnMode?: boolean;
}

/** The attributes that a replacement takes over from the file that it replaces. */
interface Attributes {
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
}

const PERMISSION_BITS = 0o7777;

/** Copies owner and group where the process may; a file whose owner cannot be set is still written. */
const applyAttributes = async (
  handle: FileHandle,
  { mode, uid, gid }: Attributes,
): Promise<void> => {
  const stats = fstatSync(handle.fd);
  if (stats.uid !== uid || stats.gid !== gid) await handle.chown(uid, gid).catch(() => undefined);
  await handle.chmod(mode & PERMISSION_BITS);
};

const writeNew = async (
  file: string,
  text: string,
  options: WriteOptions,
  previous: Attributes | undefined,
): Promise<void> => {
  const handle = await open(file, 'wx', previous === undefined ? options.mode : 0o600);
  try {
    await handle.writeFile(text);
    if (previous !== undefined) await applyAttributes(handle, previous);
    if (options.isDurable) await handle.sync();
  } finally {
    // Some file systems report a full disk only when the file is closed.
    await handle.close();
  }
};

const synced = promisify(fsync);

/** Syncs a directory to the disk where the file system supports that. Never rejects. */
export const syncDirectory = async (directory: string): Promise<void> => {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(directory, 'r');
    // The only step that is slow enough for a thread.
    await synced(descriptor);
  } catch {
    // The file is in place whether or not the sync succeeds.
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
};

/** Writes a temporary file in the same directory and moves it into place; removes it when that fails. */
const writeThenMove = async (
  file: string,
  text: string,
  options: WriteOptions,
  step: {
    readonly previous?: Attributes;
    readonly move: (from: string, to: string) => Promise<void> | void;
  },
): Promise<void> => {
  const directory = path.dirname(file);
  const temporary = createTemporaryPath(directory);
  try {
    await writeNew(temporary, text, options, step.previous);
    await step.move(temporary, file);
  } catch (error) {
    await unlink(temporary).catch(() => undefined);
    throw error;
  }
  if (options.isDurable) await syncDirectory(directory);
};

/** The error codes of file systems without hard links; some of them return EPERM. */
const NO_LINKS: ReadonlySet<string> = new Set([
  'EPERM',
  'ENOTSUP',
  'EOPNOTSUPP',
  'ENOSYS',
  'EMLINK',
]);

/** Gives the file its name only when the name is unused. */
const linkFile = async (from: string, to: string): Promise<void> => {
  try {
    await link(from, to);
  } catch (error) {
    if (!NO_LINKS.has(readErrorCode(error))) throw error;
    // An exclusive open also claims the name; a crash between these two steps leaves an empty file.
    await (await open(to, 'wx')).close();
    await rename(from, to);
    return;
  }
  // A failure leaves only the second name of the file.
  await unlink(from).catch(() => undefined);
};

/** Creates a file atomically. Returns false when the name is in use. */
export const createFileAtomically = async (
  file: string,
  text: string,
  options: WriteOptions,
): Promise<boolean> => {
  try {
    await writeThenMove(file, text, options, { move: linkFile });
    return true;
  } catch (error) {
    if (readErrorCode(error) === 'EEXIST') return false;
    throw error;
  }
};

const readAttributes = (file: string): Attributes | undefined =>
  statSync(file, { throwIfNoEntry: false });

/**
 * Creates or replaces a file atomically; a replacement has the permissions of the file that it replaces,
 * unless `hasOwnMode` is set. The last of several concurrent
 * writes wins. A symbolic link is replaced, not followed.
 */
export const replaceFileAtomically = async (
  file: string,
  text: string,
  options: WriteOptions,
): Promise<void> => {
  const previous = options.hasOwnMode === true ? undefined : readAttributes(file);
  await writeThenMove(file, text, options, {
    ...(previous === undefined ? {} : { previous }),
    move: rename,
  });
};

/** Another writer changed the file before it could be replaced. */
class ConflictError extends Error {}

/**
 * Replaces an existing file atomically if it is unchanged. `isUnchanged` is called immediately before the final rename, and nothing else of
 * this process runs between them.
 *
 * @returns false when the file is missing or has changed
 */
export const replaceFileIfUnchanged = async (
  file: string,
  text: string,
  options: WriteOptions & { readonly isUnchanged: () => boolean },
): Promise<boolean> => {
  const previous = readAttributes(file);
  if (previous === undefined) return false;
  const move = (from: string, to: string): void => {
    if (!options.isUnchanged()) throw new ConflictError();
    renameSync(from, to);
  };
  try {
    await writeThenMove(file, text, options, { previous, move });
    return true;
  } catch (error) {
    if (error instanceof ConflictError) return false;
    throw error;
  }
};
