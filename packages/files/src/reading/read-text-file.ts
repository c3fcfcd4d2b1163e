import { open, type FileHandle } from 'node:fs/promises';
import { errorCodeOf, NOT_REGULAR, unreadableText } from '../failures/error-code.ts';
import { isLink } from './is-link.ts';
import { leadsOutside, OUTSIDE } from './leads-outside.ts';
import { textOfBytes, refusalByStats, type ReadOptions, type ReadTextResult } from './read-text.ts';
import { readingFlags } from './reading-flags.ts';

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
  const refusal = refusalByStats(before, options);
  if (refusal !== undefined) return refusal;
  const bytes = await readBytes(handle, Number(before.size));
  return textOfBytes(bytes, { before, after: await handle.stat({ bigint: true }) }, options);
};

const notOpened = async (file: string, error: unknown): Promise<ReadTextResult> => {
  if (errorCodeOf(error) !== 'ENOENT') return { kind: 'failed', message: unreadableText(error) };
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
    if (within !== undefined && (await leadsOutside(file, within)))
      return { kind: 'failed', message: OUTSIDE };
    handle = await open(file, readingFlags(options));
    return await readHandle(handle, options);
  } catch (error) {
    return options.refuseLinks === true && errorCodeOf(error) === 'ELOOP'
      ? { kind: 'failed', message: NOT_REGULAR }
      : await notOpened(file, error);
  } finally {
    await handle?.close();
  }
};
