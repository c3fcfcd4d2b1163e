import { setTimeout as pause } from 'node:timers/promises';
import { reasonOf } from '../../wire/reason.ts';
import type { DeclaredToolsStore } from './declared-tools-store.ts';
import { parseLedger } from './ledger-text.ts';
import type { KnownTools } from './ledger-text.ts';

/** The intervals of the persistence, in milliseconds. */
export interface PersistenceTimes {
  /** Maximum delay of the servers by reading. */
  readonly readMs: number;
  /** Delay from a change to writing. */
  readonly delayMs: number;
  /** Minimum pause between two writes, so that a server that changes all the time costs little. */
  readonly intervalMs: number;
}

/** Defaults for production. */
const PERSISTENCE_TIMES: PersistenceTimes = { readMs: 5_000, delayMs: 200, intervalMs: 5_000 };

/** A change of the outcome of reading or writing. */
export type PersistenceEvent =
  /** The stored declarations could not be read. `kept`: the text is preserved and will not be overwritten. */
  | { readonly kind: 'unreadable'; readonly reason: string; readonly kept: boolean }
  | { readonly kind: 'unsaved'; readonly reason: string }
  /** Writing succeeds again. */
  | { readonly kind: 'saved' };

/** Stores the text of a ledger between runs. Writes one text at a time and never rejects. */
export class LedgerPersistence {
  readonly #store: DeclaredToolsStore | undefined;
  readonly #text: () => string;
  readonly #report: (problem: PersistenceEvent) => void;
  readonly #times: PersistenceTimes;
  readonly #end = new AbortController();
  #isWritable = true;
  #hasChanges = false;
  #hasFailed = false;
  #last: Promise<unknown> = Promise.resolve();
  #planned: Promise<void> | undefined;

  /** @param text returns the text to write, at the time of writing */
  constructor(
    store: DeclaredToolsStore | undefined,
    text: () => string,
    report: (problem: PersistenceEvent) => void,
    times: PersistenceTimes = PERSISTENCE_TIMES,
  ) {
    this.#store = store;
    this.#text = text;
    this.#report = report;
    this.#times = times;
  }

  /** Returns the stored servers; none when they cannot be read in time. */
  async read(): Promise<readonly (readonly [string, KnownTools])[]> {
    if (this.#store === undefined) return [];
    try {
      const text = await this.#readInTime(this.#store);
      const servers = text === undefined ? [] : parseLedger(text);
      if (servers !== undefined) return servers;
      this.#report({ kind: 'unreadable', reason: 'the text has an unknown format', kept: false });
    } catch (error) {
      // The storage may only be unreachable, so its text must not be overwritten.
      this.#isWritable = false;
      this.#report({ kind: 'unreadable', reason: reasonOf(error), kept: true });
    }
    return [];
  }

  /** Schedules a write of the present text. */
  schedule(): void {
    this.#hasChanges = true;
    if (this.#store !== undefined && this.#isWritable) this.#planned ??= this.#plan();
  }

  /** Writes pending changes. @returns whether nothing is pending */
  async flush(): Promise<boolean> {
    await this.#enqueue(() => this.#write());
    return !this.#hasChanges;
  }

  /** Writes pending changes for the last time. */
  async close(): Promise<void> {
    this.#end.abort();
    await this.flush();
  }

  async #readInTime(store: DeclaredToolsStore): Promise<string | undefined> {
    const { readMs } = this.#times;
    const timer = new AbortController();
    const late = pause(readMs, undefined, { signal: timer.signal, ref: false }).then(() => {
      throw new Error(`it was not read within ${readMs} ms`);
    });
    late.catch(() => undefined);
    try {
      return await Promise.race([store.read(), late]);
    } finally {
      timer.abort();
    }
  }

  async #plan(): Promise<void> {
    const waited = { signal: this.#end.signal, ref: false };
    await pause(this.#times.delayMs, undefined, waited).catch(() => undefined);
    await this.flush();
    await pause(this.#times.intervalMs, undefined, waited).catch(() => undefined);
    this.#planned = undefined;
    if (this.#hasChanges && !this.#end.signal.aborted) this.#planned = this.#plan();
  }

  async #write(): Promise<void> {
    if (!this.#hasChanges || this.#store === undefined || !this.#isWritable) return;
    this.#hasChanges = false;
    try {
      await this.#store.write(this.#text());
      if (this.#hasFailed) this.#report({ kind: 'saved' });
      this.#hasFailed = false;
    } catch (error) {
      this.#hasChanges = true;
      if (!this.#hasFailed) this.#report({ kind: 'unsaved', reason: reasonOf(error) });
      this.#hasFailed = true;
    }
  }

  #enqueue(work: () => Promise<void>): Promise<void> {
    const done = this.#last.then(work);
    this.#last = done;
    return done;
  }
}
