import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { MAX_FILE_BYTES } from '../limits.ts';
import { fingerprintOf } from './fingerprint.ts';
import { errorCodeOf, NOT_REGULAR, unreadableText } from './error-code.ts';
import { isLink } from './is-link.ts';

/** The text of a file, or why there is none. */
export type ReadText =
  | { readonly kind: 'text'; readonly text: string; readonly fingerprint: string }
  | { readonly kind: 'absent' }
  /** It changed while it was read. */
  | { readonly kind: 'unsettled' }
  /** It is not text that can be used; reading it again gives the same. */
  | { readonly kind: 'refused'; readonly message: string }
  /** It could not be read this time. */
  | { readonly kind: 'failed'; readonly message: string };

// Without it, opening a pipe that nobody writes to would never return.
const READ_WITHOUT_WAITING = constants.O_RDONLY | constants.O_NONBLOCK;

const readBytes = async (handle: FileHandle, size: number): Promise<Buffer> => {
  // One byte more than it should have, so that a file that grew is noticed.
  const bytes = Buffer.alloc(size + 1);
  let length = 0;
  while (length < bytes.length) {
    const { bytesRead } = await handle.read(bytes, length, bytes.length - length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return bytes.subarray(0, length);
};

const decode = (bytes: Buffer): string | undefined => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
};

const readHandle = async (handle: FileHandle): Promise<ReadText> => {
  const before = await handle.stat({ bigint: true });
  if (!before.isFile()) return { kind: 'failed', message: NOT_REGULAR };
  if (before.size > BigInt(MAX_FILE_BYTES)) {
    return { kind: 'refused', message: `is larger than ${String(MAX_FILE_BYTES)} bytes` };
  }
  const bytes = await readBytes(handle, Number(before.size));
  const fingerprint = fingerprintOf(before);
  const after = fingerprintOf(await handle.stat({ bigint: true }));
  if (after !== fingerprint || BigInt(bytes.length) !== before.size) return { kind: 'unsettled' };
  const text = decode(bytes);
  return text === undefined
    ? { kind: 'refused', message: 'is not valid UTF-8' }
    : { kind: 'text', text, fingerprint };
};

/** Reads a UTF-8 file of at most 1 MiB as it was at one moment. A byte order mark is dropped. Never throws. */
export const readTextFile = async (file: string): Promise<ReadText> => {
  let handle: FileHandle | undefined;
  try {
    handle = await open(file, READ_WITHOUT_WAITING);
    return await readHandle(handle);
  } catch (error) {
    if (errorCodeOf(error) !== 'ENOENT') return { kind: 'failed', message: unreadableText(error) };
    return (await isLink(file))
      ? { kind: 'failed', message: 'is a link to a file that does not exist' }
      : { kind: 'absent' };
  } finally {
    await handle?.close();
  }
};
