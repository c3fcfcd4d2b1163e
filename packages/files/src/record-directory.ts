import { mkdir, readdir, unlink } from 'node:fs/promises';
import path from 'node:path';
import { removeStaleTemporaryFiles, replaceFileAtomically } from './atomic-write.ts';
import { ignoreMissing, NOT_REGULAR } from './file-errors.ts';
import { KeyedQueue } from './file-lock.ts';
import { readTextFile } from './read-text-file.ts';

/** The maximum size of a record, in bytes. */
const MAX_RECORD_BYTES = 8_388_608;

/** Records may hold confidential arguments and results: only their owner may read them. */
const FILE_MODE = 0o600;
const DIRECTORY_MODE = 0o700;

const READ_OPTIONS = {
  maxBytes: MAX_RECORD_BYTES,
  refuseLinks: true,
  acceptReplaced: true,
} as const;

const RECORD_FILE = /^([A-Za-z0-9][A-Za-z0-9_-]{0,127})\.json$/;

/**
 * Stores texts of at most 8 MiB in the files `<id>.json` of a directory, which the first write creates. A write is atomic, also when the
 * process is killed. The last of several writes of one id wins. Other files of the directory are ignored. An id has 1 to 128 letters, digits,
 * `-` and `_`, and starts with a letter or digit. Reads and removals of any other id find nothing.
 */
export class RecordDirectory {
  readonly #directory: string;
  readonly #queue = new KeyedQueue();
  #cleaned: Promise<void> | undefined;

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** Returns every id, in no particular order. */
  readonly list = async (): Promise<readonly string[]> => {
    await this.#clean();
    const entries = await readdir(this.#directory, { withFileTypes: true }).catch(ignoreMissing);
    return (entries ?? []).flatMap((entry) => {
      const id = entry.isFile() ? RECORD_FILE.exec(entry.name)?.[1] : undefined;
      return id === undefined ? [] : [id];
    });
  };

  /** Returns the text; undefined when there is none under this id. */
  readonly read = async (id: string): Promise<string | undefined> => {
    const file = this.#toFile(id);
    if (file === undefined) return undefined;
    const result = await readTextFile(file, READ_OPTIONS);
    if (result.kind === 'failed' && result.message !== NOT_REGULAR) {
      throw new Error(`record ${id} ${result.message}`);
    }
    return result.kind === 'text' ? result.text : undefined;
  };

  /** Writes the text atomically. Rejects when it is not written. */
  readonly write = async (id: string, text: string): Promise<void> => {
    const file = this.#toFile(id);
    if (file === undefined) throw new RangeError('not an id that a record can have');
    if (Buffer.byteLength(text) > MAX_RECORD_BYTES) {
      throw new RangeError(`record ${id} is larger than ${String(MAX_RECORD_BYTES)} bytes`);
    }
    await this.#queue.run(id, () => this.#writeFile(file, text));
  };

  /** Removes the text if it exists. */
  readonly remove = async (id: string): Promise<void> => {
    const file = this.#toFile(id);
    if (file === undefined) return;
    await this.#queue.run(id, () => unlink(file).catch(ignoreMissing));
  };

  #toFile(id: string): string | undefined {
    const name = `${id}.json`;
    return RECORD_FILE.test(name) ? path.join(this.#directory, name) : undefined;
  }

  async #writeFile(file: string, text: string): Promise<void> {
    await this.#clean();
    // Losing the last record in a power failure costs less than a sync after every run.
    const options = { mode: FILE_MODE, isDurable: false };
    try {
      await replaceFileAtomically(file, text, options);
    } catch (error) {
      ignoreMissing(error);
      await mkdir(this.#directory, { recursive: true, mode: DIRECTORY_MODE });
      await replaceFileAtomically(file, text, options);
    }
  }

  #clean(): Promise<void> {
    this.#cleaned ??= removeStaleTemporaryFiles(this.#directory);
    return this.#cleaned;
  }
}
