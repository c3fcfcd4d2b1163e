import type { ApiConnection, ApiStream } from '../connection/api-connection.ts';
import { hasStatus } from '../connection/api-result.ts';
import { watchEvents } from '../informer/watch-events.ts';
import { WATCH_SECONDS } from '../limits.ts';
import { collectionPath, type ObjectKey } from '../objects/api-kind.ts';
import type { VersionedObject } from '../objects/api-object.ts';
import { LEASE } from './lease.ts';

/** Receives the changes of a lease. The functions must not throw. */
export interface LeaseSink {
  /** Called with each new version; `undefined` when the lease was deleted. */
  readonly onLease: (object: VersionedObject | undefined) => void;
  /** Called when the watch has begun, and when it has ended by itself. */
  readonly onChange: () => void;
}

/** The time after which a refused watch is tried again, in milliseconds. */
const REFUSED_MS = 600_000;

/** A watch of one lease. Needs the permission to watch the lease by its name; without it no watch is open. */
export class LeaseWatch {
  readonly #connection: ApiConnection;
  readonly #key: ObjectKey;
  readonly #sink: LeaseSink;
  #current: AbortController | undefined;
  #isOpen = false;
  #refusedUntil = 0;

  constructor(connection: ApiConnection, key: ObjectKey, sink: LeaseSink) {
    this.#connection = connection;
    this.#key = key;
    this.#sink = sink;
  }

  /** Returns whether changes are reported now. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Opens the watch after a version of the lease, unless it is open. */
  open(revision: string): void {
    if (this.#current !== undefined || performance.now() < this.#refusedUntil) return;
    this.#current = new AbortController();
    void this.#follow(revision, this.#current);
  }

  close(): void {
    this.#current?.abort();
    this.#current = undefined;
    this.#isOpen = false;
  }

  async #follow(revision: string, current: AbortController): Promise<void> {
    const { signal } = current;
    try {
      const opened = await this.#connection.openStream(this.#request(revision), signal);
      if (!signal.aborted) await this.#take(opened, signal);
    } catch {
      // The connection is lost, which the next read of the lease reports.
    } finally {
      if (!signal.aborted) {
        this.close();
        this.#sink.onChange();
      }
    }
  }

  async #take(opened: ApiStream, signal: AbortSignal): Promise<void> {
    if (!opened.ok) {
      if (hasStatus(opened.failure, 403)) this.#refusedUntil = performance.now() + REFUSED_MS;
      return;
    }
    this.#isOpen = true;
    this.#sink.onChange();
    for await (const event of watchEvents(opened.value, LEASE)) {
      if (signal.aborted || event.kind === 'failed' || event.kind === 'unreadable') return;
      if (event.kind === 'bookmark' || event.object.object.metadata.name !== this.#key.name)
        continue;
      this.#sink.onLease(event.kind === 'deleted' ? undefined : event.object);
    }
  }

  #request(revision: string): Parameters<ApiConnection['openStream']>[0] {
    const { namespace, name } = this.#key;
    return {
      method: 'GET',
      path: collectionPath(LEASE, namespace),
      query: {
        ...{ watch: 'true', allowWatchBookmarks: 'true', resourceVersion: revision },
        ...{ fieldSelector: `metadata.name=${name}`, timeoutSeconds: String(WATCH_SECONDS) },
      },
    };
  }
}
