import type { BigIntStats } from 'node:fs';
import { MAX_FILE_BYTES } from '../limits.ts';
import { fingerprintOf } from './fingerprint.ts';
import { NOT_REGULAR } from '../failures/error-code.ts';

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
export interface ReadOptions {
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

const timesOf = ({ birthtimeMs, mtimeMs }: BigIntStats): FileTimes => {
  const modifiedAt = Math.min(Math.max(0, Number(mtimeMs)), MAX_DATE_MS);
  const bornAt = Number(birthtimeMs);
  return { createdAt: bornAt > 0 ? Math.min(bornAt, modifiedAt) : modifiedAt, modifiedAt };
};

/** Returns a text that changes when the file itself is written to, but not when the file is replaced, which changes only its link count. */
const contentVersionOf = ({ size, mtimeNs }: BigIntStats): string =>
  `${String(size)}:${String(mtimeNs)}`;

/** Returns the result for a file that must not be read; undefined for a readable one. */
export const refusalByStats = (
  stats: BigIntStats,
  { maxBytes = MAX_FILE_BYTES }: ReadOptions,
): ReadTextResult | undefined => {
  if (!stats.isFile()) return { kind: 'failed', message: NOT_REGULAR };
  if (stats.size <= BigInt(maxBytes)) return undefined;
  const message = `is larger than ${String(maxBytes)} bytes`;
  return { kind: 'refused', message, times: timesOf(stats) };
};

/** Returns the result of a read, given the stats of the file before and after it. */
export const textOfBytes = (
  bytes: Buffer,
  stats: { readonly before: BigIntStats; readonly after: BigIntStats },
  { acceptReplaced = false }: ReadOptions,
): ReadTextResult => {
  const { before, after } = stats;
  const versionOf = acceptReplaced ? contentVersionOf : fingerprintOf;
  if (versionOf(after) !== versionOf(before) || BigInt(bytes.length) !== before.size)
    return { kind: 'unsettled' };
  const text = decode(bytes);
  return text === undefined
    ? { kind: 'refused', message: 'is not valid UTF-8', times: timesOf(before) }
    : { kind: 'text', text, times: timesOf(before) };
};
