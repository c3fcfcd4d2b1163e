import { type BigIntStats, closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { type FileHandle, lstat, open, realpath } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { readErrorCode, NOT_REGULAR, formatReadError } from './file-errors.ts';

/** The maximum size of a text file, in bytes, unless the caller sets another limit. */
export const MAX_FILE_BYTES = 1_048_576;

/** Returns a text that differs between two versions of a file that are at least a clock tick apart, even if size and name are equal. */
export const toFingerprint = ({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string =>
  [dev, ino, size, mtimeNs, ctimeNs].join(':');

/** Returns whether this path is a symbolic link, which distinguishes a dangling link from a missing file. Never rejects. */
export const isLink = async (file: string): Promise<boolean> => {
  try {
    return (await lstat(file)).isSymbolicLink();
  } catch {
    return false;
  }
};

/** The message for a link that leads out of the directory. */
const OUTSIDE = 'is a link to a file outside of the directory';

/** Returns whether a file, after all links, is outside of a directory. Rejects when one of them does not exist. */
const isOutside = async (file: string, directory: string): Promise<boolean> => {
  const [target, root] = await Promise.all([realpath(file), realpath(directory)]);
  const way = path.relative(root, target);
  return way === '..' || way.startsWith(`..${path.sep}`) || path.isAbsolute(way);
};

/** Milliseconds since 1970. */
export interface FileTimes {
  /** Never later than `modifiedAt`; equal to it where the file system records no time of birth. */
  readonly createdAt: number;
  readonly modifiedAt: number;
}

/** The text of a file, or the reason why it has none. */
export type ReadTextResult =
  | { readonly kind: 'text'; readonly text: string; readonly times: FileTimes }
  | { readonly kind: 'absent' }
  /** The file changed while it was read. */
  | { readonly kind: 'unsettled' }
  /** The content is not usable text. Reading it again gives the same result. */
  | { readonly kind: 'refused'; readonly message: string; readonly times: FileTimes }
  /** Reading failed; another attempt may succeed. */
  | { readonly kind: 'failed'; readonly message: string };

/** Options of reading a text file. */
interface ReadOptions {
  /** The maximum size, in bytes; 1 MiB when absent. */
  readonly maxBytes?: number;
  /** Refuses a file that links lead to, unless it is in this directory. */
  readonly within?: string;
  /** Treats a symbolic link as not a regular file. */
  readonly refuseLinks?: boolean;
  /** Accepts a version that was replaced during the read, for files that are only ever replaced whole. */
  readonly acceptReplaced?: boolean;
}

const decode = (bytes: Buffer): string | undefined => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
};

/** The latest time that a `Date` can hold. */
const MAX_DATE_MS = 8_640_000_000_000_000;

const toTimes = ({ birthtimeMs, mtimeMs }: BigIntStats): FileTimes => {
  const modifiedAt = Math.min(Math.max(0, Number(mtimeMs)), MAX_DATE_MS);
  const bornAt = Number(birthtimeMs);
  return { createdAt: bornAt > 0 ? Math.min(bornAt, modifiedAt) : modifiedAt, modifiedAt };
};

/** Returns a text that changes when the file itself is written to, but not when the file is replaced, which changes only its link count. */
const formatContentVersion = ({ size, mtimeNs }: BigIntStats): string =>
  `${String(size)}:${String(mtimeNs)}`;

/** Returns the result for a file that must not be read; undefined for a readable one. */
const validateStats = (
  stats: BigIntStats,
  { maxBytes = MAX_FILE_BYTES }: ReadOptions,
): ReadTextResult | undefined => {
  if (!stats.isFile()) return { kind: 'failed', message: NOT_REGULAR };
  if (stats.size <= BigInt(maxBytes)) return undefined;
  const message = `is larger than ${String(maxBytes)} bytes`;
  return { kind: 'refused', message, times: toTimes(stats) };
};

/** Returns the result of a read, given the stats of the file before and after it. */
const toTextResult = (
  bytes: Buffer,
  stats: { readonly before: BigIntStats; readonly after: BigIntStats },
  { acceptReplaced = false }: ReadOptions,
): ReadTextResult => {
  const { before, after } = stats;
  const versionOf = acceptReplaced ? formatContentVersion : toFingerprint;
  if (versionOf(after) !== versionOf(before) || BigInt(bytes.length) !== before.size)
    return { kind: 'unsettled' };
  const text = decode(bytes);
  return text === undefined
    ? { kind: 'refused', message: 'is not valid UTF-8', times: toTimes(before) }
    : { kind: 'text', text, times: toTimes(before) };
};

// Without O_NONBLOCK, opening a pipe without a writer never returns.
const READ_WITHOUT_WAITING = constants.O_RDONLY | constants.O_NONBLOCK;

/** Returns the flags that a file is opened with for reading. */
const computeReadFlags = ({ refuseLinks = false }: ReadOptions): number =>
  READ_WITHOUT_WAITING | (refuseLinks ? constants.O_NOFOLLOW : 0);

const readBytes = async (handle: FileHandle, size: number): Promise<Buffer> => {
  // One byte more than the expected size detects a file that grew.
  const bytes = Buffer.alloc(size + 1);
  let length = 0;
  while (length < bytes.length) {
    const { bytesRead } = await handle.read(bytes, length, bytes.length - length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return bytes.subarray(0, length);
};

const readHandle = async (handle: FileHandle, options: ReadOptions): Promise<ReadTextResult> => {
  const before = await handle.stat({ bigint: true });
  const refusal = validateStats(before, options);
  if (refusal !== undefined) return refusal;
  const bytes = await readBytes(handle, Number(before.size));
  return toTextResult(bytes, { before, after: await handle.stat({ bigint: true }) }, options);
};

const toOpenFailure = async (file: string, error: unknown): Promise<ReadTextResult> => {
  if (readErrorCode(error) !== 'ENOENT') return { kind: 'failed', message: formatReadError(error) };
  return (await isLink(file))
    ? { kind: 'failed', message: 'is a link to a file that does not exist' }
    : { kind: 'absent' };
};

/** Reads a bounded UTF-8 file as of one moment, without its byte order mark. Never throws. */
export const readTextFile = async (
  file: string,
  options: ReadOptions = {},
): Promise<ReadTextResult> => {
  const { within } = options;
  let handle: FileHandle | undefined;
  try {
    if (within !== undefined && (await isOutside(file, within)))
      return { kind: 'failed', message: OUTSIDE };
    handle = await open(file, computeReadFlags(options));
    return await readHandle(handle, options);
  } catch (error) {
    return options.refuseLinks === true && readErrorCode(error) === 'ELOOP'
      ? { kind: 'failed', message: NOT_REGULAR }
      : await toOpenFailure(file, error);
  } finally {
    await handle?.close();
  }
};

const readBytesSync = (descriptor: number, size: number): Buffer => {
  // One byte more than the expected size detects a file that grew.
  const bytes = Buffer.alloc(size + 1);
  let length = 0;
  while (length < bytes.length) {
    const bytesRead = readSync(descriptor, bytes, length, bytes.length - length, null);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return bytes.subarray(0, length);
};

const readDescriptor = (descriptor: number, options: ReadOptions): ReadTextResult => {
  const before = fstatSync(descriptor, { bigint: true });
  const refusal = validateStats(before, options);
  if (refusal !== undefined) return refusal;
  const bytes = readBytesSync(descriptor, Number(before.size));
  return toTextResult(bytes, { before, after: fstatSync(descriptor, { bigint: true }) }, options);
};

const toReadFailure = (error: unknown): ReadTextResult => {
  const code = readErrorCode(error);
  if (code === 'ENOENT') return { kind: 'absent' };
  return { kind: 'failed', message: code === 'ELOOP' ? NOT_REGULAR : formatReadError(error) };
};

/**
 * Reads one small file that is not a link, like `readTextFile`. Uses much less processor time but blocks the event loop. Never
 * throws.
 */
export const readTextFileSync = (
  file: string,
  options: Omit<ReadOptions, 'refuseLinks'> = {},
): ReadTextResult => {
  let descriptor: number | undefined;
  try {
    const unlinked = { ...options, refuseLinks: true };
    descriptor = openSync(file, computeReadFlags(unlinked));
    return readDescriptor(descriptor, unlinked);
  } catch (error) {
    return toReadFailure(error);
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
};

/** The number of attempts while the file changes. */
interface SettleOptions {
  readonly attempts: number;
  /** The pause between attempts, in milliseconds. */
  readonly pauseMs: number;
}

/** Reads until the file no longer changes during the read, up to the number of attempts. */
export const readSettledText = async (
  read: () => ReadTextResult | Promise<ReadTextResult>,
  { attempts, pauseMs }: SettleOptions,
): Promise<ReadTextResult> => {
  let result = await read();
  for (let attempt = 1; attempt < attempts && result.kind === 'unsettled'; attempt += 1) {
    await pause(pauseMs);
    result = await read();
  }
  return result;
};
