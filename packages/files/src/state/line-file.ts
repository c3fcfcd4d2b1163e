import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { ignoreMissing } from '../failures/ignore-error.ts';

/** The lines may be confidential: only their owner may read them. */
const FILE_MODE = 0o600;
const DIRECTORY_MODE = 0o700;

/** Links are not followed, and opening a pipe does not block. */
const { O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_RDWR } = constants;
const FLAGS = O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK;

const NEWLINE = 0x0a;

/**
 * Opens a file to which lines are appended, and creates it when it is missing. Rejects when it cannot be opened.
 *
 * @param makeDirectory creates the missing directory of the file, with a mode
 */
export const openLineFile = (
  file: string,
  makeDirectory: (directory: string, mode: number) => Promise<unknown>,
): Promise<FileHandle> =>
  open(file, FLAGS, FILE_MODE).catch(async (error: unknown) => {
    ignoreMissing(error);
    await makeDirectory(path.dirname(file), DIRECTORY_MODE);
    return open(file, FLAGS, FILE_MODE);
  });

/** Returns whether the last line is incomplete because its write was interrupted; the next line must not be appended to it. */
export async function endsInsideLine(handle: FileHandle, size: number): Promise<boolean> {
  if (size === 0) return false;
  const { bytesRead, buffer } = await handle.read(Buffer.alloc(1), 0, 1, size - 1);
  return bytesRead === 1 && buffer[0] !== NEWLINE;
}
