import { computeBackoffDelay } from '@gateway/call-contract';
import {
  closeIgnoringErrors,
  type Connection,
  type OpenRequest,
} from '../connection/connection.ts';
import type { ConnectionFailure } from '../connection/connection-failure.ts';
import { openConnection } from '../connection/open-connection.ts';
import type { ConnectionDependencies, ConnectionObserver } from '../connection/server-link.ts';
import {
  createRelistSchedule,
  type ListReading,
  type RelistDelays,
} from '../lists/server-lists.ts';
import type { BackoffPolicy } from '../wire/limits.ts';
import type { MachineEvent, Phase } from './machine.ts';

interface DrainableConnection {
  /** Resolves when no call uses the connection. */
  waitUntilUnused(): Promise<void>;
  close(): Promise<void>;
}

/** The connections that no new request uses, by what they belong to. */
export class DrainingConnections<T> {
  readonly #draining = new Map<
    DrainableConnection,
    { readonly owner: T; readonly close: () => void }
  >();
  readonly #closing = new Map<Promise<void>, T>();

  get draining(): readonly T[] {
    return [...this.#draining.values()].map(({ owner }) => owner);
  }

  get closing(): readonly T[] {
    return [...this.#closing.values()];
  }

  /** Closes a connection. Calls that run on it fail. Resolves when it is closed. */
  close(owner: T, connection: Pick<DrainableConnection, 'close'>): Promise<void> {
    const closing = closeIgnoringErrors(connection).finally(() => this.#closing.delete(closing));
    this.#closing.set(closing, owner);
    return closing;
  }

  /** Closes a connection when its calls have ended. Resolves when it is closed. */
  drain(owner: T, connection: DrainableConnection): Promise<void> {
    return new Promise((resolve) => {
      const close = (): void => {
        if (this.#draining.delete(connection)) void this.close(owner, connection).then(resolve);
      };
      this.#draining.set(connection, { owner, close });
      void connection.waitUntilUnused().then(close);
    });
  }

  end(ends: (owner: T, connection: DrainableConnection) => boolean): void {
    for (const [connection, { owner, close }] of [...this.#draining])
      if (ends(owner, connection)) close();
  }

  /** Resolves when a connection is closed; at once when none is being closed. */
  async waitForClose(): Promise<void> {
    if (this.#closing.size > 0) await Promise.race(this.#closing.keys());
  }

  async closeAll(): Promise<void> {
    this.end(() => true);
    await Promise.all(this.#closing.keys());
  }
}

export interface PreparedAttempt {
  readonly request: Omit<OpenRequest, 'signal'>;
  readonly leave: (() => void) | undefined;
}

export interface TakenConnection {
  readonly owned: DrainableConnection;
  /** The connection serves calls from now on. Not called for an attempt that was ended. */
  readonly goLive: () => void;
}

/** The steps of an attempt that depend on its owner. No step rejects. */
export interface AttemptSteps extends Omit<ConnectionObserver, 'onListChanged'> {
  /** Waits until the attempt may begin. Resolves with `undefined` when it does not begin. */
  readonly prepare: (signal: AbortSignal) => Promise<PreparedAttempt | undefined>;
  readonly take: (connection: Connection) => Promise<TakenConnection>;
  /** Not called for an attempt that was ended. */
  readonly onFailed: (failure: ConnectionFailure) => void;
  readonly onListsRead?: (connection: Connection, reading: ListReading) => Promise<void>;
}

export class Attempt<Owner> {
  /** Resolves when the outcome is known, or the attempt was ended. */
  readonly opened: Promise<void>;
  /** Resolves when the attempt has ended completely. */
  readonly over: Promise<void>;
  #resolveOver: () => void = () => undefined;
  readonly #ending = new AbortController();
  readonly #owner: Owner;
  readonly #draining: DrainingConnections<Owner>;
  #open:
    | {
        readonly owned: DrainableConnection;
        readonly relists?: ReturnType<typeof createRelistSchedule>;
      }
    | undefined;
  #drained: DrainableConnection | undefined;
  #isLeaving = false;
  /** The server announced a change of its lists, perhaps before they were taken. */
  #isChanged = false;

  /** @param owner the owner of the connection while it drains or closes */
  constructor(
    owner: Owner,
    draining: DrainingConnections<Owner>,
    steps: AttemptSteps,
    dependencies: ConnectionDependencies & RelistDelays,
  ) {
    this.#owner = owner;
    this.#draining = draining;
    this.over = new Promise((resolve) => {
      this.#resolveOver = resolve;
    });
    this.opened = this.#run(steps, dependencies);
  }

  end(): void {
    this.#ending.abort(new Error('the connection was ended'));
    this.#release('close');
  }

  /** Closes the connection when no call uses it. */
  leave(): void {
    this.#isLeaving = true;
    this.#release('drain');
  }

  get #isEnded(): boolean {
    return this.#ending.signal.aborted;
  }

  async #run(
    steps: AttemptSteps,
    dependencies: ConnectionDependencies & RelistDelays,
  ): Promise<void> {
    const { signal } = this.#ending;
    const prepared = await steps.prepare(signal);
    if (prepared === undefined) {
      this.#resolveOver();
      return;
    }
    let isStarting = true;
    const outcome = await openConnection({ ...prepared.request, signal }, dependencies, {
      ...steps,
      onListChanged: () => {
        this.#isChanged = true;
        this.#open?.relists?.notice();
      },
      onProgress: (line) => {
        if (isStarting && !this.#isEnded) steps.onProgress?.(line);
      },
    });
    isStarting = false;
    prepared.leave?.();
    if (!outcome.ok) {
      this.#resolveOver();
      if (!this.#isEnded) steps.onFailed(outcome.failure);
      return;
    }
    const { goLive } = await this.#take(outcome.connection, steps, dependencies);
    if (this.#isEnded) return;
    goLive();
    if (this.#isChanged) this.#open?.relists?.notice();
  }

  async #take(
    connection: Connection,
    { take, onListsRead }: AttemptSteps,
    dependencies: RelistDelays,
  ): Promise<TakenConnection> {
    const taken = await take(connection);
    const relists =
      onListsRead &&
      createRelistSchedule(dependencies, connection.listReader, (reading) =>
        onListsRead(connection, reading),
      );
    this.#open = { owned: taken.owned, ...(relists === undefined ? {} : { relists }) };
    if (this.#isEnded) this.#release('close');
    else if (this.#isLeaving) this.#release('drain');
    return taken;
  }

  #release(how: 'close' | 'drain'): void {
    const open = this.#open;
    this.#open = undefined;
    if (open === undefined) {
      if (how === 'close') this.#draining.end((_owner, connection) => connection === this.#drained);
      return;
    }
    if (how === 'drain') this.#drained = open.owned;
    open.relists?.stop();
    void this.#draining[how](this.#owner, open.owned).then(() => {
      this.#resolveOver();
    });
  }
}

/** Maximum number of earlier connections of a server whose calls may finish. */
const MAX_EARLIER = 4;

/** The events after which no call may finish. */
const ENDS_CALLS: ReadonlySet<MachineEvent['kind']> = new Set(['stop', 'restart', 'redefined']);

/** The events after which the connection of a live server stays in use until the next one has replaced it. */
const KEEPS_CALLS: ReadonlySet<MachineEvent['kind']> = new Set(['rotated', 'session-ended']);

/** The attempts of a connection, one after the other. After a rotation or the end of its session, the earlier connection serves until the next is open. */
export class AttemptSeries {
  #present: Attempt<object> | undefined;
  readonly #earlier = new Set<Attempt<object>>();
  readonly #endsOfPhase: (() => void)[] = [];
  #previous: Promise<void>;
  #isRotating = false;

  /** @param predecessor resolves when an earlier server of this name has ended */
  constructor(predecessor: Promise<void>) {
    this.#previous = predecessor;
  }

  /** The earlier connection is in use until the next attempt is over. */
  get isRotating(): boolean {
    return this.#isRotating;
  }

  /** Begins the next attempt when the previous one has ended. Resolves when the outcome is known, or the attempt was ended. */
  begin(begin: (previous: Promise<void>) => Attempt<object>, onClosed: () => void): Promise<void> {
    const present = begin(this.#previous);
    this.#present = present;
    this.#previous = present.over.then(onClosed);
    return present.opened;
  }

  runAtPhaseEnd(end: () => void): void {
    this.#endsOfPhase.push(end);
  }

  follow(before: Phase, { kind }: MachineEvent, after: Phase): void {
    if (before !== after) for (const end of this.#endsOfPhase.splice(0)) end();
    if (KEEPS_CALLS.has(kind) && before.kind === 'live') {
      this.#keep();
      return;
    }
    const endsCalls = ENDS_CALLS.has(kind);
    if (endsCalls) for (const attempt of this.#earlier) attempt.end();
    if (!endsCalls && (after.kind === 'starting' || after.kind === 'restarting')) return;
    this.#isRotating = false;
    for (const attempt of this.#earlier) attempt.leave();
  }

  close(): void {
    this.#present?.end();
  }

  drain(): void {
    this.#present?.leave();
    for (const attempt of this.#earlier) attempt.leave();
  }

  async waitForEnd(): Promise<void> {
    await Promise.all([this.#previous, ...[...this.#earlier].map((attempt) => attempt.over)]);
  }

  #keep(): void {
    const kept = this.#present;
    if (kept === undefined) return;
    this.#isRotating = true;
    this.#present = undefined;
    this.#previous = Promise.resolve();
    this.#earlier.add(kept);
    void kept.over.then(() => this.#earlier.delete(kept));
    const [oldest] = this.#earlier;
    if (this.#earlier.size > MAX_EARLIER) oldest?.end();
  }
}

/** A refused session is opened again at once, and then once per step of the backoff, so that no server gets a handshake per call. */
export class SessionRenewals {
  #count = 0;
  #lastAt = -Infinity;

  /** Counts the session and returns whether it may be opened again at this monotonic time in milliseconds. */
  take(now: number, { firstMs, maxMs, stableAfterMs }: BackoffPolicy): boolean {
    const sinceMs = now - this.#lastAt;
    if (sinceMs >= stableAfterMs) this.#count = 0;
    if (this.#count > 0 && sinceMs < computeBackoffDelay(this.#count - 1, { firstMs, maxMs }))
      return false;
    this.#count += 1;
    this.#lastAt = now;
    return true;
  }
}
