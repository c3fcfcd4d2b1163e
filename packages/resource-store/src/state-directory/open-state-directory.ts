import { access, constants, mkdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { readTextFile } from '../files/read-text-file.ts';
import { errorCodeOf } from '../files/error-code.ts';
import { removeLeftOvers } from '../writing/temporary-file.ts';
import { writeFailureText } from '../writing/write-failure.ts';
import { replaceWholeFile } from '../writing/write-whole-file.ts';
import { claimDirectory } from './claim-directory.ts';

/** A file with one text. */
export interface StateText {
  /** The text that was written last; undefined when there is none. Rejects when it cannot be read. */
  readonly read: () => Promise<string | undefined>;
  /** Replaces the text, whole or not at all. Rejects with the reason. */
  readonly write: (text: string) => Promise<void>;
}

/** A directory for what a gateway remembers from one run to the next. */
export interface StateDirectory {
  /** An absolute path. */
  readonly path: string;
  /** The text of this name, which is a file's name without a path. */
  readonly text: (name: string) => StateText;
  /** Lets others have the directory. May be called again. */
  readonly release: () => Promise<void>;
}

/** The directory, or why it cannot be used, as the end of a sentence. */
export type OpenedStateDirectory =
  | { readonly ok: true; readonly state: StateDirectory }
  | { readonly ok: false; readonly reason: string };

const MAX_TEXT_BYTES = 512 * 1024 * 1024;
/** What is in it is nobody else's. */
const OPTIONS = { mode: 0o600, isDurable: true } as const;

const textAt = (file: string): StateText => ({
  read: async () => {
    const read = await readTextFile(file, { maxBytes: MAX_TEXT_BYTES, takeReplaced: true });
    if (read.kind === 'text') return read.text;
    if (read.kind === 'absent') return undefined;
    throw new Error(read.kind === 'unsettled' ? 'is being written by somebody else' : read.message);
  },
  write: (text) =>
    replaceWholeFile(file, text, OPTIONS).catch((error: unknown) => {
      throw new Error(writeFailureText(error), { cause: error });
    }),
});

/**
 * Only the directory itself is made: one whose parent is not there is on a disk that is not mounted.
 *
 * @returns whether there is one
 */
const makeDirectory = async (directory: string): Promise<boolean> => {
  await mkdir(directory, { mode: 0o700 }).catch((error: unknown) => {
    if (errorCodeOf(error) !== 'EEXIST') throw error;
  });
  if (!(await stat(directory)).isDirectory()) return false;
  await access(directory, constants.R_OK | constants.W_OK | constants.X_OK);
  return true;
};

const opened = (directory: string, release: StateDirectory['release']): StateDirectory => ({
  path: directory,
  text: (name) => textAt(path.join(directory, path.basename(name))),
  release,
});

/** Makes the directory where it is not there, and takes it for this process alone. Never rejects. */
export const openStateDirectory = async (directory: string): Promise<OpenedStateDirectory> => {
  const absolute = path.resolve(directory);
  try {
    if (!(await makeDirectory(absolute))) return { ok: false, reason: 'it is not a directory' };
    const claim = await claimDirectory(absolute);
    if (!claim.ok) return { ok: false, reason: `process ${String(claim.holder)} is using it` };
    await removeLeftOvers(absolute);
    return { ok: true, state: opened(absolute, claim.release) };
  } catch (error) {
    return { ok: false, reason: writeFailureText(error) };
  }
};
