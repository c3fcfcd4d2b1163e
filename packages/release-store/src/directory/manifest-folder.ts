import { readdirSync, statSync } from 'node:fs';
import type { KubernetesObject, Stored } from '@gateway/agent-releases';
import { DirectoryWatch, errorCodeOf, pendingReportsDelivered } from '@gateway/durable-files';
import { fileNameOf, isYamlFile, nameOfFile } from './file-name.ts';
import type { FolderReports } from './folder-reports.ts';
import {
  COMPARE_MS,
  FEW_FILES,
  FILES_AT_ONCE,
  FILES_OF_A_TURN,
  MAX_FILES,
  MAX_TOLD_FILES,
  TAKE_IN_MS,
} from './limits.ts';
import { ManifestIndex, type Entry, type IndexListeners } from './manifest-index.ts';
import { ManifestReader, type FolderPlace, type Turns } from './manifest-reader.ts';

/** Which folder, and who is told. */
export interface FolderParts extends FolderPlace, IndexListeners {
  readonly reports: FolderReports;
}

/** What a folder holds, or why it cannot be read, as a sentence. */
export type FolderAnswer<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problem: string };

const REASONS: ReadonlyMap<string, string> = new Map([
  ['EACCES', 'permission denied'],
  ['EPERM', 'permission denied'],
  ['ENOTDIR', 'it is not a directory'],
  ['EMFILE', 'too many files are open'],
  ['ENFILE', 'too many files are open'],
  ['ENOENT', 'the directory of releases does not exist'],
]);

interface Comparison {
  readonly at: number;
  readonly overflows: number;
}

const NEVER: Comparison = { at: -Infinity, overflows: -1 };

/**
 * The objects of one folder, as they are when they are asked for, whoever wrote them: files that changed are read, others are known. Which
 * changed is what the system reports, or where it does not report, how each file looks from outside.
 */
export class ManifestFolder {
  readonly reader: ManifestReader;
  readonly index: ManifestIndex;
  readonly #parts: FolderParts;
  readonly #watch: DirectoryWatch;
  /** Files that are to be read before anybody is told what is in them. */
  readonly #changed = new Set<string>();
  readonly #reading = new Map<string, Promise<void>>();
  readonly #told = new Set<string>();
  #compared: Comparison = NEVER;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(parts: FolderParts) {
    this.#parts = parts;
    this.reader = new ManifestReader(parts);
    this.index = new ManifestIndex(parts);
    this.#watch = new DirectoryWatch(this.reader.directory, (fileName) => {
      this.#onReport(fileName);
    });
  }

  /** Objects sorted by name; of a broken file its last good version, if there is one. */
  async list(): Promise<FolderAnswer<readonly Stored<KubernetesObject>[]>> {
    const problem = await this.#take(() => {
      this.#compareIfDue();
      return [...this.#changed, ...this.#reading.keys()];
    });
    if (problem !== undefined) return { ok: false, problem };
    return { ok: true, value: this.index.sorted() };
  }

  /** What is known of one file; undefined when there is none. */
  async get(name: string): Promise<FolderAnswer<Entry | undefined>> {
    const problem = await this.#take((isReported) => {
      if (!isReported || this.#isCompareDue()) this.#compareOne(name, true);
      return [name];
    });
    return problem === undefined
      ? { ok: true, value: this.index.get(name) }
      : { ok: false, problem };
  }

  /** Takes note of a file that this process wrote or deleted. */
  touched(name: string): void {
    this.#changed.add(name);
    this.#takeInSoon();
  }

  /** Waits for what is being read, and leaves nothing behind. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#watch.close();
    while (this.#reading.size > 0) await Promise.all(this.#reading.values());
  }

  /** Looks, and reads what is to be read of these files. @returns what keeps the folder from being read */
  async #take(names: (isReported: boolean) => readonly string[]): Promise<string | undefined> {
    await pendingReportsDelivered();
    try {
      const { exists, isReported, isNew } = this.#watch.follow();
      if (!exists) this.#assertRoot();
      if (isNew || !isReported) this.#compared = NEVER;
      const left = [...new Set(names(isReported))];
      const turns = left.length <= FEW_FILES ? 'mine' : 'others';
      const workers = Array.from({ length: Math.min(FILES_AT_ONCE, left.length) }, async () => {
        for (let name = left.pop(); name !== undefined; name = left.pop())
          await this.#settle(name, turns);
      });
      await Promise.all(workers);
      return undefined;
    } catch (error) {
      const code = errorCodeOf(error);
      return `${this.reader.shown('')} cannot be read: ${REASONS.get(code) ?? code}`;
    }
  }

  /** A folder that is not there holds nothing, unless the disk is gone that it is on. */
  #assertRoot(): void {
    statSync(this.#parts.root);
  }

  /** What is reported of the directory names the file; what is dropped, or is not reported, is found by looking. */
  #onReport(fileName: string | undefined): void {
    this.#parts.reports.count();
    const name = fileName === undefined ? undefined : nameOfFile(fileName);
    if (fileName === undefined) this.#compared = NEVER;
    else if (name !== undefined) this.#changed.add(name);
    else this.#tell(fileName);
    this.#takeInSoon();
  }

  /** So that those who watch are told, and who asks next does not wait. */
  #takeInSoon(): void {
    if (this.#isClosed) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.list();
    }, TAKE_IN_MS).unref();
  }

  /** What is known may be less than what is there. */
  #isCompareDue(): boolean {
    return this.#compared.overflows !== this.#parts.reports.overflows;
  }

  #compareIfDue(): void {
    if (this.#isCompareDue()) this.#compare();
    else if (performance.now() - this.#compared.at > COMPARE_MS) {
      // What no system reports is rare: writing through another name of the file, or through memory.
      this.#compared = { ...this.#compared, at: performance.now() };
      setImmediate(() => {
        this.#compareInTurns();
      });
    }
  }

  /** Looks at some files in each turn, so that nobody waits for thousands. @param left `undefined`: all of them */
  #compareInTurns(left?: string[]): void {
    if (this.#isClosed) return;
    try {
      const names = left ?? [...this.#namesToCompare()];
      for (const name of names.splice(-FILES_OF_A_TURN)) this.#compareOne(name, false);
      if (names.length > 0)
        setImmediate(() => {
          this.#compareInTurns(names);
        });
    } catch {
      // Who asks next is told.
    }
    if (this.#changed.size > 0) this.#takeInSoon();
  }

  /** Looks at every file, and reads those again that may look like another version of theirs. */
  #compare(): void {
    this.#compared = { at: performance.now(), overflows: this.#parts.reports.overflows };
    for (const name of this.#namesToCompare()) this.#compareOne(name, true);
  }

  /** The files that are there. Those that are no longer are to be read, and those of another name are told of. */
  #namesToCompare(): ReadonlySet<string> {
    const names = new Set<string>();
    for (const fileName of this.#fileNames()) {
      const name = nameOfFile(fileName);
      if (name === undefined) this.#tell(fileName);
      else names.add(name);
    }
    for (const name of this.index.names) if (!names.has(name)) this.#changed.add(name);
    return names;
  }

  #fileNames(): readonly string[] {
    try {
      const names = readdirSync(this.reader.directory).sort();
      return names.slice(0, MAX_FILES);
    } catch (error) {
      if (errorCodeOf(error) !== 'ENOENT') throw error;
      return [];
    }
  }

  #compareOne(name: string, isStrict: boolean): void {
    const entry = this.index.get(name);
    const look = this.reader.look(name);
    const isSame = entry?.look?.fingerprint === look?.fingerprint;
    const mayDiffer = look === undefined ? entry !== undefined : isStrict && entry?.look?.isYoung;
    if (!isSame || mayDiffer === true) this.#changed.add(name);
  }

  /** Until what is known of a file is not older than now. */
  async #settle(name: string, turns: Turns): Promise<void> {
    // What is being read may have been asked for before it changed.
    await this.#reading.get(name);
    if (this.#changed.has(name) && !this.#reading.has(name)) {
      this.#changed.delete(name);
      this.#reading.set(name, this.#read(name, turns));
    }
    await this.#reading.get(name);
  }

  async #read(name: string, turns: Turns): Promise<void> {
    const entry = await this.reader
      .read(name, this.index.get(name), turns)
      .finally(() => this.#reading.delete(name));
    if (entry === undefined) this.index.delete(name);
    else this.index.set(name, entry);
    // It could not be read this time.
    if (entry?.problem !== undefined && entry.look === undefined) this.#changed.add(name);
  }

  #tell(fileName: string): void {
    if (!isYamlFile(fileName) || this.#told.has(fileName)) return;
    if (this.#told.size >= MAX_TOLD_FILES) return;
    this.#told.add(fileName);
    const { kind, onWarning } = this.#parts;
    const like = this.reader.shown(fileNameOf('<name>'));
    onWarning(`${this.reader.shown(fileName)} is not read: a ${kind.kind} is in a file ${like}`);
  }
}
