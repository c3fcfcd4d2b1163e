import type { Workflow } from '@gateway/crd-schemas';
import { mkdir, open, readdir, realpath, unlink } from 'node:fs/promises';
import path from 'node:path';
import { ambiguousText } from '../files/ambiguous-text.ts';
import { errorCodeOf } from '../files/error-code.ts';
import { yamlBasename } from '../files/file-role.ts';
import { readTextFile } from '../files/read-text-file.ts';
import { RESOURCE_DIRECTORIES } from '../files/scan-directory.ts';
import { MAX_RESOURCE_FILES } from '../limits.ts';
import type { WorkflowWriteResult, WorkflowWriter } from '../workflow-writer.ts';
import { KeyedQueue } from '../writing/keyed-queue.ts';
import { removeLeftOvers } from '../writing/temporary-file.ts';
import { writeFailureText } from '../writing/write-failure.ts';
import { createWholeFile, replaceWholeFile, syncDirectory } from '../writing/write-whole-file.ts';
import { workflowText } from './workflow-text.ts';

/** What writing needs. */
export interface WorkflowFilesParts {
  readonly directory: string;
  readonly apiGroup?: string;
  /** Takes a file in as it is now. */
  readonly onWritten: (file: string) => Promise<void>;
}

const DIRECTORY = RESOURCE_DIRECTORIES.Workflow;
const OPTIONS = { mode: 0o666, isDurable: true } as const;
const DONE: WorkflowWriteResult = { kind: 'done' };
const EXISTS: WorkflowWriteResult = { kind: 'exists' };
const MISSING: WorkflowWriteResult = { kind: 'missing' };

const failed = (text: string): WorkflowWriteResult => ({ kind: 'failed', text });

const shown = (file: string): string => `${DIRECTORY}/${path.basename(file)}`;

/** What a directory has under a name. */
type Found =
  | { readonly kind: 'nothing'; readonly isFull: boolean }
  | { readonly kind: 'file'; readonly file: string }
  | { readonly kind: 'several'; readonly text: string };

type Before =
  | { readonly ok: true; readonly text?: string }
  | { readonly ok: false; readonly result: WorkflowWriteResult };

/** The files under `workflows/`, as somebody who writes them sees them. */
export class WorkflowFiles implements WorkflowWriter {
  readonly #parts: WorkflowFilesParts;
  readonly #directory: string;
  readonly #queue = new KeyedQueue();
  #isClosed = false;

  constructor(parts: WorkflowFilesParts) {
    this.#parts = parts;
    this.#directory = path.join(parts.directory, DIRECTORY);
  }

  readonly create = (workflow: Workflow): Promise<WorkflowWriteResult> =>
    this.#run(workflow.metadata.name, () => this.#create(workflow));

  readonly replace = (workflow: Workflow): Promise<WorkflowWriteResult> =>
    this.#run(workflow.metadata.name, () => this.#replace(workflow));

  readonly remove = (name: string): Promise<WorkflowWriteResult> =>
    this.#run(name, () => this.#remove(name));

  /** Refuses what comes from now on and waits for what is running. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#queue.idle();
  }

  async #run(name: string, task: () => Promise<WorkflowWriteResult>): Promise<WorkflowWriteResult> {
    if (this.#isClosed) return failed('the store is closed');
    try {
      return await this.#queue.run(name, task);
    } catch (error) {
      return failed(`cannot write to ${DIRECTORY}/: ${writeFailureText(error)}`);
    }
  }

  async #create(workflow: Workflow): Promise<WorkflowWriteResult> {
    // Reading the text back also checks the name, before there is a path with it.
    const made = workflowText({ ...this.#group(), workflow, bornAt: Date.now() });
    if (!made.ok) return refusedText(made.reason);
    const found = await this.#find(workflow.metadata.name);
    if (found.kind !== 'nothing') return EXISTS;
    if (found.isFull) {
      return failed(
        `${DIRECTORY}/ holds ${String(MAX_RESOURCE_FILES)} files, and no more are read`,
      );
    }
    const file = path.join(this.#directory, `${workflow.metadata.name}.yaml`);
    const task = async (): Promise<WorkflowWriteResult> => {
      await this.#makeDirectory();
      return (await createWholeFile(file, made.text, OPTIONS)) ? DONE : EXISTS;
    };
    return this.#attempt('write', file, task);
  }

  async #replace(workflow: Workflow): Promise<WorkflowWriteResult> {
    const found = await this.#find(workflow.metadata.name);
    if (found.kind === 'nothing') return MISSING;
    if (found.kind === 'several') return failed(found.text);
    const { file } = found;
    const before = await this.#read(file);
    if (!before.ok) return before.result;
    const { text } = before;
    const kept = text === undefined ? {} : { before: text };
    const made = workflowText({ ...this.#group(), workflow, ...kept });
    if (!made.ok) return refusedText(made.reason);
    const task = async (): Promise<WorkflowWriteResult> => {
      // A link stays, and what it leads to is replaced.
      const target = await realpath(file);
      await assertWritable(target);
      await removeLeftOvers(path.dirname(target));
      await replaceWholeFile(target, made.text, OPTIONS);
      return DONE;
    };
    return this.#attempt('write', file, () => task().catch(missingWhenGone));
  }

  async #remove(name: string): Promise<WorkflowWriteResult> {
    const found = await this.#find(name);
    if (found.kind === 'nothing') return MISSING;
    if (found.kind === 'several') return failed(found.text);
    const task = async (): Promise<WorkflowWriteResult> => {
      await unlink(found.file);
      await syncDirectory(this.#directory);
      return DONE;
    };
    return this.#attempt('delete', found.file, () => task().catch(missingWhenGone));
  }

  /** Looks among the names that are there, so that no name leads out of the directory. */
  async #find(name: string): Promise<Found> {
    const names = await readdir(this.#directory).catch(nothingWhenMissing);
    const resources = names.filter((file) => yamlBasename(file) !== undefined);
    const [first, ...others] = resources.filter((file) => yamlBasename(file) === name).sort();
    if (first === undefined) {
      return { kind: 'nothing', isFull: resources.length >= MAX_RESOURCE_FILES };
    }
    if (others.length === 0) return { kind: 'file', file: path.join(this.#directory, first) };
    return { kind: 'several', text: ambiguousText([first, ...others]) };
  }

  /** The text that is there; none when it is too broken to be kept. */
  async #read(file: string): Promise<Before> {
    let read = await readTextFile(file);
    for (let again = 0; read.kind === 'unsettled' && again < 5; again += 1) {
      read = await readTextFile(file);
    }
    switch (read.kind) {
      case 'text':
        return { ok: true, text: read.text };
      case 'refused':
        return { ok: true };
      case 'absent':
        return { ok: false, result: MISSING };
      case 'unsettled':
        return { ok: false, result: failed(`${shown(file)} is being written by somebody else`) };
      case 'failed':
        return { ok: false, result: failed(`${shown(file)} ${read.message}`) };
    }
  }

  /** The directory of workflows, but not the one that it is in: an unmounted one must not be replaced by an empty one. */
  async #makeDirectory(): Promise<void> {
    await mkdir(this.#directory).catch((error: unknown) => {
      if (errorCodeOf(error) !== 'EEXIST') throw error;
    });
    await removeLeftOvers(this.#directory);
  }

  async #attempt(
    verb: 'write' | 'delete',
    file: string,
    task: () => Promise<WorkflowWriteResult>,
  ): Promise<WorkflowWriteResult> {
    try {
      const result = await task();
      if (result.kind === 'done') await this.#parts.onWritten(file);
      return result;
    } catch (error) {
      return failed(`cannot ${verb} ${shown(file)}: ${writeFailureText(error)}`);
    }
  }

  #group(): { readonly apiGroup?: string } {
    const { apiGroup } = this.#parts;
    return apiGroup === undefined ? {} : { apiGroup };
  }
}

/** Replacing needs no permission to write to the file, but whoever took that away meant it. */
const assertWritable = async (file: string): Promise<void> => {
  await (await open(file, 'r+')).close();
};

const refusedText = (reason: string): WorkflowWriteResult =>
  failed(`the workflow cannot be written: ${reason}`);

/** Somebody else deleted it meanwhile. */
const missingWhenGone = (error: unknown): WorkflowWriteResult => {
  if (errorCodeOf(error) !== 'ENOENT') throw error;
  return MISSING;
};

const nothingWhenMissing = (error: unknown): readonly string[] => {
  if (errorCodeOf(error) !== 'ENOENT') throw error;
  return [];
};
