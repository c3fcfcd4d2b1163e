import type { BigIntStats } from 'node:fs';
import { MAX_FILE_BYTES } from '../limits.ts';
import { fingerprintOf } from './fingerprint.ts';
import { NOT_REGULAR } from './error-code.ts';

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

/** Why a file is not read that looks so; undefined when it is. */
export const unfitText = (
  stats: BigIntStats,
  { maxBytes = MAX_FILE_BYTES }: ReadOptions,
): ReadText | undefined => {
  if (!stats.isFile()) return { kind: 'failed', message: NOT_REGULAR };
  if (stats.size <= BigInt(maxBytes)) return undefined;
  const message = `is larger than ${String(maxBytes)} bytes`;
  return { kind: 'refused', message, times: timesOf(stats) };
};

/** What was read of a file, given how it looked before and after. */
export const textOfBytes = (
  bytes: Buffer,
  looks: { readonly before: BigIntStats; readonly after: BigIntStats },
  { takeReplaced = false }: ReadOptions,
): ReadText => {
  const { before, after } = looks;
  const versionOf = takeReplaced ? contentVersionOf : fingerprintOf;
  if (versionOf(after) !== versionOf(before) || BigInt(bytes.length) !== before.size)
    return { kind: 'unsettled' };
  const text = decode(bytes);
  return text === undefined
    ? { kind: 'refused', message: 'is not valid UTF-8', times: timesOf(before) }
    : { kind: 'text', text, times: timesOf(before) };
};
