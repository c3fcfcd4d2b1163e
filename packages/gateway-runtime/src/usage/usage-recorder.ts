import { isResolvedWithin } from '@gateway/call-contract';
import type { UsagePort, UsageQuery, UsageReport } from '@gateway/core-tools';
import { formatWriteFailure, KeyedQueue, RecordDirectory } from '@gateway/files';
import { createKeyedLock, type StateStore, StateStoreError } from '@gateway/state-store';
import { type CountedCall, UsageCounts, UsageSummary } from './usage-counts.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Intervals of equal length. The last ones are kept. */
interface Resolution {
  readonly name: string;
  readonly intervalMs: number;
  readonly kept: number;
}

const DAYS: Resolution = { name: 'day', intervalMs: DAY_MS, kept: 30 + 1 };

/** A call is counted once in each. A query reads the first one that reaches back far enough. */
const RESOLUTIONS: readonly Resolution[] = [
  { name: 'minutes', intervalMs: 5 * MINUTE_MS, kept: 24 + 1 },
  { name: 'hour', intervalMs: HOUR_MS, kept: 7 * 24 + 1 },
  DAYS,
];

/** Returns the ids of the intervals between two times, oldest first. */
const listIds = (
  { name, intervalMs }: Resolution,
  from: number,
  until: number,
): readonly string[] => {
  const first = Math.floor(from / intervalMs);
  const last = Math.floor(until / intervalMs);
  return Array.from({ length: last - first + 1 }, (_, index) => `${name}-${first + index}`);
};

const listKeptIds = (now: number): ReadonlySet<string> =>
  new Set(
    RESOLUTIONS.flatMap((resolution) => {
      const { intervalMs, kept } = resolution;
      return listIds(resolution, now - (kept - 1) * intervalMs, now);
    }),
  );

/** The texts of intervals by id. */
export interface UsageStorage {
  readonly read: (id: string) => Promise<string | undefined>;
  /** Replaces a text for a time. Changes by other processes of the storage are not lost. */
  readonly update: (
    id: string,
    change: (text: string | undefined) => string,
    lifetime: { readonly ttlMs: number },
  ) => Promise<void>;
}

/** Creates the storage of one process: files, of which each new one removes those that are no longer kept. */
export const createUsageFiles = (directory: string, now: () => number = Date.now): UsageStorage => {
  const records = new RecordDirectory(directory);
  const removeOld = async (): Promise<void> => {
    const kept = listKeptIds(now());
    for (const id of await records.list()) if (!kept.has(id)) await records.remove(id);
  };
  return {
    read: records.read,
    update: async (id, change) => {
      const text = await records.read(id);
      if (text === undefined) await removeOld();
      await records.write(id, change(text));
    },
  };
};

/** Creates the storage of all processes that share a state store. */
export const createSharedUsage = (store: StateStore): UsageStorage => {
  const lock = createKeyedLock(store);
  return {
    read: (id) => store.get(['usage', id]),
    update: (id, change, lifetime) =>
      lock(['usage-lock', id], async () => {
        await store.set(['usage', id], change(await store.get(['usage', id])), lifetime);
      }),
  };
};

interface UsageRecorderOptions {
  /** Without it the counts end with the process. */
  readonly storage: UsageStorage | undefined;
  readonly warn: (text: string) => void;
  readonly now?: () => number;
}

/** Time that closing waits for the last counts to be stored, in milliseconds. */
const CLOSE_MS = 2000;

/** Counts calls in memory, and stores the counts a minute later. What cannot be stored stays in memory, and is tried again. */
export class UsageRecorder implements UsagePort {
  readonly #options: UsageRecorderOptions;
  readonly #now: () => number;
  readonly #startedAt: number;
  /** A query does not run while counts are stored: it would see them twice. */
  readonly #queue = new KeyedQueue();
  #current = new UsageCounts();
  /** The counts of intervals that are not stored. */
  readonly #unstored = new Map<string, { readonly counts: UsageCounts; readonly ttlMs: number }>();
  #timer: NodeJS.Timeout | undefined;
  #isFailing = false;

  constructor(options: UsageRecorderOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
    this.#startedAt = this.#now();
  }

  /** Adds a call. */
  readonly count = (call: CountedCall): void => {
    this.#current.count(call);
    this.#startTimer();
  };

  readonly query = (query: UsageQuery): Promise<UsageReport> =>
    this.#queue.run('', () => this.#query(query));

  /** Stores the counts. Never rejects. */
  readonly flush = (): Promise<void> => this.#queue.run('', () => this.#flush());

  readonly close = async (): Promise<void> => {
    await isResolvedWithin(this.flush(), CLOSE_MS);
    clearTimeout(this.#timer);
  };

  async #query(query: UsageQuery): Promise<UsageReport> {
    const { storage } = this.#options;
    const until = this.#now();
    const periodMs = query.hours * HOUR_MS;
    const resolution =
      RESOLUTIONS.find(({ intervalMs, kept }) => intervalMs * (kept - 1) >= periodMs) ?? DAYS;
    const summary = new UsageSummary(query);
    for (const id of listIds(resolution, until - periodMs, until)) {
      const text = await storage?.read(id);
      if (text !== undefined) summary.add(new UsageCounts(text));
      const unstored = this.#unstored.get(id);
      if (unstored !== undefined) summary.add(unstored.counts);
    }
    summary.add(this.#current);
    const { intervalMs } = resolution;
    const begin = Math.floor((until - periodMs) / intervalMs) * intervalMs;
    const since = storage === undefined ? Math.max(begin, this.#startedAt) : begin;
    return { since, until, ...summary.report() };
  }

  async #flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (!this.#current.isEmpty) this.#moveCurrent();
    const { storage, warn } = this.#options;
    if (storage === undefined) return;
    try {
      for (const [id, { counts, ttlMs }] of this.#unstored) {
        await storage.update(id, (text) => mergeInto(text, counts), { ttlMs });
        this.#unstored.delete(id);
      }
      this.#isFailing = false;
    } catch (error) {
      // A state store reports its failures itself.
      if (!this.#isFailing && !(error instanceof StateStoreError))
        warn(`usage cannot be stored: ${formatWriteFailure(error)}; it is tried again`);
      this.#isFailing = true;
      this.#startTimer();
    }
  }

  #startTimer(): void {
    this.#timer ??= setTimeout(() => void this.flush(), MINUTE_MS).unref();
  }

  /** Adds the current counts to the present interval of each resolution, and forgets intervals that are no longer kept. */
  #moveCurrent(): void {
    const now = this.#now();
    for (const resolution of RESOLUTIONS) {
      const ttlMs = resolution.intervalMs * resolution.kept;
      for (const id of listIds(resolution, now, now)) {
        const { counts } = this.#unstored.get(id) ?? { counts: new UsageCounts() };
        counts.merge(this.#current);
        this.#unstored.set(id, { counts, ttlMs });
      }
    }
    this.#current = new UsageCounts();
    const kept = listKeptIds(now);
    for (const id of this.#unstored.keys()) if (!kept.has(id)) this.#unstored.delete(id);
  }
}

const mergeInto = (text: string | undefined, added: UsageCounts): string => {
  const counts = new UsageCounts(text);
  counts.merge(added);
  return counts.format();
};
