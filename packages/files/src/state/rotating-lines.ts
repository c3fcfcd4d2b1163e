import { rename, stat, unlink, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { NOT_REGULAR } from '../failures/error-code.ts';
import { ignoreMissing } from '../failures/ignore-error.ts';
import { makeDirectory } from '../writing/make-directory.ts';
import { endsInsideLine, openLineFile } from './line-file.ts';

/** The bounds of a file and of its older versions. */
export interface RotationLimits {
  /** The size that a file does not exceed, in bytes, unless one append is larger. */
  readonly maxBytes: number;
  /** The maximum number of files, the current one included; the oldest are deleted. */
  readonly maxFiles: number;
}

const NEWLINE = Buffer.from('\n');

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
    const isTorn = file.isChecked ? false : await endsInsideLine(file.handle, size);
    try {
      await file.handle.appendFile(isTorn ? Buffer.concat([NEWLINE, bytes]) : bytes);
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
