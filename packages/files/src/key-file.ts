import { randomBytes } from 'node:crypto';
import { lstat, unlink } from 'node:fs/promises';
import { createFileAtomically } from './atomic-write.ts';
import { formatWriteFailure } from './file-errors.ts';
import { readTextFile } from './read-text-file.ts';

/** Length of a key, in bytes. */
const KEY_BYTES = 32;
const KEY_TEXT = /^[0-9a-f]{64}\n?$/;
const MAX_KEY_FILE_BYTES = 1024;
const ACCESS_OF_OTHERS = 0o007;

/** The key of a file, or why there is none, as a sentence about the file: "it is damaged". */
type OpenedKeyFile =
  | {
      readonly ok: true;
      readonly key: Uint8Array;
      /** Why the earlier file was replaced; absent when it was not. */
      readonly replaced?: string;
    }
  | { readonly ok: false; readonly reason: string };

/** Options of opening a key file. */
interface KeyFileOptions {
  /** Replaces a file without a key. At most one process at a time may do that. */
  readonly mayReplace: boolean;
}

/**
 * Reads the random key of 32 bytes in a file, and creates the file when it is missing. All processes that open one file at the same
 * time get the same key. A file that is damaged, a link, owned by another user or accessible to all users has no key. Never rejects.
 */
export const openKeyFile = async (
  file: string,
  { mayReplace }: KeyFileOptions,
): Promise<OpenedKeyFile> => {
  const found = await readKey(file);
  if (found === undefined) return createKey(file);
  return found.ok || !mayReplace ? found : replaceKey(file, found.reason);
};

const createKey = async (file: string): Promise<OpenedKeyFile> => {
  const key = randomBytes(KEY_BYTES);
  const options = { mode: 0o600, isDurable: true };
  try {
    if (await createFileAtomically(file, `${key.toString('hex')}\n`, options))
      return { ok: true, key };
  } catch (error) {
    return refuseKeyFile(formatWriteFailure(error));
  }
  // Another process has created it first.
  return (await readKey(file)) ?? refuseKeyFile('it was deleted by another process');
};

const replaceKey = async (file: string, reason: string): Promise<OpenedKeyFile> => {
  try {
    await unlink(file);
  } catch {
    return refuseKeyFile(reason);
  }
  const created = await createKey(file);
  return created.ok ? { ...created, replaced: reason } : created;
};

const refuseKeyFile = (reason: string): OpenedKeyFile => ({ ok: false, reason });

/** Reads the key of a file. Returns `undefined` when there is no file. */
const readKey = async (file: string): Promise<OpenedKeyFile | undefined> => {
  const read = await readTextFile(file, {
    maxBytes: MAX_KEY_FILE_BYTES,
    refuseLinks: true,
    acceptReplaced: true,
  });
  if (read.kind === 'absent') return undefined;
  if (read.kind === 'failed') return refuseKeyFile(`it ${read.message}`);
  if (read.kind !== 'text' || !KEY_TEXT.test(read.text)) return refuseKeyFile('it is damaged');
  const problem = await validateAccess(file);
  return problem === undefined
    ? { ok: true, key: Buffer.from(read.text.trim(), 'hex') }
    : refuseKeyFile(problem);
};

/**
 * Returns why a key that others may know is not used. The group of the file may have access: volumes that are shared with a group,
 * as in Kubernetes, give it.
 */
const validateAccess = async (file: string): Promise<string | undefined> => {
  const user = process.geteuid?.();
  const stats = await lstat(file).catch(() => undefined);
  if (user === undefined || stats === undefined) return undefined;
  if (stats.uid !== user) return 'it belongs to another user';
  return (stats.mode & ACCESS_OF_OTHERS) === 0 ? undefined : 'it is accessible to all users';
};
