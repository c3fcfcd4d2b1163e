import { constants, type BigIntStats } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { MAX_FILE_BYTES } from '../limits.ts';
import { fingerprintOf } from './fingerprint.ts';
import { errorCodeOf, NOT_REGULAR, unreadableText } from './error-code.ts';
import { isLink } from './is-link.ts';

/** Milliseconds since 1970. */
export interface FileTimes {
  /** Not later than the other; the same where the file system does not know better. */
  readonly createdAt: number;
  readonly modifiedAt: number;
}

/** The text of a file, or why there is none. */
export type ReadText =
  | { readonly kind: 'text'; readonly text: string; readonly times: FileTimes }
  | { readonly kind: 'absent' }
  /** It changed while it was read. */
  | { readonly kind: 'unsettled' }
  /** It is not text that can be used; reading it again gives the same. */
  | { readonly kind: 'refused'; readonly message: string; readonly times: FileTimes }
  /** It could not be read this time. */
  | { readonly kind: 'failed'; readonly message: string };

/** How to read. */
export interface ReadOptions {
  /** 1 MiB when absent. */
  readonly maxBytes?: number;
  /** Take a link for what it is: no regular file. */
  readonly refuseLinks?: boolean;
  /** A version that was replaced while it was read will do, since whoever writes replaces whole files. */
  readonly takeReplaced?: boolean;
}

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

/** The latest moment that a `Date` can hold. */
const END_OF_TIME = 8_640_000_000_000_000;

const timesOf = ({ birthtimeMs, mtimeMs }: BigIntStats): FileTimes => {
  const modifiedAt = Math.min(Math.max(0, Number(mtimeMs)), END_OF_TIME);
  const bornAt = Number(birthtimeMs);
  return { createdAt: bornAt > 0 ? Math.min(bornAt, modifiedAt) : modifiedAt, modifiedAt };
};

/** What differs when somebody writes to the file itself; to replace it changes only its count of names. */
const contentVersionOf = ({ size, mtimeNs }: BigIntStats): string =>
  `${String(size)}:${String(mtimeNs)}`;

const readHandle = async (handle: FileHandle, options: ReadOptions): Promise<ReadText> => {
  const { maxBytes = MAX_FILE_BYTES, takeReplaced = false } = options;
  const versionOf = takeReplaced ? contentVersionOf : fingerprintOf;
  const before = await handle.stat({ bigint: true });
  if (!before.isFile()) return { kind: 'failed', message: NOT_REGULAR };
  if (before.size > BigInt(maxBytes)) {
    return {
      kind: 'refused',
      message: `is larger than ${String(maxBytes)} bytes`,
      times: timesOf(before),
    };
  }
  const bytes = await readBytes(handle, Number(before.size));
  const after = versionOf(await handle.stat({ bigint: true }));
  if (after !== versionOf(before) || BigInt(bytes.length) !== before.size)
    return { kind: 'unsettled' };
  const text = decode(bytes);
  return text === undefined
    ? { kind: 'refused', message: 'is not valid UTF-8', times: timesOf(before) }
    : { kind: 'text', text, times: timesOf(before) };
};

const notOpened = async (file: string, error: unknown): Promise<ReadText> => {
  if (errorCodeOf(error) !== 'ENOENT') return { kind: 'failed', message: unreadableText(error) };
  return (await isLink(file))
    ? { kind: 'failed', message: 'is a link to a file that does not exist' }
    : { kind: 'absent' };
};

/** Reads a bounded UTF-8 file as it was at one moment. A byte order mark is dropped. Never throws. */
export const readTextFile = async (file: string, options: ReadOptions = {}): Promise<ReadText> => {
  const { refuseLinks = false } = options;
  let handle: FileHandle | undefined;
  try {
    handle = await open(file, READ_WITHOUT_WAITING | (refuseLinks ? constants.O_NOFOLLOW : 0));
    return await readHandle(handle, options);
  } catch (error) {
    return refuseLinks && errorCodeOf(error) === 'ELOOP'
      ? { kind: 'failed', message: NOT_REGULAR }
      : await notOpened(file, error);
  } finally {
    await handle?.close();
  }
};
