import { constants } from 'node:fs';
import { mkdir, open, readdir, unlink, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { errorCodeOf, NOT_REGULAR } from '../files/error-code.ts';

/** How much is kept of one kind. */
export interface SegmentLimits {
  /** Bytes after which the next lines go to a new file. */
  readonly segmentBytes: number;
  /** Files of one kind; the oldest give way. */
  readonly maxSegments: number;
}

/** Names of resources and what is said of them: nobody else's to read. */
const FILE_MODE = 0o600;
const DIRECTORY_MODE = 0o700;

/** A link is not followed, and a pipe is not waited for. */
const { O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_RDWR } = constants;
const FLAGS = O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK;
const READ_FLAGS = constants.O_RDONLY | O_NOFOLLOW | O_NONBLOCK;

/** Of a file that grew beyond what is written here, only the end is read. */
const MAX_READ_BYTES = 8_388_608;

const NEWLINE = 0x0a;

const nothingWhenMissing = (error: unknown): void => {
  if (errorCodeOf(error) !== 'ENOENT') throw error;
};

const sizeOf = async (handle: FileHandle): Promise<number> => {
  const stats = await handle.stat();
  if (!stats.isFile()) throw new Error(`the event log ${NOT_REGULAR}`);
  return stats.size;
};

/** A write that the process or the disk did not finish left half a line, which must not swallow the next one. */
const isTorn = async (handle: FileHandle, size: number): Promise<boolean> => {
  if (size === 0) return false;
  const { bytesRead, buffer } = await handle.read(Buffer.alloc(1), 0, 1, size - 1);
  return bytesRead === 1 && buffer[0] !== NEWLINE;
};

/** The files `<prefix>-<number>.jsonl` of a directory: lines are added to the newest, the oldest give way. */
export class EventSegments {
  readonly #directory: string;
  readonly #prefix: string;
  readonly #limits: SegmentLimits;
  readonly #name: RegExp;

  constructor(directory: string, prefix: string, limits: SegmentLimits) {
    this.#directory = directory;
    this.#prefix = prefix;
    this.#limits = limits;
    this.#name = new RegExp(`^${prefix}-(\\d{8,15})\\.jsonl$`, 'u');
  }

  /** Adds lines. Rejects when they may not all be there; half a line does no harm then. */
  async append(lines: readonly string[]): Promise<void> {
    const numbers = await this.#numbers();
    const newest = numbers.at(-1) ?? 1;
    const isFull = await this.#write(newest, lines);
    if (!isFull) return;
    // The next write makes the new file: an empty one would be nobody's gain.
    const kept = this.#limits.maxSegments - 1;
    for (const number of numbers.slice(0, Math.max(0, numbers.length - kept))) {
      await unlink(this.#fileOf(number)).catch(nothingWhenMissing);
    }
  }

  /** The newest lines first, at most `count`. */
  async read(count: number): Promise<readonly string[]> {
    const found: string[] = [];
    for (const number of (await this.#numbers()).toReversed()) {
      if (found.length >= count) break;
      const lines = (await this.#text(number)).split('\n').filter((line) => line !== '');
      found.push(...lines.toReversed().slice(0, count - found.length));
    }
    return found;
  }

  /** Writes to the newest file, or to the next one when that is full; whether the one that was written to is full now. */
  async #write(newest: number, lines: readonly string[]): Promise<boolean> {
    const handle = await this.#open(newest);
    try {
      const size = await sizeOf(handle);
      if (size >= this.#limits.segmentBytes) return await this.#writeNext(newest + 1, lines);
      return await this.#add(handle, size, lines);
    } finally {
      await handle.close();
    }
  }

  async #writeNext(number: number, lines: readonly string[]): Promise<boolean> {
    const handle = await this.#open(number);
    try {
      return await this.#add(handle, await sizeOf(handle), lines);
    } finally {
      await handle.close();
    }
  }

  async #add(handle: FileHandle, size: number, lines: readonly string[]): Promise<boolean> {
    const start = (await isTorn(handle, size)) ? '\n' : '';
    const bytes = Buffer.from(`${start}${lines.join('\n')}\n`);
    await handle.appendFile(bytes);
    return size + bytes.length >= this.#limits.segmentBytes;
  }

  async #open(number: number): Promise<FileHandle> {
    try {
      return await open(this.#fileOf(number), FLAGS, FILE_MODE);
    } catch (error) {
      nothingWhenMissing(error);
      await mkdir(this.#directory, { recursive: true, mode: DIRECTORY_MODE });
      return open(this.#fileOf(number), FLAGS, FILE_MODE);
    }
  }

  async #text(number: number): Promise<string> {
    const handle = await open(this.#fileOf(number), READ_FLAGS).catch(nothingWhenMissing);
    if (handle === undefined) return '';
    try {
      const size = await sizeOf(handle);
      const length = Math.min(size, MAX_READ_BYTES);
      const { buffer, bytesRead } = await handle.read({
        buffer: Buffer.alloc(length),
        position: size - length,
      });
      return buffer.toString('utf8', 0, bytesRead);
    } finally {
      await handle.close();
    }
  }

  /** Of the files that are there, oldest first. */
  async #numbers(): Promise<readonly number[]> {
    const names = (await readdir(this.#directory).catch(nothingWhenMissing)) ?? [];
    return names
      .flatMap((name) => {
        const digits = this.#name.exec(name)?.[1];
        return digits === undefined ? [] : [Number(digits)];
      })
      .sort((a, b) => a - b);
  }

  #fileOf(number: number): string {
    const digits = String(number).padStart(8, '0');
    return path.join(this.#directory, `${this.#prefix}-${digits}.jsonl`);
  }
}
