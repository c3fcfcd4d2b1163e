import { setTimeout as delay } from 'node:timers/promises';
import type { ApiConnection } from './api-connection.ts';
import { failureSentence, hasStatus, type ApiFailure } from './api-failure.ts';
import { collectionPath, type ApiKind } from './api-kind.ts';
import { backOffMs } from './back-off.ts';
import { WATCH_GRACE_MS, WATCH_SECONDS } from './limits.ts';
import { listObjects } from './list-objects.ts';
import { watchEvents, type WatchEvent } from './watch-events.ts';

/** What to watch, and who is told. */
export interface WatchRequest {
  readonly kind: ApiKind;
  readonly namespace: string;
  /** Must not throw. */
  readonly onChange: (name: string, change: 'written' | 'deleted') => void;
  /** Told once when the watch no longer gets on. Must not throw. */
  readonly onWarning: (sentence: string) => void;
}

/** How a stream ended: as it should or broken, or so that only a new list helps. */
type Ending = { readonly isStale: boolean; readonly failure?: ApiFailure };

/** A stream that lasted so long, in milliseconds, was none in vain, though nothing happened. */
const LASTING_MS = 10_000;
/** After so many streams in vain the objects are listed again: some servers end the watch of a point that they forgot without a word. */
const MAX_FRUITLESS = 3;

/**
 * Follows all objects of a kind in a namespace: one list, then a watch that goes on from where the last one ended. Where the API no
 * longer remembers that point (410), the objects are listed again and compared with those that were there, so that no change
 * is missed, however long the API was away.
 */
export class ObjectWatch {
  readonly #begun: Promise<boolean>;
  readonly #connection: ApiConnection;
  readonly #request: WatchRequest;
  readonly #end = new AbortController();
  #revisions: Map<string, string> | undefined;
  #position: string | undefined;
  #failures = 0;
  #fruitless = 0;

  constructor(connection: ApiConnection, request: WatchRequest) {
    this.#connection = connection;
    this.#request = request;
    this.#begun = this.#list();
    void this.#follow();
  }

  /** Done when changes are told from now on, or when the first attempt to do so failed. */
  async begun(): Promise<void> {
    await this.#begun;
  }

  end(): void {
    this.#end.abort();
  }

  get #isEnded(): boolean {
    return this.#end.signal.aborted;
  }

  /** Waits longer after each failure in a row. Only a stream that gets on ends the row: a list that works shows little. */
  async #follow(): Promise<void> {
    let isWell = await this.#begun;
    if (!isWell) this.#failures = 1;
    while (isWell || (await this.#isTimeToTryAgain())) {
      if (this.#isEnded) return;
      const position = this.#position;
      isWell = await (position === undefined ? this.#list() : this.#stream(position));
      if (!isWell) this.#failures += 1;
      else if (position !== undefined) this.#failures = 0;
    }
  }

  /** @returns after a while; `false` when the watch was ended meanwhile */
  async #isTimeToTryAgain(): Promise<boolean> {
    const options = { signal: this.#end.signal, ref: false };
    return delay(backOffMs(this.#failures), true, options).catch(() => false);
  }

  async #list(): Promise<boolean> {
    const { kind, namespace } = this.#request;
    const list = await listObjects(this.#connection, { kind, namespace });
    if (!list.ok) {
      this.#warn(list.failure, 'list');
      return false;
    }
    const now = new Map(
      list.value.objects.map(({ object, revision }) => [object.metadata.name, revision]),
    );
    const before = this.#revisions;
    this.#revisions = now;
    this.#position = list.value.revision;
    if (before !== undefined) this.#tellDifference(before, now);
    return true;
  }

  #tellDifference(before: ReadonlyMap<string, string>, now: ReadonlyMap<string, string>): void {
    for (const [name, revision] of now)
      if (before.get(name) !== revision) this.#tell(name, 'written');
    for (const name of before.keys()) if (!now.has(name)) this.#tell(name, 'deleted');
  }

  #tell(name: string, change: 'written' | 'deleted'): void {
    if (!this.#isEnded) this.#request.onChange(name, change);
  }

  /** @returns whether the watch got on */
  async #stream(position: string): Promise<boolean> {
    const begunAt = performance.now();
    const ending = await this.#read(position);
    const gotOn = this.#position !== position || performance.now() - begunAt > LASTING_MS;
    this.#fruitless = gotOn ? 0 : this.#fruitless + 1;
    if (ending.failure !== undefined) this.#warn(ending.failure, 'watch');
    if (!ending.isStale && this.#fruitless < MAX_FRUITLESS) return gotOn;
    this.#position = undefined;
    this.#fruitless = 0;
    return gotOn;
  }

  async #read(position: string): Promise<Ending> {
    const { kind, namespace } = this.#request;
    const over = new AbortController();
    const stop = (): void => over.abort();
    this.#end.signal.addEventListener('abort', stop, { once: true });
    const timer = setTimeout(stop, WATCH_SECONDS * 1000 + WATCH_GRACE_MS).unref();
    try {
      const opened = await this.#connection.open(
        {
          method: 'GET',
          path: collectionPath(kind, namespace),
          query: {
            watch: 'true',
            allowWatchBookmarks: 'true',
            resourceVersion: position,
            timeoutSeconds: String(WATCH_SECONDS),
          },
        },
        over.signal,
      );
      if (!opened.ok) return endingOf(opened.failure);
      return await this.#take(watchEvents(opened.value));
    } catch {
      return { isStale: false, failure: { kind: 'broken', code: 'ECONNRESET' } };
    } finally {
      clearTimeout(timer);
      over.abort();
      this.#end.signal.removeEventListener('abort', stop);
    }
  }

  async #take(events: AsyncIterable<WatchEvent>): Promise<Ending> {
    for await (const event of events) {
      if (this.#isEnded) return { isStale: false };
      if (event.kind === 'failed') return endingOf(event.failure);
      if (event.kind === 'unreadable') return { isStale: true };
      this.#position = event.revision;
      if (event.kind === 'bookmark') continue;
      if (event.kind === 'written') this.#revisions?.set(event.name, event.revision);
      else this.#revisions?.delete(event.name);
      this.#tell(event.name, event.kind);
    }
    return { isStale: false };
  }

  /** Says it once: the first failure of a row may be a restart. */
  #warn(failure: ApiFailure, verb: 'list' | 'watch'): void {
    if (this.#failures !== 1 || this.#isEnded) return;
    this.#request.onWarning(failureSentence(failure, { verb, ...this.#request }));
  }
}

const endingOf = (failure: ApiFailure): Ending =>
  hasStatus(failure, 410) ? { isStale: true } : { isStale: false, failure };
