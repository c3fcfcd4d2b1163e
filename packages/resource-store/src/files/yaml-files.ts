import type { WriteOutcome } from '@gateway/call-contract';
import type { StoredSecret } from '@gateway/client-config';
import { open, readdir, realpath, unlink } from 'node:fs/promises';
import path from 'node:path';
import {
  createFileAtomically,
  ignoreMissing,
  KeyedQueue,
  makeDirectory,
  readSettledText,
  readTextFile,
  readTextFileSync,
  removeStaleTemporaryFiles,
  replaceFileIfUnchanged,
  returnOn,
  syncDirectory,
  formatWriteFailure,
} from '@gateway/files';
import { formatAmbiguousFiles } from './directory-tracker.ts';
import { MAX_RESOURCE_FILES, parseYamlBasename } from './scan-directory.ts';
import { removeSecretFiles, writeSecretFiles } from './secret-files.ts';

/** The existing text of a file, or the reason why the file has no usable text. */
export type CurrentText =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'unusable'; readonly reason: string };

/** The permissions of a new file, and that a write survives a power failure. */
const WRITE_OPTIONS = { mode: 0o666, isDurable: true } as const;

/** Another process changed or deleted the file after it was read; nothing was written. */
const CHANGED = Symbol('changed');

/** Rejects for a read-only file. A rename does not need write permission on the file, but a read-only file must not be replaced. */
const ensureWritable = async (file: string): Promise<void> => {
  await (await open(file, 'r+')).close();
};

const isStill = (before: CurrentText, file: string): boolean => {
  const now = readTextFileSync(file);
  return before.kind === 'text'
    ? now.kind === 'text' && now.text === before.text
    : now.kind === 'refused';
};

/** Replaces the text of a file that is as it was read. A link stays; its target is replaced. */
const replaceText = async (
  file: string,
  before: CurrentText,
  text: string,
): Promise<'replaced' | typeof CHANGED> => {
  const target = await realpath(file);
  await ensureWritable(target);
  await removeStaleTemporaryFiles(path.dirname(target));
  const isUnchanged = (): boolean => isStill(before, target);
  const isReplaced = await replaceFileIfUnchanged(target, text, { ...WRITE_OPTIONS, isUnchanged });
  return isReplaced ? 'replaced' : CHANGED;
};

/** The directory of the files, and the listener of writes. */
export interface YamlFilesParts {
  /** The configuration directory. */
  readonly root: string;
  /** The folder inside the configuration directory; the configuration directory itself when absent. */
  readonly folder?: string;
  /** Reads a written file into the current state. */
  readonly onWritten: (file: string) => Promise<void>;
}

/** The text to write, or the result without a write. */
export type TextOutcome<Refusal> =
  | {
      readonly ok: true;
      readonly text: string;
      /** Values of the Secret of the resource that the text refers to. They are written first. */
      readonly secrets?: readonly StoredSecret[];
    }
  | { readonly ok: false; readonly result: Refusal | WriteOutcome };

type TextSecrets = readonly StoredSecret[] | undefined;

/** The files of one name in a directory. */
type Found =
  | { readonly kind: 'nothing'; readonly isFull: boolean }
  | { readonly kind: 'file'; readonly file: string }
  | { readonly kind: 'several'; readonly text: string };

type Read =
  | { readonly ok: true; readonly before: CurrentText }
  | { readonly ok: false; readonly result: WriteOutcome };

const SETTLE = { attempts: 6, pauseMs: 2 };
const DONE: WriteOutcome = { kind: 'done' };
const EXISTS: WriteOutcome = { kind: 'exists' };
/** How often a change is made again, because another process wrote the file at the same time. */
const MAX_CHANGES = 50;
/** The result for a resource that does not exist. */
export const MISSING: WriteOutcome = { kind: 'missing' };

export const createWriteFailure = (text: string): Extract<WriteOutcome, { kind: 'failed' }> => ({
  kind: 'failed',
  text,
});

/** Writes the YAML files of one directory. Files are replaced as a whole; writes of one name run one after the other. */
export class YamlFiles {
  readonly #parts: YamlFilesParts;
  readonly #directory: string;
  readonly #prefix: string;
  readonly #queue = new KeyedQueue();
  #isClosed = false;

  constructor(parts: YamlFilesParts) {
    const { root, folder } = parts;
    this.#parts = parts;
    this.#directory = folder === undefined ? root : path.join(root, folder);
    this.#prefix = folder === undefined ? '' : `${folder}/`;
  }

  /** Creates a file; never replaces one. */
  create<R>(name: string, make: () => TextOutcome<R>): Promise<R | WriteOutcome> {
    return this.#run(name, () => this.#create(name, make));
  }

  /** Replaces the text of a file; an equal text is not written. */
  replace<R>(
    name: string,
    make: (before: CurrentText) => TextOutcome<R>,
  ): Promise<R | WriteOutcome> {
    return this.#run(name, () => this.#replace(name, make));
  }

  /** Deletes the file of this name; with `isOwner` also the Secret of the resource. */
  remove(name: string, { isOwner = false } = {}): Promise<WriteOutcome> {
    return this.#run(name, async () => {
      const removed = await this.#remove(name);
      if (!isOwner || removed.kind !== 'done') return removed;
      const problem = await removeSecretFiles({ directory: this.#parts.root, name });
      return problem === undefined
        ? removed
        : createWriteFailure(`${this.#prefix}${name} is deleted, but not its secrets: ${problem}`);
    });
  }

  /** Refuses further writes and waits for the running ones. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#queue.idle();
  }

  async #run<R>(name: string, task: () => Promise<R | WriteOutcome>): Promise<R | WriteOutcome> {
    if (this.#isClosed) return createWriteFailure('the store is closed');
    try {
      return await this.#queue.run(name, task);
    } catch (error) {
      const { folder } = this.#parts;
      const reason = formatWriteFailure(error);
      return createWriteFailure(
        folder === undefined
          ? `cannot write to the configuration directory: ${reason}`
          : `cannot write to ${folder}/: ${reason}`,
      );
    }
  }

  async #create<R>(name: string, make: () => TextOutcome<R>): Promise<R | WriteOutcome> {
    // Reading the text back also checks the name, before there is a path with it.
    const made = make();
    if (!made.ok) return made.result;
    const found = await this.#find(name);
    if (found.kind !== 'nothing') return EXISTS;
    if (found.isFull) {
      const count = String(MAX_RESOURCE_FILES);
      return createWriteFailure(`${this.#prefix} holds ${count} files, and no more are read`);
    }
    const file = path.join(this.#directory, `${name}.yaml`);
    return this.#attempt('write', file, () =>
      this.#withSecrets(name, { secrets: made.secrets, isNew: true }, async () => {
        await this.#makeDirectory();
        return (await createFileAtomically(file, made.text, WRITE_OPTIONS)) ? DONE : EXISTS;
      }),
    );
  }

  /** Writes secrets, then what refers to them. Restores the secrets when that is not written. */
  async #withSecrets<T extends WriteOutcome | typeof CHANGED>(
    name: string,
    { secrets = [], isNew }: { readonly secrets: TextSecrets; readonly isNew: boolean },
    write: () => Promise<T>,
  ): Promise<T | WriteOutcome> {
    const written = await writeSecretFiles(this.#parts.root, name, secrets, { isNew });
    if (!written.ok) return createWriteFailure(written.text);
    let isWritten = false;
    try {
      const result = await write();
      isWritten = result === DONE;
      return result;
    } finally {
      if (!isWritten) await written.undo();
    }
  }

  /** Makes the text again from what another process wrote meanwhile, so that neither change is lost. */
  async #replace<R>(
    name: string,
    make: (before: CurrentText) => TextOutcome<R>,
  ): Promise<R | WriteOutcome> {
    for (let attempt = 1; attempt <= MAX_CHANGES; attempt += 1) {
      const result = await this.#replaceOnce(name, make);
      if (result !== CHANGED) return result;
    }
    return createWriteFailure(`${this.#prefix}${name} is being written by another process`);
  }

  async #replaceOnce<R>(
    name: string,
    make: (before: CurrentText) => TextOutcome<R>,
  ): Promise<R | WriteOutcome | typeof CHANGED> {
    const found = await this.#find(name);
    if (found.kind === 'nothing') return MISSING;
    if (found.kind === 'several') return createWriteFailure(found.text);
    const { file } = found;
    const read = await this.#read(file);
    if (!read.ok) return read.result;
    const { before } = read;
    const made = make(before);
    if (!made.ok) return made.result;
    return this.#attempt('write', file, () =>
      this.#withSecrets(name, { secrets: made.secrets, isNew: false }, () =>
        before.kind === 'text' && before.text === made.text
          ? Promise.resolve(DONE)
          : replaceText(file, before, made.text)
              .then((outcome) => (outcome === CHANGED ? CHANGED : DONE))
              .catch(missingWhenGone),
      ),
    );
  }

  async #remove(name: string): Promise<WriteOutcome> {
    const found = await this.#find(name);
    if (found.kind === 'nothing') return MISSING;
    if (found.kind === 'several') return createWriteFailure(found.text);
    const task = async (): Promise<WriteOutcome> => {
      await unlink(found.file);
      await syncDirectory(this.#directory);
      return DONE;
    };
    return this.#attempt('delete', found.file, () => task().catch(missingWhenGone));
  }

  /** Finds the files of a name in the listing, so that no name leaves the directory. */
  async #find(name: string): Promise<Found> {
    const names = (await readdir(this.#directory).catch(ignoreMissing)) ?? [];
    const resources = names.filter((file) => parseYamlBasename(file) !== undefined);
    const [first, ...others] = resources.filter((file) => parseYamlBasename(file) === name).sort();
    if (first === undefined) {
      return { kind: 'nothing', isFull: resources.length >= MAX_RESOURCE_FILES };
    }
    if (others.length === 0) return { kind: 'file', file: path.join(this.#directory, first) };
    return { kind: 'several', text: formatAmbiguousFiles([first, ...others]) };
  }

  async #read(file: string): Promise<Read> {
    const read = await readSettledText(
      () => readTextFile(file, { within: this.#parts.root }),
      SETTLE,
    );
    switch (read.kind) {
      case 'text':
        return { ok: true, before: { kind: 'text', text: read.text } };
      case 'refused':
        return { ok: true, before: { kind: 'unusable', reason: read.message } };
      case 'absent':
        return { ok: false, result: MISSING };
      case 'unsettled':
        return {
          ok: false,
          result: createWriteFailure(
            `${this.#formatPath(file)} is being written by another process`,
          ),
        };
      case 'failed':
        return {
          ok: false,
          result: createWriteFailure(`${this.#formatPath(file)} ${read.message}`),
        };
    }
  }

  /** Creates the folder, never the configuration directory: an unmounted one must not be replaced by an empty one. */
  async #makeDirectory(): Promise<void> {
    if (this.#prefix !== '') {
      await makeDirectory(this.#directory);
    }
    await removeStaleTemporaryFiles(this.#directory);
  }

  async #attempt<T extends WriteOutcome | typeof CHANGED>(
    verb: 'write' | 'delete',
    file: string,
    task: () => Promise<T>,
  ): Promise<T | WriteOutcome> {
    try {
      const result = await task();
      if (result !== CHANGED && result.kind === 'done') await this.#parts.onWritten(file);
      return result;
    } catch (error) {
      return createWriteFailure(
        `cannot ${verb} ${this.#formatPath(file)}: ${formatWriteFailure(error)}`,
      );
    }
  }

  #formatPath(file: string): string {
    return this.#prefix + path.basename(file);
  }
}

/** Handles that another process deleted the file meanwhile. */
const missingWhenGone = returnOn('ENOENT', MISSING);
