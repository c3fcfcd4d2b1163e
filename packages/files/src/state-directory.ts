import { access, constants, stat } from 'node:fs/promises';
import path from 'node:path';
import { makeDirectory, removeStaleTemporaryFiles, replaceFileAtomically } from './atomic-write.ts';
import { formatWriteFailure } from './file-errors.ts';
import { acquireFileLock } from './file-lock.ts';
import { readTextFile } from './read-text-file.ts';

/** A file with one text. */
interface StateText {
  /** Returns the text that was written last; undefined when there is none. Rejects when it cannot be read. */
  readonly read: () => Promise<string | undefined>;
  /** Replaces the text atomically. Rejects with the reason. */
  readonly write: (text: string) => Promise<void>;
}

/** A directory for state that survives a restart. */
export interface StateDirectory {
  /** An absolute path. */
  readonly path: string;
  /** Returns the text of this name, which is a file name without a path. */
  readonly text: (name: string) => StateText;
  /** Releases the lock of the directory. Idempotent. */
  readonly release: () => Promise<void>;
}

/** An open directory, or why it cannot be used, as the end of a sentence. */
type OpenedStateDirectory =
  | { readonly ok: true; readonly state: StateDirectory }
  | { readonly ok: false; readonly reason: string };

const MAX_TEXT_BYTES = 512 * 1024 * 1024;
/** Only the owner may read the state. */
const OPTIONS = { mode: 0o600, isDurable: true } as const;

const createStateText = (file: string): StateText => ({
  read: async () => {
    const result = await readTextFile(file, { maxBytes: MAX_TEXT_BYTES, acceptReplaced: true });
    if (result.kind === 'text') return result.text;
    if (result.kind === 'absent') return undefined;
    throw new Error(
      result.kind === 'unsettled' ? 'is being written by another process' : result.message,
    );
  },
  write: (text) =>
    replaceFileAtomically(file, text, OPTIONS).catch((error: unknown) => {
      throw new Error(formatWriteFailure(error), { cause: error });
    }),
});

/** Returns whether the path is a directory. Rejects when the process may not use it. */
const isUsableDirectory = async (directory: string): Promise<boolean> => {
  if (!(await stat(directory)).isDirectory()) return false;
  await access(directory, constants.R_OK | constants.W_OK | constants.X_OK);
  return true;
};

const createState = (directory: string, release: StateDirectory['release']): StateDirectory => ({
  path: directory,
  text: (name) => createStateText(path.join(directory, path.basename(name))),
  release,
});

/**
 * Creates the directory if it is missing and locks it for this process. A lock of another machine is ignored: a state directory belongs to
 * one gateway. Never rejects.
 */
export const openStateDirectory = async (directory: string): Promise<OpenedStateDirectory> => {
  const absolute = path.resolve(directory);
  try {
    await makeDirectory(absolute, 0o700);
    if (!(await isUsableDirectory(absolute))) return { ok: false, reason: 'it is not a directory' };
    const lock = await acquireFileLock(path.join(absolute, '.lock'));
    if (!lock.ok) return { ok: false, reason: `process ${String(lock.holder)} is using it` };
    await removeStaleTemporaryFiles(absolute);
    return { ok: true, state: createState(absolute, lock.release) };
  } catch (error) {
    return { ok: false, reason: formatWriteFailure(error) };
  }
};
