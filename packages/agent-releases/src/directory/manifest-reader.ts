import { createHash } from 'node:crypto';
import { lstatSync } from 'node:fs';
import path from 'node:path';
import {
  toFingerprint,
  readSettledText,
  readTextFile,
  readTextFileSync,
  type ReadTextResult,
  rewriteYaml,
} from '@gateway/files';
import type { KubernetesObject, Stored } from '../store/agent-store.ts';
import {
  AMBIGUOUS_AGE_MS,
  toManifestFileName,
  type ManifestKind,
  MAX_CACHED_WRITES,
  MAX_FILE_BYTES,
} from './layout.ts';
import { freezePlainData, readManifest } from './read-manifest.ts';

/** Returns the revision of a text: equal texts have equal revisions. */
export const computeRevision = (text: string): string =>
  createHash('sha256').update(text).digest('hex').slice(0, 32);

const FIRST_KEYS = ['apiVersion', 'kind', 'metadata', 'spec', 'status'];
const FIRST_METADATA_KEYS = ['name', 'namespace', 'labels', 'annotations'];

const sortKeys = (value: object, first: readonly string[]): object => {
  const entries = Object.entries(value) as (readonly [string, unknown])[];
  const keys = new Map(entries);
  const known = first.filter((key) => keys.has(key));
  return Object.fromEntries([
    ...known.map((key) => [key, keys.get(key)] as const),
    ...entries.filter(([key]) => !first.includes(key)),
  ]);
};

/** Returns a copy with only the values that JSON can represent. */
export const toPlainObject = (object: KubernetesObject): KubernetesObject =>
  JSON.parse(JSON.stringify(object)) as KubernetesObject;

/** Returns the object with the usual keys of a manifest first, then the others in their order. */
export const toOrderedManifest = (object: KubernetesObject): KubernetesObject =>
  sortKeys(
    { ...object, metadata: sortKeys(object.metadata, FIRST_METADATA_KEYS) },
    FIRST_KEYS,
  ) as KubernetesObject;

/** Returns the text with the content of the object; undefined when it exceeds the bounds of a file. */
export const renderManifestFile = (before: string, object: object): string | undefined => {
  const text = rewriteYaml(before, object as Readonly<Record<string, unknown>>);
  return text === undefined || Buffer.byteLength(text) > MAX_FILE_BYTES ? undefined : text;
};

/** The fingerprint of a file, and whether a later version may have the same fingerprint. */
interface FileFingerprint {
  readonly fingerprint: string;
  readonly isYoung: boolean;
}

/** The known state of one file. */
export interface ManifestEntry {
  /** The fingerprint of the file when it was read. */
  readonly look: FileFingerprint | undefined;
  /** The revision of the text; undefined when the text could not be read. */
  readonly revision: string | undefined;
  /** The object in the file, or its last valid version. */
  readonly stored: Stored<KubernetesObject> | undefined;
  readonly isWithoutNamespace: boolean;
  /** The reason why the current version cannot be used, as a sentence that names the file. */
  readonly problem: string | undefined;
  /** The file has an object of another kind. */
  readonly isOther: boolean;
}

/** The callbacks for changes and warnings. */
export interface IndexListeners {
  readonly onWarning: (sentence: string) => void;
  readonly onChange: (name: string, change: 'written' | 'deleted') => void;
}

const compareByName = (
  { object: { metadata: a } }: Stored<KubernetesObject>,
  { object: { metadata: b } }: Stored<KubernetesObject>,
): number => (a.name < b.name ? -1 : 1);

/** Returns the index of a name among sorted objects, or its insertion point. */
const findInsertionIndex = (sorted: readonly Stored<KubernetesObject>[], name: string): number => {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle]?.object.metadata.name ?? '') < name) low = middle + 1;
    else high = middle;
  }
  return low;
};

/** The last read version of each file in a folder. */
export class ManifestIndex {
  readonly #listeners: IndexListeners;
  readonly #entries = new Map<string, ManifestEntry>();
  #sorted: readonly Stored<KubernetesObject>[] | undefined;

  constructor(listeners: IndexListeners) {
    this.#listeners = listeners;
  }

  get names(): readonly string[] {
    return [...this.#entries.keys()];
  }

  get size(): number {
    return this.#entries.size;
  }

  get(name: string): ManifestEntry | undefined {
    return this.#entries.get(name);
  }

  /** Sets the state of a file. An invalid file keeps its last valid version. */
  set(name: string, found: ManifestEntry): void {
    const before = this.#entries.get(name);
    const entry = found.problem === undefined ? found : { ...found, stored: before?.stored };
    this.#entries.set(name, entry);
    if (entry.stored !== before?.stored) this.#place(before?.stored, entry.stored);
    const hasChanged = before === undefined || before.revision !== entry.revision;
    if (hasChanged || before.problem !== entry.problem) this.#warn(entry);
    if (hasChanged) this.#listeners.onChange(name, 'written');
  }

  /** Removes a file. */
  delete(name: string): void {
    const before = this.#entries.get(name);
    if (!this.#entries.delete(name)) return;
    this.#place(before?.stored, undefined);
    this.#listeners.onChange(name, 'deleted');
  }

  /** Returns the objects sorted by name; the same array while nothing changes. */
  listSorted(): readonly Stored<KubernetesObject>[] {
    this.#sorted ??= [...this.#entries.values()]
      .flatMap(({ stored }) => stored ?? [])
      .sort(compareByName);
    return this.#sorted;
  }

  /** Updates the sorted array in one place, because sorting thousands of names would cost more than the write. */
  #place(
    before: Stored<KubernetesObject> | undefined,
    after: Stored<KubernetesObject> | undefined,
  ): void {
    const name = (after ?? before)?.object.metadata.name;
    if (this.#sorted === undefined || name === undefined) return;
    const place = findInsertionIndex(this.#sorted, name);
    const isThere = this.#sorted[place] !== undefined && this.#sorted[place] === before;
    this.#sorted = this.#sorted.toSpliced(place, isThere ? 1 : 0, ...(after ? [after] : []));
  }

  /** Returns the problems of files whose object is unknown. */
  listProblems(): readonly string[] {
    return [...this.#entries.values()].flatMap(({ stored, problem, isOther }) =>
      stored === undefined && !isOther ? (problem ?? []) : [],
    );
  }

  /** Warns once per version of a file. */
  #warn({ problem, stored }: ManifestEntry): void {
    if (problem === undefined) return;
    const listed = stored === undefined ? 'it is not listed' : 'its last good version is listed';
    this.#listeners.onWarning(`${problem}; ${listed}`);
  }
}

/** The location of a folder. */
export interface FolderLocation {
  /** The root of all folders. */
  readonly root: string;
  readonly kind: ManifestKind;
  readonly namespace: string;
}

/** The mode of a read. A blocking read of one file is much shorter, and blocks the event loop. */
export type ReadMode = 'blocking' | 'yielding';

const OPTIONS = { maxBytes: MAX_FILE_BYTES, acceptReplaced: true };

const FILE_READERS: Readonly<
  Record<ReadMode, (file: string) => ReadTextResult | Promise<ReadTextResult>>
> = {
  blocking: (file) => readTextFileSync(file, OPTIONS),
  yielding: (file) => readTextFile(file, { ...OPTIONS, refuseLinks: true }),
};

const SETTLE = { attempts: 5, pauseMs: 2 };

type Unreadable = Exclude<ReadTextResult, { kind: 'text' | 'absent' }>;

const formatUnreadable = (read: Unreadable): string =>
  read.kind === 'unsettled' ? 'is being written by another process' : read.message;

/** Reads the files of a folder. Each file has one object. */
export class ManifestReader {
  readonly #place: FolderLocation;
  /** The writes of this process by name and revision, which need not be parsed. */
  readonly #written = new Map<string, ManifestEntry>();

  constructor(place: FolderLocation) {
    this.#place = place;
  }

  get directory(): string {
    const { root, kind, namespace } = this.#place;
    return path.join(root, kind.folder, namespace);
  }

  toFile(name: string): string {
    return path.join(this.directory, toManifestFileName(name));
  }

  /** Returns the path of a file in messages. */
  formatPath(fileName: string): string {
    const { kind, namespace } = this.#place;
    return `${kind.folder}/${namespace}/${fileName}`;
  }

  /** Returns the fingerprint of a file; undefined when it is missing. Throws when its stats cannot be read. */
  look(name: string): FileFingerprint | undefined {
    const stats = lstatSync(this.toFile(name), { bigint: true, throwIfNoEntry: false });
    if (stats === undefined) return undefined;
    const isYoung = Date.now() - Number(stats.mtimeMs) < AMBIGUOUS_AGE_MS;
    return { fingerprint: toFingerprint(stats), isYoung };
  }

  /** Reads the current text of a file. Never rejects. */
  text(name: string, mode: ReadMode): Promise<ReadTextResult> {
    return readSettledText(() => FILE_READERS[mode](this.toFile(name)), SETTLE);
  }

  /** Reads a file; returns undefined when it is missing. A known revision is not parsed again. Never rejects. */
  async read(
    name: string,
    before: ManifestEntry | undefined,
    mode: ReadMode,
  ): Promise<ManifestEntry | undefined> {
    const look = this.#fingerprintBefore(name);
    const read = await this.text(name, mode);
    if (read.kind === 'absent') return undefined;
    if (read.kind === 'text') return { ...this.parse(name, read.text, before), look };
    return {
      // Invalid text stays invalid until its fingerprint changes; another failure may pass.
      look: read.kind === 'refused' ? look : undefined,
      revision: undefined,
      stored: undefined,
      isWithoutNamespace: false,
      isOther: false,
      problem: `${this.formatPath(toManifestFileName(name))} ${formatUnreadable(read)}`,
    };
  }

  /** Parses a text unless its revision is known. */
  parse(name: string, text: string, before?: ManifestEntry): ManifestEntry {
    const revision = computeRevision(text);
    if (before?.revision === revision) return before;
    const written = this.#written.get(`${name} ${revision}`);
    if (written !== undefined) return written;
    const { kind, namespace } = this.#place;
    const read = readManifest(text, { kind, name, namespace });
    return {
      look: undefined,
      revision,
      stored: read.ok ? freezePlainData({ object: read.object, revision }) : undefined,
      isWithoutNamespace: read.ok && read.isWithoutNamespace,
      isOther: !read.ok && read.isOther,
      problem: read.ok ? undefined : `${this.formatPath(toManifestFileName(name))}${read.problem}`,
    };
  }

  /** Records the object of a text that this process wrote. */
  rememberWrite(
    text: string,
    object: KubernetesObject,
    isWithoutNamespace: boolean,
  ): Stored<KubernetesObject> {
    const revision = computeRevision(text);
    const stored = freezePlainData({ object, revision });
    const key = `${object.metadata.name} ${revision}`;
    this.#written.delete(key);
    this.#written.set(key, {
      look: undefined,
      revision,
      stored,
      isWithoutNamespace,
      isOther: false,
      problem: undefined,
    });
    const [oldest] = this.#written.keys();
    if (this.#written.size > MAX_CACHED_WRITES && oldest !== undefined)
      this.#written.delete(oldest);
    return stored;
  }

  /** Reads the fingerprint before the content, so that a concurrent write changes it. */
  #fingerprintBefore(name: string): FileFingerprint | undefined {
    try {
      return this.look(name);
    } catch {
      return undefined;
    }
  }
}
