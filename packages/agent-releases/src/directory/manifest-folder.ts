import { readdirSync, statSync } from 'node:fs';
import { DirectoryWatch, readErrorCode, drainPendingReports } from '@gateway/files';
import type { KubernetesObject, Stored } from '../store/agent-store.ts';
import {
  COMPARE_MS,
  FEW_FILES,
  toManifestFileName,
  FILES_AT_ONCE,
  FILES_PER_ITERATION,
  FULL_QUEUE,
  isYamlFile,
  MAX_FILES,
  MAX_REPORTED_FILES,
  parseManifestFileName,
  READ_DELAY_MS,
} from './layout.ts';
import {
  type ManifestEntry,
  type FolderLocation,
  type IndexListeners,
  ManifestIndex,
  ManifestReader,
  type ReadMode,
} from './manifest-reader.ts';

/**
 * Counts the reports of the system per event loop iteration, for all folders of a store. The kernel has one queue, which is read once per
 * iteration and drops further reports silently.
 */
export class FolderReports {
  /** The number of times the queue may have been full. */
  overflows = 0;
  #inIteration = 0;

  count(): void {
    this.#inIteration += 1;
    if (this.#inIteration === FULL_QUEUE) this.overflows += 1;
    if (this.#inIteration > 1) return;
    setImmediate(() => {
      this.#inIteration = 0;
    });
  }
}

/** The location of a folder and its listeners. */
interface FolderParts extends FolderLocation, IndexListeners {
  readonly reports: FolderReports;
}

/** A value that was read from a folder, or the reason why it cannot be read. */
type FolderAnswer<T> =
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
 * Returns the current objects of one folder, whichever process wrote them. Only changed files are read: those that the system reports or,
 * without reports, those with another fingerprint.
 */
export class ManifestFolder {
  readonly reader: ManifestReader;
  readonly index: ManifestIndex;
  readonly #parts: FolderParts;
  readonly #watch: DirectoryWatch;
  /** Files that must be read before their objects are returned. */
  readonly #changed = new Set<string>();
  readonly #reading = new Map<string, Promise<void>>();
  readonly #reported = new Set<string>();
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

  /** Returns the objects sorted by name; for an invalid file its last valid version, if any. */
  async list(): Promise<FolderAnswer<readonly Stored<KubernetesObject>[]>> {
    const problem = await this.#take(() => {
      this.#compareIfDue();
      return [...this.#changed, ...this.#reading.keys()];
    });
    if (problem !== undefined) return { ok: false, problem };
    return { ok: true, value: this.index.listSorted() };
  }

  /** Returns the state of one file; undefined when it is missing. */
  async get(name: string): Promise<FolderAnswer<ManifestEntry | undefined>> {
    const problem = await this.#take((isReported) => {
      if (!isReported || this.#isCompareDue()) this.#compareOne(name, true);
      return [name];
    });
    return problem === undefined
      ? { ok: true, value: this.index.get(name) }
      : { ok: false, problem };
  }

  /** Marks a file that this process wrote or deleted as changed. */
  markChanged(name: string): void {
    this.#changed.add(name);
    this.#readSoon();
  }

  /** Stops and waits for the running reads. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#watch.close();
    while (this.#reading.size > 0) await Promise.all(this.#reading.values());
  }

  /** Reads those of the given files that have changed. Returns the problem when the folder cannot be read. */
  async #take(names: (isReported: boolean) => readonly string[]): Promise<string | undefined> {
    await drainPendingReports();
    try {
      const { exists, isReported, isNew } = this.#watch.follow();
      if (!exists) this.#assertRoot();
      if (isNew || !isReported) this.#compared = NEVER;
      const left = [...new Set(names(isReported))];
      const mode = left.length <= FEW_FILES ? 'blocking' : 'yielding';
      const workers = Array.from({ length: Math.min(FILES_AT_ONCE, left.length) }, async () => {
        for (let name = left.pop(); name !== undefined; name = left.pop())
          await this.#settle(name, mode);
      });
      await Promise.all(workers);
      return undefined;
    } catch (error) {
      const code = readErrorCode(error);
      return `${this.reader.formatPath('')} cannot be read: ${REASONS.get(code) ?? code}`;
    }
  }

  /** A missing folder is empty, but a missing root is an error: its disk may not be mounted. */
  #assertRoot(): void {
    statSync(this.#parts.root);
  }

  /** Marks a reported file as changed. Lost reports are found by comparison. */
  #onReport(fileName: string | undefined): void {
    this.#parts.reports.count();
    const name = fileName === undefined ? undefined : parseManifestFileName(fileName);
    if (fileName === undefined) this.#compared = NEVER;
    else if (name !== undefined) this.#changed.add(name);
    else this.#report(fileName);
    this.#readSoon();
  }

  /** Schedules a read, so that watchers are notified and the next request does not wait. */
  #readSoon(): void {
    if (this.#isClosed) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.list();
    }, READ_DELAY_MS).unref();
  }

  /** Returns whether reports may have been lost. */
  #isCompareDue(): boolean {
    return this.#compared.overflows !== this.#parts.reports.overflows;
  }

  #compareIfDue(): void {
    if (this.#isCompareDue()) this.#compare();
    else if (performance.now() - this.#compared.at > COMPARE_MS) {
      // Unreported changes are rare: a write through another link of the file, or through mapped memory.
      this.#compared = { ...this.#compared, at: performance.now() };
      setImmediate(() => {
        this.#compareInTurns();
      });
    }
  }

  /** Compares some files per event loop iteration. @param left the remaining files; all when undefined */
  #compareInTurns(left?: string[]): void {
    if (this.#isClosed) return;
    try {
      const names = left ?? [...this.#namesToCompare()];
      for (const name of names.splice(-FILES_PER_ITERATION)) this.#compareOne(name, false);
      if (names.length > 0)
        setImmediate(() => {
          this.#compareInTurns(names);
        });
    } catch {
      // The next request reports the error.
    }
    if (this.#changed.size > 0) this.#readSoon();
  }

  /** Compares every file, and marks those whose fingerprint may be ambiguous as changed. */
  #compare(): void {
    this.#compared = { at: performance.now(), overflows: this.#parts.reports.overflows };
    for (const name of this.#namesToCompare()) this.#compareOne(name, true);
  }

  /** Returns the names of existing files. Marks deleted files as changed and reports misnamed files. */
  #namesToCompare(): ReadonlySet<string> {
    const names = new Set<string>();
    for (const fileName of this.#fileNames()) {
      const name = parseManifestFileName(fileName);
      if (name === undefined) this.#report(fileName);
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
      if (readErrorCode(error) !== 'ENOENT') throw error;
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

  /** Resolves when the state of a file is not older than this call. */
  async #settle(name: string, mode: ReadMode): Promise<void> {
    // A running read may have started before the change.
    await this.#reading.get(name);
    if (this.#changed.has(name) && !this.#reading.has(name)) {
      this.#changed.delete(name);
      this.#reading.set(name, this.#read(name, mode));
    }
    await this.#reading.get(name);
  }

  async #read(name: string, mode: ReadMode): Promise<void> {
    const entry = await this.reader
      .read(name, this.index.get(name), mode)
      .finally(() => this.#reading.delete(name));
    if (entry === undefined) this.index.delete(name);
    else this.index.set(name, entry);
    // The read failed, so that it is tried again.
    if (entry?.problem !== undefined && entry.look === undefined) this.#changed.add(name);
  }

  #report(fileName: string): void {
    if (!isYamlFile(fileName) || this.#reported.has(fileName)) return;
    if (this.#reported.size >= MAX_REPORTED_FILES) return;
    this.#reported.add(fileName);
    const { kind, onWarning } = this.#parts;
    const like = this.reader.formatPath(toManifestFileName('<name>'));
    onWarning(
      `${this.reader.formatPath(fileName)} is not read: a ${kind.kind} is in a file ${like}`,
    );
  }
}
