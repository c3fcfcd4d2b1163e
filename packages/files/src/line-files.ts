import { constants } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, rename, stat, unlink } from 'node:fs/promises';
import path from 'node:path';
import { makeDirectory } from './atomic-write.ts';
import { ignoreMissing, NOT_REGULAR } from './file-errors.ts';

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
const openLineFile = (
  file: string,
  makeDirectory: (directory: string, mode: number) => Promise<unknown>,
): Promise<FileHandle> =>
  open(file, FLAGS, FILE_MODE).catch(async (error: unknown) => {
    ignoreMissing(error);
    await makeDirectory(path.dirname(file), DIRECTORY_MODE);
    return open(file, FLAGS, FILE_MODE);
  });

/** Returns whether the last line is incomplete because its write was interrupted; the next line must not be appended to it. */
async function hasIncompleteLine(handle: FileHandle, size: number): Promise<boolean> {
  if (size === 0) return false;
  const { bytesRead, buffer } = await handle.read(Buffer.alloc(1), 0, 1, size - 1);
  return bytesRead === 1 && buffer[0] !== NEWLINE;
}

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

const readSize = async (handle: FileHandle): Promise<number> => {
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
      await unlink(this.#toFile(number)).catch(ignoreMissing);
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
      const size = await readSize(handle);
      if (size >= this.#limits.segmentBytes) return await this.#writeNext(newest + 1, lines);
      return await this.#add(handle, size, lines);
    } finally {
      await handle.close();
    }
  }

  async #writeNext(number: number, lines: readonly string[]): Promise<boolean> {
    const handle = await this.#open(number);
    try {
      return await this.#add(handle, await readSize(handle), lines);
    } finally {
      await handle.close();
    }
  }

  async #add(handle: FileHandle, size: number, lines: readonly string[]): Promise<boolean> {
    const start = (await hasIncompleteLine(handle, size)) ? '\n' : '';
    const bytes = Buffer.from(`${start}${lines.join('\n')}\n`);
    await handle.appendFile(bytes);
    return size + bytes.length >= this.#limits.segmentBytes;
  }

  #open(number: number): Promise<FileHandle> {
    return openLineFile(this.#toFile(number), (directory, mode) =>
      mkdir(directory, { recursive: true, mode }),
    );
  }

  async #text(number: number): Promise<string> {
    const handle = await open(this.#toFile(number), READ_FLAGS).catch(ignoreMissing);
    if (handle === undefined) return '';
    try {
      const size = await readSize(handle);
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

  #toFile(number: number): string {
    const digits = String(number).padStart(8, '0');
    return path.join(this.#directory, `${this.#prefix}-${digits}.jsonl`);
  }
}

/** The bounds of a file and of its older versions. */
interface RotationLimits {
  /** The size that a file does not exceed, in bytes, unless one append is larger. */
  readonly maxBytes: number;
  /** The maximum number of files, the current one included; the oldest are deleted. */
  readonly maxFiles: number;
}

const LINE_FEED = Buffer.from('\n');

interface OpenedFile {
  readonly handle: FileHandle;
  readonly inode: number;
  readonly device: number;
  /** The file ends after a line. */
  isChecked: boolean;
}

/**
 * Lines that are appended to a file. When the file is full, it is renamed to `<file>.1`, `<file>.1` to `<file>.2` and so on. One
 * process appends to a file at a time, one append after the other. A file that another program renamed or deleted is created again.
 */
export class RotatingLines {
  readonly #file: string;
  readonly #limits: RotationLimits;
  #opened: OpenedFile | undefined;

  constructor(file: string, limits: RotationLimits) {
    this.#file = path.resolve(file);
    this.#limits = limits;
  }

  /** Creates the file if it does not exist. Rejects when lines cannot be appended to it. */
  async open(): Promise<void> {
    await this.#current();
  }

  /** Appends whole lines, each with its line feed. Rejects when they are not written; then no part of them is in the file. */
  async append(lines: string): Promise<void> {
    const bytes = Buffer.from(lines);
    let { file, size } = await this.#current();
    if (size > 0 && size + bytes.length > this.#limits.maxBytes) {
      await this.#rotate();
      ({ file, size } = await this.#current());
    }
    const isTorn = file.isChecked ? false : await hasIncompleteLine(file.handle, size);
    try {
      await file.handle.appendFile(isTorn ? Buffer.concat([LINE_FEED, bytes]) : bytes);
      file.isChecked = true;
    } catch (error) {
      file.isChecked = false;
      // A part may be written, for example before the device was full; the caller appends the lines again.
      await file.handle.truncate(size).catch(() => undefined);
      throw error;
    }
  }

  /** Closes the file. */
  async close(): Promise<void> {
    const file = this.#opened;
    this.#opened = undefined;
    await file?.handle.close();
  }

  /** Returns the open file, which is still the file of this name, and its size. */
  async #current(): Promise<{ file: OpenedFile; size: number }> {
    const known = this.#opened;
    if (known !== undefined) {
      const found = await stat(this.#file).catch(ignoreMissing);
      if (found?.ino === known.inode && found.dev === known.device)
        return { file: known, size: found.size };
      await this.close();
    }
    const handle = await this.#open();
    const { ino: inode, dev: device, size } = await handle.stat();
    const file: OpenedFile = { handle, inode, device, isChecked: false };
    this.#opened = file;
    return { file, size };
  }

  async #open(): Promise<FileHandle> {
    const handle = await openLineFile(this.#file, makeDirectory);
    if ((await handle.stat()).isFile()) return handle;
    await handle.close();
    throw new Error(`the file ${NOT_REGULAR}`);
  }

  /** Renames from the oldest to the newest: after an interruption no file is lost, and one number may be missing. */
  async #rotate(): Promise<void> {
    await this.close();
    const oldest = this.#limits.maxFiles - 1;
    if (oldest === 0) {
      await unlink(this.#file).catch(ignoreMissing);
      return;
    }
    for (let number = oldest; number > 0; number -= 1) {
      const from = number === 1 ? this.#file : this.#older(number - 1);
      await rename(from, this.#older(number)).catch(ignoreMissing);
    }
  }

  #older(number: number): string {
    return `${this.#file}.${String(number)}`;
  }
}
