import type { KubernetesObject, Stored } from '@gateway/agent-releases';

/** How a file looks from outside, and whether another version of it may look the same. */
export interface Look {
  readonly fingerprint: string;
  readonly isYoung: boolean;
}

/** What is known of one file. */
export interface Entry {
  /** How it looked from outside when it was read. */
  readonly look: Look | undefined;
  /** Of its text; undefined when it has none that could be read. */
  readonly revision: string | undefined;
  /** What it holds, or the last good version of that. */
  readonly stored: Stored<KubernetesObject> | undefined;
  readonly isWithoutNamespace: boolean;
  /** Why it cannot be used as it is, in a sentence that names it. */
  readonly problem: string | undefined;
  /** It holds an object of another kind. */
  readonly isOther: boolean;
}

/** Who is told of what changed. */
export interface IndexListeners {
  readonly onWarning: (sentence: string) => void;
  readonly onChange: (name: string, change: 'written' | 'deleted') => void;
}

const byName = (
  { object: { metadata: a } }: Stored<KubernetesObject>,
  { object: { metadata: b } }: Stored<KubernetesObject>,
): number => (a.name < b.name ? -1 : 1);

/** Where among sorted objects the one of this name stands, or would stand. */
const placeOf = (sorted: readonly Stored<KubernetesObject>[], name: string): number => {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle]?.object.metadata.name ?? '') < name) low = middle + 1;
    else high = middle;
  }
  return low;
};

/** The files of one folder as they were read last. */
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

  /** Takes in what a file was found to be. A broken one keeps its last good version. */
  set(name: string, found: Entry): void {
    const before = this.#entries.get(name);
    const entry = found.problem === undefined ? found : { ...found, stored: before?.stored };
    this.#entries.set(name, entry);
    if (entry.stored !== before?.stored) this.#place(before?.stored, entry.stored);
    const isAnother = before === undefined || before.revision !== entry.revision;
    if (isAnother || before.problem !== entry.problem) this.#warn(entry);
    if (isAnother) this.#listeners.onChange(name, 'written');
  }

  /** Takes in that there is no such file. */
  delete(name: string): void {
    const before = this.#entries.get(name);
    if (!this.#entries.delete(name)) return;
    this.#place(before?.stored, undefined);
    this.#listeners.onChange(name, 'deleted');
  }

  /** The objects, sorted by name; the same list while nothing changes. */
  sorted(): readonly Stored<KubernetesObject>[] {
    this.#sorted ??= [...this.#entries.values()].flatMap(({ stored }) => stored ?? []).sort(byName);
    return this.#sorted;
  }

  /** Changes the sorted list in one place, since sorting thousands of names for each write would cost more than the write. */
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

  /** What is wrong with files that may hold an object of which nothing is known. */
  unknown(): readonly string[] {
    return [...this.#entries.values()].flatMap(({ stored, problem, isOther }) =>
      stored === undefined && !isOther ? (problem ?? []) : [],
    );
  }

  /** Once per version of a file. */
  #warn({ problem, stored }: Entry): void {
    if (problem === undefined) return;
    const listed = stored === undefined ? 'it is not listed' : 'its last good version is listed';
    this.#listeners.onWarning(`${problem}; ${listed}`);
  }
}
