import type { ApiConnection, ApiStream } from './api-connection.ts';
import {
  type ApiKind,
  formatApiVersion,
  formatCollectionPath,
  toFields,
  type ObjectKey,
  toText,
  type VersionedObject,
} from './api-object.ts';
import { hasStatus } from './api-result.ts';
import { WATCH_SECONDS } from './list-watch.ts';
import { watchEvents } from './list-watch.ts';

/** Leases of the Kubernetes API. */
export const LEASE: ApiKind = {
  group: 'coordination.k8s.io',
  version: 'v1',
  kind: 'Lease',
  resource: 'leases',
};

/** A lease as one version of its object states it. */
export interface Lease {
  /** Resource version of the object. */
  readonly revision: string;
  /** Empty when no process holds the lease. */
  readonly holder: string;
  /** Milliseconds without a renewal after which another process may take the lease. */
  readonly durationMs: number;
  readonly transitions: number;
  readonly acquireTime: string | undefined;
  /** The object, for the next version of it. */
  readonly object: Readonly<Record<string, unknown>>;
}

/** A lease of another program can have any duration. */
const MAX_DURATION_SECONDS = 120;

const toNumber = (value: unknown, fallback: number): number =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : fallback;

/** Returns the lease in an object. A missing duration is the one given. */
export const parseLease = (
  object: Readonly<Record<string, unknown>>,
  defaultDurationMs: number,
): Lease => {
  const metadata = toFields(object['metadata']);
  const spec = toFields(object['spec']);
  const seconds = toNumber(spec['leaseDurationSeconds'], defaultDurationMs / 1000);
  return {
    revision: toText(metadata['resourceVersion']) ?? '',
    holder: toText(spec['holderIdentity']) ?? '',
    durationMs: Math.min(seconds, MAX_DURATION_SECONDS) * 1000,
    transitions: toNumber(spec['leaseTransitions'], 0),
    acquireTime: toText(spec['acquireTime']),
    object,
  };
};

/** The content that a process writes into a lease. */
interface LeaseWrite {
  readonly key: ObjectKey;
  /** Empty to release the lease. */
  readonly holder: string;
  readonly durationMs: number;
  readonly now: Date;
}

/** The API accepts exactly six digits of a second. */
const formatMicroTime = (time: Date): string => time.toISOString().replace('Z', '000Z');

/** A release is not a transition: the next holder counts it. */
const countTransitions = (holder: string, before: Lease | undefined): number => {
  if (before === undefined) return 0;
  return before.transitions + (holder === '' || holder === before.holder ? 0 : 1);
};

/** Returns the object that takes, renews or releases a lease; of a new lease when there was none. */
export const createLeaseObject = (
  { key, holder, durationMs, now }: LeaseWrite,
  before?: Lease,
): Readonly<Record<string, unknown>> => {
  const isSame = before?.holder === holder;
  const time = formatMicroTime(now);
  const transitions = countTransitions(holder, before);
  const acquireTime = isSame ? (before.acquireTime ?? time) : time;
  return {
    ...before?.object,
    apiVersion: formatApiVersion(LEASE),
    kind: LEASE.kind,
    metadata: before === undefined ? key : before.object['metadata'],
    spec: {
      ...toFields(before?.object['spec']),
      holderIdentity: holder,
      leaseDurationSeconds: Math.max(1, Math.round(durationMs / 1000)),
      acquireTime,
      renewTime: time,
      leaseTransitions: transitions,
    },
  };
};

/** Receives the changes of a lease. The functions must not throw. */
interface LeaseSink {
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
      path: formatCollectionPath(LEASE, namespace),
      query: {
        watch: 'true',
        allowWatchBookmarks: 'true',
        resourceVersion: revision,
        fieldSelector: `metadata.name=${name}`,
        timeoutSeconds: String(WATCH_SECONDS),
      },
    };
  }
}
