import { mkdir, readdir, unlink } from 'node:fs/promises';
import path from 'node:path';
import { errorCodeOf, NOT_REGULAR } from './files/error-code.ts';
import { readTextFile } from './files/read-text-file.ts';
import { MAX_RECORD_BYTES } from './limits.ts';
import type { RecordBlobs } from './record-blobs.ts';
import { KeyedQueue } from './writing/keyed-queue.ts';
import { removeLeftOvers } from './writing/temporary-file.ts';
import { replaceWholeFile } from './writing/write-whole-file.ts';

/** Records hold what was said to tools and what these answered: nobody else's to read. */
const FILE_MODE = 0o600;
const DIRECTORY_MODE = 0o700;

const READING = { maxBytes: MAX_RECORD_BYTES, refuseLinks: true, takeReplaced: true } as const;

const RECORD_FILE = /^([A-Za-z0-9][A-Za-z0-9_-]{0,127})\.json$/;

const nothingWhenMissing = (error: unknown): void => {
  if (errorCodeOf(error) !== 'ENOENT') throw error;
};

/** A directory of `<id>.json` files. */
class RecordDirectory implements RecordBlobs {
  readonly #directory: string;
  readonly #queue = new KeyedQueue();
  #tidied: Promise<void> | undefined;

  constructor(directory: string) {
    this.#directory = directory;
  }

  readonly list = async (): Promise<readonly string[]> => {
    await this.#tidy();
    try {
      const entries = await readdir(this.#directory, { withFileTypes: true });
      return entries.flatMap((entry) => {
        const id = entry.isFile() ? RECORD_FILE.exec(entry.name)?.[1] : undefined;
        return id === undefined ? [] : [id];
      });
    } catch (error) {
      nothingWhenMissing(error);
      return [];
    }
  };

  readonly read = async (id: string): Promise<string | undefined> => {
    const file = this.#fileOf(id);
    if (file === undefined) return undefined;
    const read = await readTextFile(file, READING);
    if (read.kind === 'failed' && read.message !== NOT_REGULAR) {
      throw new Error(`record ${id} ${read.message}`);
    }
    return read.kind === 'text' ? read.text : undefined;
  };

  readonly write = async (id: string, text: string): Promise<void> => {
    const file = this.#fileOf(id);
    if (file === undefined) throw new RangeError('not an id that a record can have');
    if (Buffer.byteLength(text) > MAX_RECORD_BYTES) {
      throw new RangeError(`record ${id} is larger than ${String(MAX_RECORD_BYTES)} bytes`);
    }
    await this.#queue.run(id, () => this.#writeFile(file, text));
  };

  readonly remove = async (id: string): Promise<void> => {
    const file = this.#fileOf(id);
    if (file === undefined) return;
    await this.#queue.run(id, () => unlink(file).catch(nothingWhenMissing));
  };

  #fileOf(id: string): string | undefined {
    const name = `${id}.json`;
    return RECORD_FILE.test(name) ? path.join(this.#directory, name) : undefined;
  }

  async #writeFile(file: string, text: string): Promise<void> {
    await this.#tidy();
    // Losing the last record to a power cut costs less than waiting for the disk after every run.
    const options = { mode: FILE_MODE, isDurable: false };
    try {
      await replaceWholeFile(file, text, options);
    } catch (error) {
      nothingWhenMissing(error);
      await mkdir(this.#directory, { recursive: true, mode: DIRECTORY_MODE });
      await replaceWholeFile(file, text, options);
    }
  }

  #tidy(): Promise<void> {
    this.#tidied ??= removeLeftOvers(this.#directory);
    return this.#tidied;
  }
}

/**
 * Keeps texts in the files `<id>.json` of a directory, which the first write creates. A text is there whole or not at
 * all, also after the process was killed; other files of the directory are left alone. Of several writes of one id the
 * last one stays. A text has at most 8 MiB.
 */
export const openRecordDirectory = (directory: string): RecordBlobs =>
  new RecordDirectory(directory);
