import { setTimeout as delay } from 'node:timers/promises';
import type { ApiConnection } from './api-connection.ts';
import { formatCollectionPath, type ObjectKey, formatObjectPath } from './api-object.ts';
import { type ApiFailure, type ApiResult, hasStatus, isNotFound } from './api-result.ts';
import { LEASE, type Lease, parseLease, LeaseWatch, createLeaseObject } from './lease.ts';

/** The election of the process that does the work of which several replicas need one. */
export interface Leadership {
  /** Returns whether this process leads now. A process that cannot renew its lease stops leading before another one may start. */
  isLeader(): boolean;
  /** Calls a listener after each change of {@link Leadership.isLeader}, until the returned function is called. The listener must not throw. */
  onChange(listener: (isLeader: boolean) => void): () => void;
}

/** The leadership of a process without replicas. */
export const SOLE_LEADER: Leadership = {
  isLeader: () => true,
  onChange: () => () => undefined,
};

/** Times of an election, in milliseconds. */
interface ElectionTiming {
  /** Time without a renewal after which another process takes the lease. */
  readonly durationMs: number;
  /** Time without a renewal after which the holder stops leading; less than `durationMs`. */
  readonly deadlineMs: number;
  /** Time between renewals; half of it between the reads of those that wait, while they cannot watch the lease. */
  readonly everyMs: number;
}

/** A new leader within 15 seconds; without a watch another process sees the last renewal up to 4 seconds later. */
const TIMING: ElectionTiming = { durationMs: 15_000, deadlineMs: 12_000, everyMs: 8_000 };

/** Milliseconds before a failed renewal is tried again. */
const RETRY_MS = 1_000;

/** Options of an {@link Election}. */
export interface ElectionOptions {
  readonly connection: ApiConnection;
  /** The lease, which is created when it does not exist. */
  readonly key: ObjectKey;
  /** Unique among all processes, over their restarts. */
  readonly identity: string;
  /** Called once per outage, when the lease cannot be read or written. Must not throw. */
  readonly onFailure?: (failure: ApiFailure) => void;
  readonly timing?: Partial<ElectionTiming>;
}

/** The version of a lease that this process saw last, and when it saw it first. */
interface Observed {
  readonly lease: Lease;
  readonly at: number;
}

/**
 * Takes part in an election: of all processes that name the same lease, at most one leads. A process that holds the lease renews it; the
 * others take it after `durationMs` without a renewal, measured with their own clocks, so that the clocks of machines may differ.
 */
export class Election implements Leadership {
  readonly #options: ElectionOptions;
  readonly #timing: ElectionTiming;
  readonly #listeners = new Set<(isLeader: boolean) => void>();
  readonly #stopping = new AbortController();
  readonly #watch: LeaseWatch;
  readonly #stopped: Promise<void>;
  #waking = new AbortController();
  #observed: Observed | undefined;
  /** Start of the last successful write of this process as the holder. */
  #renewedAt: number | undefined;
  #wasLeader = false;
  #hasFailed = false;
  #deadline: NodeJS.Timeout | undefined;

  constructor(options: ElectionOptions) {
    this.#options = options;
    this.#timing = { ...TIMING, ...options.timing };
    this.#watch = new LeaseWatch(options.connection, options.key, {
      onLease: (object) => {
        if (object === undefined) this.#observed = undefined;
        else this.#observe(parseLease({ ...object.object }, this.#timing.durationMs));
        this.#waking.abort();
      },
      onChange: () => {
        this.#waking.abort();
      },
    });
    this.#stopped = this.#run();
  }

  isLeader(): boolean {
    // Computed from the clock: a process that was suspended does not lead when it continues.
    return this.#renewedAt !== undefined && !this.#isLate(this.#renewedAt);
  }

  onChange(listener: (isLeader: boolean) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Stops leading and leaves the election. Resolves when the lease is released, or cannot be. Never rejects. */
  async release(): Promise<void> {
    this.#stopping.abort();
    this.#waking.abort();
    this.#watch.close();
    await this.#stopped;
    this.#watch.close();
    const held = this.isLeader() ? this.#observed?.lease : undefined;
    this.#lead(undefined);
    // A short duration, as other programs write it: those that do not read the holder need not wait either.
    if (held !== undefined) await this.#write('', held, 1_000);
  }

  async #run(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      this.#waking = new AbortController();
      const { signal } = this.#waking;
      const isDone = this.#mustAsk() ? await this.#attempt() : true;
      this.#report();
      await delay(this.#waitMs(isDone), undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  /** Returns whether this process has to ask the API: an open watch reports what happens to the lease of another one. */
  #mustAsk(): boolean {
    const observed = this.#observed;
    return !this.#watch.isOpen || observed === undefined || this.#isFree(observed.lease);
  }

  /** Reads, takes or renews the lease. Returns whether the API answered. */
  async #attempt(): Promise<boolean> {
    const own = this.#observed?.lease;
    if (own !== undefined && own.holder === this.#options.identity && this.isLeader()) {
      return this.#take(own);
    }
    const read = await this.#read();
    if (read === undefined) return false;
    return read === 'absent' ? this.#take(undefined) : this.#takeOrWatch(read);
  }

  #takeOrWatch(read: Lease): Promise<boolean> | boolean {
    if (this.#stopping.signal.aborted) return true;
    // A watch that missed a change is opened again.
    if (read.revision !== this.#observed?.lease.revision) this.#watch.close();
    this.#observe(read);
    if (this.#isFree(read)) return this.#take(read);
    this.#watch.open(read.revision);
    return true;
  }

  async #read(): Promise<Lease | 'absent' | undefined> {
    const { connection, key } = this.#options;
    const answer = await connection.send({ method: 'GET', path: formatObjectPath(LEASE, key) });
    if (answer.ok) return this.#markAnswered(parseLease(answer.value, this.#timing.durationMs));
    if (isNotFound(answer.failure, LEASE, key)) return 'absent';
    this.#fail(answer.failure);
    return undefined;
  }

  /** Returns whether this process may take a lease. Its own clock decides: times in the lease are those of other machines. */
  #isFree({ holder, durationMs }: Lease): boolean {
    if (holder === '' || holder === this.#options.identity) return true;
    return this.#observed !== undefined && performance.now() - this.#observed.at >= durationMs;
  }

  #observe(lease: Lease): void {
    if (this.#observed?.lease.revision === lease.revision) return;
    this.#observed = { lease, at: performance.now() };
    if (lease.holder !== this.#options.identity) this.#lead(undefined);
  }

  async #take(before: Lease | undefined): Promise<boolean> {
    const startedAt = performance.now();
    const { identity } = this.#options;
    const answer = await this.#write(identity, before, this.#timing.durationMs);
    if (answer.ok) {
      this.#observe(this.#markAnswered(parseLease(answer.value, this.#timing.durationMs)));
      this.#watch.close();
      this.#lead(startedAt);
      return true;
    }
    // Another process was faster, the lease was deleted, or the answer to the last write was lost: the next attempt reads the lease.
    if (hasStatus(answer.failure, 409) || hasStatus(answer.failure, 404))
      this.#observed = undefined;
    else this.#fail(answer.failure);
    return false;
  }

  #write(
    holder: string,
    before: Lease | undefined,
    durationMs: number,
  ): Promise<ApiResult<Readonly<Record<string, unknown>>>> {
    const { connection, key } = this.#options;
    const body = createLeaseObject({ key, holder, durationMs, now: new Date() }, before);
    return connection.send(
      before === undefined
        ? { method: 'POST', path: formatCollectionPath(LEASE, key.namespace), body }
        : { method: 'PUT', path: formatObjectPath(LEASE, key), body },
    );
  }

  #markAnswered<T>(value: T): T {
    this.#hasFailed = false;
    return value;
  }

  #fail(failure: ApiFailure): void {
    if (this.#hasFailed || failure.kind === 'closed') return;
    this.#hasFailed = true;
    this.#options.onFailure?.(failure);
  }

  #isLate(renewedAt: number): boolean {
    return performance.now() - renewedAt >= this.#timing.deadlineMs;
  }

  /** Records the start of the write by which this process leads, or that it does not lead. */
  #lead(renewedAt: number | undefined): void {
    this.#renewedAt = renewedAt;
    clearTimeout(this.#deadline);
    if (renewedAt !== undefined) {
      const leftMs = this.#timing.deadlineMs - (performance.now() - renewedAt);
      this.#deadline = setTimeout(() => this.#report(), Math.max(0, leftMs) + 1).unref();
    }
    this.#report();
  }

  #report(): void {
    const isLeader = this.isLeader();
    if (isLeader === this.#wasLeader) return;
    this.#wasLeader = isLeader;
    for (const listener of [...this.#listeners]) listener(isLeader);
  }

  /** Milliseconds until the next attempt: earlier after a failure, and when the lease of another process ends. */
  #waitMs(isDone: boolean): number {
    const { everyMs } = this.#timing;
    if (!isDone) return Math.min(everyMs, RETRY_MS) * (0.5 + Math.random() / 2);
    if (this.isLeader() || this.#observed === undefined) return everyMs;
    const { lease, at } = this.#observed;
    const leftMs = at + lease.durationMs - performance.now();
    return Math.max(0, this.#watch.isOpen ? leftMs : Math.min(everyMs / 2, leftMs));
  }
}
