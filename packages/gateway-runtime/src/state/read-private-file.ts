import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { isPrivateFile } from '@gateway/service-host';

const MAX_BYTES = 64 * 1024;

/** The lines of a file, or the reason why it is refused, without its content. */
export type PrivateFile =
  | { readonly ok: true; readonly lines: readonly string[] }
  | { readonly ok: false; readonly reason: string };

const refused = (reason: string): PrivateFile => ({ ok: false, reason });

const readOpened = (file: number): PrivateFile => {
  const facts = fstatSync(file);
  if (!facts.isFile()) return refused('is not a regular file');
  if (!isPrivateFile(facts)) {
    return refused('can be read by other users: set its mode to 0600');
  }
  const bytes = Buffer.alloc(MAX_BYTES + 1);
  const length = readSync(file, bytes);
  if (length > MAX_BYTES) return refused('has more than 64 KiB');
  const lines = bytes.toString('utf8', 0, length).split(/\r?\n/u);
  return lines[0] === '' ? refused('has an empty first line') : { ok: true, lines };
};

/** Reads a regular file that only its owner can access, of at most 64 KiB. Never throws. */
export const readPrivateFile = (path: string): PrivateFile => {
  let file: number | undefined;
  try {
    // Opening a named pipe would wait for its writer.
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    return readOpened(file);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    return refused(code === 'ENOENT' ? 'does not exist' : `cannot be read (${code})`);
  } finally {
    if (file !== undefined) closeSync(file);
  }
};
