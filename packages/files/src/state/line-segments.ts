import { constants } from 'node:fs';
import { mkdir, open, readdir, unlink, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { NOT_REGULAR } from '../failures/error-code.ts';
import { ignoreMissing } from '../failures/ignore-error.ts';
import { endsInsideLine, openLineFile } from './line-file.ts';

/** The bounds of a sequence of files. */
export interface SegmentLimits {
  /** The size after which a new file is started, in bytes. */
  readonly segmentBytes: number;
  /** The maximum number of files; the oldest are deleted. */
  readonly maxSegments: number;
}

/** Links are not followed, and opening a pipe does not block. */
const READ_FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** The maximum number of bytes read from the end of a file. */
const MAX_READ_BYTES = 8_388_608;

const sizeOf = async (handle: FileHandle): Promise<number> => {
  const stats = await handle.stat();
  if (!stats.isFile()) throw new Error(`the event log ${NOT_REGULAR}`);
  return stats.size;
};

/** The files `<prefix>-<number>.jsonl` of a directory. Lines are appended to the newest file; the oldest files are deleted. */
export class LineSegments {
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

  /** Appends lines. Rejects when some may be missing; an incomplete line does no harm. */
  async append(lines: readonly string[]): Promise<void> {
    const numbers = await this.#numbers();
    const newest = numbers.at(-1) ?? 1;
    const isFull = await this.#write(newest, lines);
    if (!isFull) return;
    // The next write creates the new file.
    const remaining = this.#limits.maxSegments - 1;
    for (const number of numbers.slice(0, Math.max(0, numbers.length - remaining))) {
      await unlink(this.#fileOf(number)).catch(ignoreMissing);
    }
  }

  /** Returns at most `count` lines, newest first. */
  async read(count: number): Promise<readonly string[]> {
    const found: string[] = [];
    for (const number of (await this.#numbers()).toReversed()) {
      if (found.length >= count) break;
      const lines = (await this.#text(number)).split('\n').filter((line) => line !== '');
      found.push(...lines.toReversed().slice(0, count - found.length));
    }
    return found;
  }

  /** Writes to the newest file, or to a new one when that is full. Returns whether the file is full afterwards. */
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
    const start = (await endsInsideLine(handle, size)) ? '\n' : '';
    const bytes = Buffer.from(`${start}${lines.join('\n')}\n`);
    await handle.appendFile(bytes);
    return size + bytes.length >= this.#limits.segmentBytes;
  }

  #open(number: number): Promise<FileHandle> {
    return openLineFile(this.#fileOf(number), (directory, mode) =>
      mkdir(directory, { recursive: true, mode }),
    );
  }

  async #text(number: number): Promise<string> {
    const handle = await open(this.#fileOf(number), READ_FLAGS).catch(ignoreMissing);
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

  /** Returns the numbers of the existing files, oldest first. */
  async #numbers(): Promise<readonly number[]> {
    const names = (await readdir(this.#directory).catch(ignoreMissing)) ?? [];
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
