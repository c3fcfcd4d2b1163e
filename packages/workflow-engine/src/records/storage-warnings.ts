/** The kinds of storage errors. */
export type StorageProblem = 'list' | 'read' | 'write' | 'remove' | 'broken';

const sentences: Readonly<Record<StorageProblem, string>> = {
  list: 'Stored records of workflow executions cannot be listed',
  read: 'Stored records of workflow executions cannot be read',
  write: 'Records of workflow executions cannot be stored and are kept in memory',
  remove: 'Stored records of workflow executions cannot be removed',
  broken:
    'An object among the stored records of workflow executions is not a valid record and is ignored',
};

const MAX_REASON_CHARS = 300;

/** Returns the first line of an error, shortened. */
export const reasonOf = (error: unknown): string => {
  const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
  return line.slice(0, MAX_REASON_CHARS);
};

/** The time between two warnings of one kind, in milliseconds: a disk that is full now and then would fill the log as well. */
const WARNING_INTERVAL_MS = 60_000;

/** Warns of problems of a storage: once of each kind until an operation of this kind succeeds. */
export class StorageWarnings {
  readonly #warn: (text: string) => void;
  readonly #now: () => number;
  /** When each kind was logged last. */
  readonly #loggedAt = new Map<StorageProblem, number>();
  readonly #ongoing = new Set<StorageProblem>();

  /** @param now the time in milliseconds */
  constructor(warn: (text: string) => void, now: () => number) {
    this.#warn = warn;
    this.#now = now;
  }

  readonly failed = (kind: StorageProblem, what: string): void => {
    const now = this.#now();
    const isRecent = now - (this.#loggedAt.get(kind) ?? -Infinity) < WARNING_INTERVAL_MS;
    if (this.#ongoing.has(kind) || isRecent) return;
    this.#ongoing.add(kind);
    this.#loggedAt.set(kind, now);
    this.#warn(`${sentences[kind]}: ${what}`);
  };

  readonly succeeded = (kind: StorageProblem): void => {
    this.#ongoing.delete(kind);
  };
}
