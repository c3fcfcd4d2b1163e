import { type Backoff, computeBackoffDelay } from '@gateway/call-contract';
import type { IncomingMessage } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { ApiConnection } from './api-connection.ts';
import {
  type ApiKind,
  formatCollectionPath,
  toFields,
  parseJson,
  toText,
  type VersionedObject,
  parseVersionedObject,
  watchMediaType,
} from './api-object.ts';
import { type ApiFailure, hasStatus, parseRefusal } from './api-result.ts';
import { listObjects, type ListRequest, type ObjectList } from './object-requests.ts';

/** The time without an event or a bookmark after which a watch is opened again, in milliseconds. Servers send a bookmark each minute. */
const WATCH_SILENCE_MS = 150_000;

/** The maximum length of a line of a watch, in bytes. */
const MAX_WATCH_LINE_BYTES = 16 * 1024 * 1024;

/** The time for which a watch may continue after its timeout, in milliseconds. */
const WATCH_GRACE_MS = 30_000;

/** The time after which the API is asked to end a watch, in seconds. */
export const WATCH_SECONDS = 240;

const DELAYS: Backoff = { firstMs: 100, maxMs: 30_000, jitter: 0.5 };

/** A change of an object. A deleted object is in its last version. */
export interface ObjectEvent {
  readonly kind: 'written' | 'deleted';
  readonly object: VersionedObject;
}

/** An event of a watch. A bookmark has only the position of the watch. */
type WatchEvent =
  | ObjectEvent
  | { readonly kind: 'bookmark'; readonly revision: string }
  | { readonly kind: 'failed'; readonly failure: ApiFailure }
  | { readonly kind: 'unreadable' };

const KINDS: ReadonlyMap<unknown, 'written' | 'deleted' | 'bookmark'> = new Map([
  ['ADDED', 'written'],
  ['MODIFIED', 'written'],
  ['DELETED', 'deleted'],
  ['BOOKMARK', 'bookmark'],
]);

const parseEvent = (line: string, watched: ApiKind): WatchEvent => {
  const fields = toFields(parseJson(line));
  const object = toFields(fields['object']);
  if (fields['type'] === 'ERROR')
    return { kind: 'failed', failure: parseRefusal(Number(object['code'] ?? 0), object) };
  const kind = KINDS.get(fields['type']);
  const revision = toText(toFields(object['metadata'])['resourceVersion']);
  if (kind === undefined || revision === undefined) return { kind: 'unreadable' };
  if (kind === 'bookmark') return { kind, revision };
  const versioned = parseVersionedObject(object, watched);
  return versioned === undefined ? { kind: 'unreadable' } : { kind, object: versioned };
};

const NEWLINE = 0x0a;

/** Yields the events of a watch. Ends with the stream; throws when the connection fails. A line that is too long is an unreadable event. */
export async function* watchEvents(
  stream: IncomingMessage,
  kind: ApiKind,
): AsyncGenerator<WatchEvent, void> {
  let pending: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    let rest = chunk;
    for (let end = rest.indexOf(NEWLINE); end !== -1; end = rest.indexOf(NEWLINE)) {
      const line = Buffer.concat([...pending, rest.subarray(0, end)]).toString('utf8');
      pending = [];
      bytes = 0;
      rest = rest.subarray(end + 1);
      if (line.trim() !== '') yield parseEvent(line, kind);
    }
    bytes += rest.length;
    if (bytes > MAX_WATCH_LINE_BYTES) {
      yield { kind: 'unreadable' };
      return;
    }
    pending.push(rest);
  }
}

/** The objects to follow. */
export interface FollowedObjects extends ListRequest {
  /** The time without an event after which the watch is opened again, in milliseconds; 150,000 when absent. */
  readonly silenceMs?: number;
}

/** Receives objects and outages. The functions must not throw. */
interface ObjectSink {
  /** Called with each complete list. */
  readonly onList: (list: ObjectList) => void;
  readonly onEvent: (event: ObjectEvent) => void;
  /** Called once per outage, when the second attempt fails. */
  readonly onFailure: (failure: ApiFailure, verb: 'list' | 'watch') => void;
  /** Called after each list that succeeded, each event and each stream that made progress. */
  readonly onProgress: () => void;
}

/** The end of a stream. After a stale stream, a new list is required. */
interface StreamEnd {
  readonly isStale: boolean;
  readonly failure?: ApiFailure;
}

/** A stream that lasted this long has made progress even without events, in milliseconds. */
const PROGRESS_MS = 10_000;
/** After so many consecutive responses without progress, the objects are listed again: some servers end the watch of a lost version silently. */
const MAX_FRUITLESS = 3;

/**
 * Follows all objects of a kind: a list, then a watch that continues from the last version. When the API has lost that version (410), lists
 * again. A watch without events and bookmarks is opened again. Retries with exponential backoff, not earlier than the API asks for.
 */
export class ObjectListWatch {
  readonly #synced: Promise<boolean>;
  readonly #connection: ApiConnection;
  readonly #followed: FollowedObjects;
  readonly #sink: ObjectSink;
  readonly #stopping = new AbortController();
  #position: string | undefined;
  #failures = 0;
  #fruitless = 0;
  #retryAfterMs = 0;

  constructor(connection: ApiConnection, followed: FollowedObjects, sink: ObjectSink) {
    this.#connection = connection;
    this.#followed = followed;
    this.#sink = sink;
    this.#synced = this.#list();
    void this.#follow();
  }

  /** Resolves when changes from now on are reported, or when the first attempt has failed. */
  async waitForSync(): Promise<void> {
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

  /** Resolves after the delay; to false when it was stopped meanwhile. */
  async #backOff(): Promise<boolean> {
    const options = { signal: this.#stopping.signal, ref: false };
    const waitMs = Math.max(computeBackoffDelay(this.#failures, DELAYS), this.#retryAfterMs);
    this.#retryAfterMs = 0;
    return delay(waitMs, true, options).catch(() => false);
  }

  async #list(): Promise<boolean> {
    const list = await listObjects(this.#connection, this.#followed);
    if (this.#isStopped) return false;
    if (!list.ok) {
      this.#reportFailure(list.failure, 'list');
      return false;
    }
    this.#position = list.value.revision;
    this.#sink.onList(list.value);
    this.#sink.onProgress();
    return true;
  }

  /** Reads one stream. Returns whether it made progress. */
  async #stream(position: string): Promise<boolean> {
    const startedAt = performance.now();
    const end = await this.#read(position);
    const hasProgress = this.#position !== position || performance.now() - startedAt > PROGRESS_MS;
    if (hasProgress) this.#fruitless = 0;
    else if (isAnswered(end)) this.#fruitless += 1;
    if (hasProgress && !this.#isStopped) this.#sink.onProgress();
    if (end.failure !== undefined) this.#reportFailure(end.failure, 'watch');
    if (!end.isStale && this.#fruitless < MAX_FRUITLESS) return hasProgress;
    this.#position = undefined;
    this.#fruitless = 0;
    return hasProgress;
  }

  async #read(position: string): Promise<StreamEnd> {
    const { kind, namespace, selector, part, silenceMs = WATCH_SILENCE_MS } = this.#followed;
    const ended = new AbortController();
    const abort = (): void => ended.abort();
    this.#stopping.signal.addEventListener('abort', abort, { once: true });
    const timer = setTimeout(abort, WATCH_SECONDS * 1000 + WATCH_GRACE_MS).unref();
    const silence = setTimeout(abort, silenceMs).unref();
    try {
      const opened = await this.#connection.openStream(
        {
          method: 'GET',
          path: formatCollectionPath(kind, namespace),
          accept: watchMediaType(part),
          query: {
            ...selector,
            watch: 'true',
            allowWatchBookmarks: 'true',
            resourceVersion: position,
            timeoutSeconds: String(WATCH_SECONDS),
          },
        },
        ended.signal,
      );
      if (!opened.ok) return toStreamEnd(opened.failure);
      return await this.#take(watchEvents(opened.value, kind), silence);
    } catch {
      return { isStale: false, failure: { kind: 'broken', code: 'ECONNRESET' } };
    } finally {
      clearTimeout(timer);
      clearTimeout(silence);
      ended.abort();
      this.#stopping.signal.removeEventListener('abort', abort);
    }
  }

  async #take(events: AsyncIterable<WatchEvent>, silence: NodeJS.Timeout): Promise<StreamEnd> {
    for await (const event of events) {
      if (this.#isStopped) return { isStale: false };
      silence.refresh();
      if (event.kind === 'failed') return toStreamEnd(event.failure);
      if (event.kind === 'unreadable') return { isStale: true };
      this.#position = event.kind === 'bookmark' ? event.revision : event.object.revision;
      this.#sink.onProgress();
      if (event.kind !== 'bookmark') this.#sink.onEvent(event);
    }
    return { isStale: false };
  }

  /** Reports once per outage. The first failure may be a restart of the API. */
  #reportFailure(failure: ApiFailure, verb: 'list' | 'watch'): void {
    if (failure.kind === 'refused') this.#retryAfterMs = failure.retryAfterMs ?? 0;
    if (this.#failures !== 1 || this.#isStopped) return;
    this.#sink.onFailure(failure, verb);
  }
}

/** Returns whether the API has answered the request. The version is not lost while it is unreachable or overloaded (429). */
const isAnswered = ({ failure }: StreamEnd): boolean =>
  failure === undefined || (failure.kind === 'refused' && failure.status !== 429);

const toStreamEnd = (failure: ApiFailure): StreamEnd =>
  hasStatus(failure, 410) ? { isStale: true } : { isStale: false, failure };
