import { setTimeout as delay } from 'node:timers/promises';
import type { ApiConnection } from '../connection/api-connection.ts';
import { hasStatus, type ApiFailure } from '../connection/api-result.ts';
import { WATCH_GRACE_MS, WATCH_SECONDS } from '../limits.ts';
import { collectionPath, type ApiKind } from '../objects/api-kind.ts';
import { listObjects } from '../reads/list-objects.ts';
import { backOffMs } from './back-off.ts';
import { watchEvents, type WatchEvent } from './watch-events.ts';

/** The objects to follow, and the callbacks. */
export interface InformerRequest {
  readonly kind: ApiKind;
  readonly namespace: string;
  /** Called for each change. Must not throw. */
  readonly onChange: (name: string, change: 'written' | 'deleted') => void;
  /** Called once per outage, when the second attempt fails. Must not throw. */
  readonly onFailure: (failure: ApiFailure, verb: 'list' | 'watch') => void;
}

/** The end of a stream. After a stale stream, a new list is required. */
interface StreamEnd {
  readonly isStale: boolean;
  readonly failure?: ApiFailure;
}

/** A stream that lasted this long has made progress even without events, in milliseconds. */
const PROGRESS_MS = 10_000;
/** After so many consecutive streams without progress, the objects are listed again: some servers end the watch of a lost version silently. */
const MAX_FRUITLESS = 3;

/**
 * Follows all objects of a kind in a namespace: a list, then a watch that continues from the last version. When the API has lost that version
 * (410), lists again and compares with the known objects, so that no change is missed. Retries with exponential backoff.
 */
export class Informer {
  readonly #synced: Promise<boolean>;
  readonly #connection: ApiConnection;
  readonly #request: InformerRequest;
  readonly #stopping = new AbortController();
  #revisions: Map<string, string> | undefined;
  #position: string | undefined;
  #failures = 0;
  #fruitless = 0;

  constructor(connection: ApiConnection, request: InformerRequest) {
    this.#connection = connection;
    this.#request = request;
    this.#synced = this.#list();
    void this.#follow();
  }

  /** Resolves when changes from now on are reported, or when the first attempt has failed. */
  async synced(): Promise<void> {
    await this.#synced;
  }

  /** Stops without further callbacks. */
  stop(): void {
    this.#stopping.abort();
  }

  get #isStopped(): boolean {
    return this.#stopping.signal.aborted;
  }

  /** Only a stream with progress resets the backoff: a successful list proves little. */
  async #follow(): Promise<void> {
    let isHealthy = await this.#synced;
    if (!isHealthy) this.#failures = 1;
    while (isHealthy || (await this.#backOff())) {
      if (this.#isStopped) return;
      const position = this.#position;
      isHealthy = await (position === undefined ? this.#list() : this.#stream(position));
      if (!isHealthy) this.#failures += 1;
      else if (position !== undefined) this.#failures = 0;
    }
  }

  /** Resolves after the delay; to false when the informer was stopped meanwhile. */
  async #backOff(): Promise<boolean> {
    const options = { signal: this.#stopping.signal, ref: false };
    return delay(backOffMs(this.#failures), true, options).catch(() => false);
  }

  async #list(): Promise<boolean> {
    const { kind, namespace } = this.#request;
    const list = await listObjects(this.#connection, { kind, namespace });
    if (!list.ok) {
      this.#reportFailure(list.failure, 'list');
      return false;
    }
    const now = new Map(
      list.value.objects.map(({ object, revision }) => [object.metadata.name, revision]),
    );
    const before = this.#revisions;
    this.#revisions = now;
    this.#position = list.value.revision;
    if (before !== undefined) this.#reportDifference(before, now);
    return true;
  }

  #reportDifference(before: ReadonlyMap<string, string>, now: ReadonlyMap<string, string>): void {
    for (const [name, revision] of now)
      if (before.get(name) !== revision) this.#report(name, 'written');
    for (const name of before.keys()) if (!now.has(name)) this.#report(name, 'deleted');
  }

  #report(name: string, change: 'written' | 'deleted'): void {
    if (!this.#isStopped) this.#request.onChange(name, change);
  }

  /** Reads one stream. Returns whether it made progress. */
  async #stream(position: string): Promise<boolean> {
    const startedAt = performance.now();
    const end = await this.#read(position);
    const hasProgress = this.#position !== position || performance.now() - startedAt > PROGRESS_MS;
    this.#fruitless = hasProgress ? 0 : this.#fruitless + 1;
    if (end.failure !== undefined) this.#reportFailure(end.failure, 'watch');
    if (!end.isStale && this.#fruitless < MAX_FRUITLESS) return hasProgress;
    this.#position = undefined;
    this.#fruitless = 0;
    return hasProgress;
  }

  async #read(position: string): Promise<StreamEnd> {
    const { kind, namespace } = this.#request;
    const ended = new AbortController();
    const abort = (): void => ended.abort();
    this.#stopping.signal.addEventListener('abort', abort, { once: true });
    const timer = setTimeout(abort, WATCH_SECONDS * 1000 + WATCH_GRACE_MS).unref();
    try {
      const opened = await this.#connection.openStream(
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
        ended.signal,
      );
      if (!opened.ok) return streamEndOf(opened.failure);
      return await this.#take(watchEvents(opened.value));
    } catch {
      return { isStale: false, failure: { kind: 'broken', code: 'ECONNRESET' } };
    } finally {
      clearTimeout(timer);
      ended.abort();
      this.#stopping.signal.removeEventListener('abort', abort);
    }
  }

  async #take(events: AsyncIterable<WatchEvent>): Promise<StreamEnd> {
    for await (const event of events) {
      if (this.#isStopped) return { isStale: false };
      if (event.kind === 'failed') return streamEndOf(event.failure);
      if (event.kind === 'unreadable') return { isStale: true };
      this.#position = event.revision;
      if (event.kind === 'bookmark') continue;
      if (event.kind === 'written') this.#revisions?.set(event.name, event.revision);
      else this.#revisions?.delete(event.name);
      this.#report(event.name, event.kind);
    }
    return { isStale: false };
  }

  /** Reports once per outage. The first failure may be a restart of the API. */
  #reportFailure(failure: ApiFailure, verb: 'list' | 'watch'): void {
    if (this.#failures !== 1 || this.#isStopped) return;
    this.#request.onFailure(failure, verb);
  }
}

const streamEndOf = (failure: ApiFailure): StreamEnd =>
  hasStatus(failure, 410) ? { isStale: true } : { isStale: false, failure };
