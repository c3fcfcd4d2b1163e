import type { KubernetesObject, Stored } from '../store/objects.ts';

/** The fingerprint of a file, and whether another version may have the same one. */
export interface Look {
  readonly fingerprint: string;
  readonly isYoung: boolean;
}

/** The known state of one file. */
export interface Entry {
  /** Its fingerprint when it was read. */
  readonly look: Look | undefined;
  /** The revision of its text; undefined when the text could not be read. */
  readonly revision: string | undefined;
  /** Its object, or the last valid version. */
  readonly stored: Stored<KubernetesObject> | undefined;
  readonly isWithoutNamespace: boolean;
  /** The reason why the current version cannot be used, as a sentence that names the file. */
  readonly problem: string | undefined;
  /** It has an object of another kind. */
  readonly isOther: boolean;
}

/** The callbacks for changes and warnings. */
export interface IndexListeners {
  readonly onWarning: (sentence: string) => void;
  readonly onChange: (name: string, change: 'written' | 'deleted') => void;
}

const byName = (
  { object: { metadata: a } }: Stored<KubernetesObject>,
  { object: { metadata: b } }: Stored<KubernetesObject>,
): number => (a.name < b.name ? -1 : 1);

/** Returns the index of a name among sorted objects, or its insertion point. */
const placeOf = (sorted: readonly Stored<KubernetesObject>[], name: string): number => {
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
  readonly #entries = new Map<string, Entry>();
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

  get(name: string): Entry | undefined {
    return this.#entries.get(name);
  }

  /** Sets the state of a file. An invalid file keeps its last valid version. */
  set(name: string, found: Entry): void {
    const before = this.#entries.get(name);
    const entry = found.problem === undefined ? found : { ...found, stored: before?.stored };
    this.#entries.set(name, entry);
    if (entry.stored !== before?.stored) this.#place(before?.stored, entry.stored);
    const isAnother = before === undefined || before.revision !== entry.revision;
    if (isAnother || before.problem !== entry.problem) this.#warn(entry);
    if (isAnother) this.#listeners.onChange(name, 'written');
  }

  /** Removes a file. */
  delete(name: string): void {
    const before = this.#entries.get(name);
    if (!this.#entries.delete(name)) return;
    this.#place(before?.stored, undefined);
    this.#listeners.onChange(name, 'deleted');
  }

  /** Returns the objects sorted by name; the same array while nothing changes. */
  sorted(): readonly Stored<KubernetesObject>[] {
    this.#sorted ??= [...this.#entries.values()].flatMap(({ stored }) => stored ?? []).sort(byName);
    return this.#sorted;
  }

  /** Updates the sorted array in one place, because sorting thousands of names would cost more than the write. */
  #place(
    before: Stored<KubernetesObject> | undefined,
    after: Stored<KubernetesObject> | undefined,
  ): void {
    const name = (after ?? before)?.object.metadata.name;
    if (this.#sorted === undefined || name === undefined) return;
    const place = placeOf(this.#sorted, name);
    const isThere = this.#sorted[place] !== undefined && this.#sorted[place] === before;
    this.#sorted = this.#sorted.toSpliced(place, isThere ? 1 : 0, ...(after ? [after] : []));
  }

  /** Returns the problems of files whose object is unknown. */
  unknown(): readonly string[] {
    return [...this.#entries.values()].flatMap(({ stored, problem, isOther }) =>
      stored === undefined && !isOther ? (problem ?? []) : [],
    );
  }

  /** Warns once per version of a file. */
  #warn({ problem, stored }: Entry): void {
    if (problem === undefined) return;
    const listed = stored === undefined ? 'it is not listed' : 'its last good version is listed';
    this.#listeners.onWarning(`${problem}; ${listed}`);
  }
}
