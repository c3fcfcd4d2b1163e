import { closeSync, fstatSync, fsync, openSync, statSync } from 'node:fs';
import { link, open, rename, unlink, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { errorCodeOf } from '../files/error-code.ts';
import { temporaryFileIn } from './temporary-file.ts';

/** How to write. */
export interface WriteOptions {
  /** Permissions of a file that is new. */
  readonly mode: number;
  /** Wait until the disk has it, so that it survives a power cut too. */
  readonly isDurable: boolean;
}

/** What a file that takes the place of another takes over from it. */
interface Attributes {
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
}

const PERMISSION_BITS = 0o7777;

/** Owner and group are kept where the process may; a file that cannot be given away is still written. */
const takeOver = async (handle: FileHandle, { mode, uid, gid }: Attributes): Promise<void> => {
  const stats = fstatSync(handle.fd);
  if (stats.uid !== uid || stats.gid !== gid) await handle.chown(uid, gid).catch(() => undefined);
  await handle.chmod(mode & PERMISSION_BITS);
};

const fill = async (
  file: string,
  text: string,
  options: WriteOptions,
  kept: Attributes | undefined,
): Promise<void> => {
  const handle = await open(file, 'wx', kept === undefined ? options.mode : 0o600);
  try {
    await handle.writeFile(text);
    if (kept !== undefined) await takeOver(handle, kept);
    if (options.isDurable) await handle.sync();
  } finally {
    // Some file systems say only here that there is no space left.
    await handle.close();
  }
};

const synced = promisify(fsync);

/** Directories cannot be synced everywhere; where they cannot, the file system keeps its own order. Never rejects. */
export const syncDirectory = async (directory: string): Promise<void> => {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(directory, 'r');
    // The one step that takes long enough for a thread.
    await synced(descriptor);
  } catch {
    // The file is in place whether or not this succeeds.
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
};

/** Writes beside the file and puts the result in its place; nothing is left over when that fails. */
const place = async (
  file: string,
  text: string,
  options: WriteOptions,
  put: { readonly kept?: Attributes; readonly how: (from: string, to: string) => Promise<void> },
): Promise<void> => {
  const directory = path.dirname(file);
  const temporary = temporaryFileIn(directory);
  try {
    await fill(temporary, text, options, put.kept);
    await put.how(temporary, file);
  } catch (error) {
    await unlink(temporary).catch(() => undefined);
    throw error;
  }
  if (options.isDurable) await syncDirectory(directory);
};

/** What file systems without hard links answer; EPERM says the same on some. */
const NO_LINKS: ReadonlySet<string> = new Set([
  'EPERM',
  'ENOTSUP',
  'EOPNOTSUPP',
  'ENOSYS',
  'EMLINK',
]);

/** Gives the file its name only when nobody has it. */
const linkInPlace = async (from: string, to: string): Promise<void> => {
  try {
    await link(from, to);
  } catch (error) {
    if (!NO_LINKS.has(errorCodeOf(error))) throw error;
    // An exclusive open is the next best claim on a name; a crash right here leaves an empty file.
    await (await open(to, 'wx')).close();
    await rename(from, to);
    return;
  }
  // Its second name only lingers if this fails.
  await unlink(from).catch(() => undefined);
};

/** Writes a file that is not there yet, whole or not at all. @returns false when there is one of this name */
export const createWholeFile = async (
  file: string,
  text: string,
  options: WriteOptions,
): Promise<boolean> => {
  try {
    await place(file, text, options, { how: linkInPlace });
    return true;
  } catch (error) {
    if (errorCodeOf(error) === 'EEXIST') return false;
    throw error;
  }
};

const attributesOf = (file: string): Attributes | undefined =>
  statSync(file, { throwIfNoEntry: false });

/**
 * Writes a file, whole or not at all, in the place of the one that is there, whose permissions it keeps. Of several at
 * once the last one stays. A link in this place is replaced, not followed.
 */
export const replaceWholeFile = async (
  file: string,
  text: string,
  options: WriteOptions,
): Promise<void> => {
  const kept = attributesOf(file);
  await place(file, text, options, { ...(kept === undefined ? {} : { kept }), how: rename });
};

/** What somebody else did keeps the file from being replaced. */
class Superseded extends Error {}

/**
 * The same for a file that must still be what it was: it is asked last, when all that is left to do is to rename.
 *
 * @returns whether it was
 */
export const replaceWholeFileIf = async (
  file: string,
  text: string,
  options: WriteOptions & { readonly isUnchanged: () => boolean },
): Promise<boolean> => {
  const kept = attributesOf(file);
  if (kept === undefined) return false;
  const how = async (from: string, to: string): Promise<void> => {
    if (!options.isUnchanged()) throw new Superseded();
    await rename(from, to);
  };
  try {
    await place(file, text, options, { kept, how });
    return true;
  } catch (error) {
    if (error instanceof Superseded) return false;
    throw error;
  }
};
