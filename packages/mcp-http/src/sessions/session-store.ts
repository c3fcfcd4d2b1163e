import { ANONYMOUS, type Principal } from '@gateway/call-contract';
import { ExpiringSet } from './expiring-set.ts';
import type { McpHttpLimits } from '../protocol/limits.ts';
import { costOf, isIdle } from './session-cost.ts';
import type { Session } from './session.ts';
import { SessionTokens, type SessionFacts } from './session-token.ts';

type SessionLimits = Pick<McpHttpLimits, 'maxSessions' | 'sessionIdleMs'> &
  Partial<Pick<McpHttpLimits, 'sessionMaxAgeMs' | 'sessionRestMs' | 'maxEndedSessions'>>;

/** The options of a session store. */
export interface SessionStoreOptions {
  /** Secret that signs session ids; replicas with the same secret serve each other's sessions. */
  readonly key?: Uint8Array;
  /** An earlier secret whose ids are still accepted. */
  readonly previousKey?: Uint8Array;
  /** Milliseconds since the epoch, as other replicas count them. */
  readonly wallClock?: () => number;
}

interface StoredSession {
  readonly session: Session;
  readonly issuedAt: number;
  /** Digest of the principal that started the session. */
  readonly owner: string;
  /** The key of that principal, once it was compared with the digest. */
  ownerKey: string | undefined;
  usedAt: number;
  /** When the listener for stale sessions was last called, or could not have been. */
  checkedAt: number;
}

interface StaleListener {
  readonly afterMs: number;
  readonly listener: (session: Session) => void;
}

const DAY_MS = 86_400_000;

/** The sessions of one endpoint, bounded in number, idle time and age. Every replica that has the key accepts their ids. */
export class SessionStore {
  readonly #limits: Required<SessionLimits>;
  readonly #now: () => number;
  readonly #wallClock: () => number;
  readonly #tokens: SessionTokens;
  /** Least recently used first. */
  readonly #stored = new Map<string, StoredSession>();
  readonly #ended: ExpiringSet;
  #stale: StaleListener | undefined;
  #onEnded: ((id: string) => void) | undefined;

  /** @param now the clock, in milliseconds */
  constructor(limits: SessionLimits, now: () => number, options: SessionStoreOptions = {}) {
    this.#limits = {
      sessionMaxAgeMs: DAY_MS,
      sessionRestMs: 0,
      maxEndedSessions: limits.maxSessions,
      ...limits,
    };
    this.#now = now;
    this.#wallClock = options.wallClock ?? Date.now;
    this.#tokens = new SessionTokens(options.key, options.previousKey);
    const { maxEndedSessions: limit, sessionMaxAgeMs: keepMs } = this.#limits;
    this.#ended = new ExpiringSet({ limit, keepMs, now });
  }

  /** Calls a listener when a session is used that was stored, or reported, long ago. */
  onStale(afterMs: number, listener: (session: Session) => void): void {
    this.#stale = { afterMs, listener };
  }

  /** Calls a listener with the id of each session that has ended, and that its client cannot restore. */
  onEnded(listener: (id: string) => void): void {
    this.#onEnded = listener;
  }

  /** Number of sessions. */
  get size(): number {
    return this.#stored.size;
  }

  /** All sessions, least recently used first. */
  *all(): Iterable<Session> {
    for (const { session } of this.#stored.values()) yield session;
  }

  /**
   * Starts a session. Returns `undefined` when the store is full of sessions with running calls.
   *
   * @param features the requests that the client accepts, as bits of `clientFeatures`
   * @param ownerKey the key of the principal that starts it
   */
  create(revision: string, features = 0, ownerKey: string = ANONYMOUS.key): Session | undefined {
    if (this.#stored.size >= this.#limits.maxSessions) this.#evict(Number.POSITIVE_INFINITY);
    if (this.#stored.size >= this.#limits.maxSessions) return undefined;
    const issuedAt = this.#wallClock();
    const facts = { revision, features, issuedAt, owner: this.#tokens.ownerOf(ownerKey) };
    let id = this.#tokens.issue(facts);
    while (this.#stored.has(id)) id = this.#tokens.issue(facts);
    return this.#store(id, facts);
  }

  /**
   * Returns a session of a principal and marks it as used; restores one that another replica started or that was evicted here.
   * Returns `undefined` for the session of another principal.
   */
  useFor({ key }: Pick<Principal, 'key'>, id: string): Session | undefined {
    const stored = this.#stored.get(id);
    if (stored?.ownerKey === key) return this.#touch(stored);
    const owner = stored?.owner ?? this.#tokens.read(id)?.owner;
    if (owner === undefined || !this.#tokens.isOwner(owner, key)) return undefined;
    const session = this.use(id);
    const used = this.#stored.get(id);
    if (used !== undefined) used.ownerKey = key;
    return session;
  }

  /** Returns a session of any owner and marks it as used; for processes that have compared its principal. */
  use(id: string): Session | undefined {
    const stored = this.#stored.get(id);
    return stored === undefined ? this.#adopt(id) : this.#touch(stored);
  }

  /** Returns when a session was issued that is not stored in this process and may be served here; `undefined` for any other. */
  adoptable(id: string): number | undefined {
    if (this.#stored.has(id) || this.#ended.has(id)) return undefined;
    const facts = this.#tokens.read(id);
    return facts === undefined || this.#isTooOld(facts.issuedAt) ? undefined : facts.issuedAt;
  }

  /** Returns a session that is stored in this process, without marking it as used. */
  peek(id: string): Session | undefined {
    return this.#stored.get(id)?.session;
  }

  /** Returns whether a session was used within the idle time. */
  isInUse(id: string): boolean {
    const stored = this.#stored.get(id);
    if (stored === undefined) return false;
    return !isIdle(stored.session) || stored.usedAt > this.#now() - this.#limits.sessionIdleMs;
  }

  /** Ends a session: its calls are cancelled, its streams end, and its id is not accepted again. */
  end(session: Session): void {
    this.#ended.add(session.id);
    this.forget(session);
    this.#onEnded?.(session.id);
  }

  /** Records that a session has ended in another process. */
  recordEnd(id: string): void {
    const session = this.peek(id);
    if (session !== undefined) this.end(session);
    else if (this.#tokens.read(id) !== undefined) this.#ended.add(id);
  }

  /** Evicts a session, which its client can restore: its calls are cancelled and its streams end. */
  forget(session: Session): void {
    this.#stored.delete(session.id);
    for (const call of session.calls?.values() ?? []) call.cancel('The session has ended');
    closeStreams(session);
    session.subscriptions?.close();
    session.notificationChannels?.close();
  }

  /** Ends the sessions that were idle for too long or are too old. */
  sweep(): void {
    for (const session of this.expired()) this.end(session);
  }

  /** The sessions that were idle for too long or are too old. */
  expired(): readonly Session[] {
    return [...this.#stored.values()]
      .filter((stored) => this.#hasExpired(stored))
      .map(({ session }) => session);
  }

  /** Returns whether a session is stored in this process and was idle for too long or is too old. */
  isExpired(session: Session): boolean {
    const stored = this.#stored.get(session.id);
    return stored?.session === session && this.#hasExpired(stored);
  }

  #hasExpired({ session, usedAt, issuedAt }: StoredSession): boolean {
    const isUnused = usedAt <= this.#now() - this.#limits.sessionIdleMs && isIdle(session);
    return isUnused || this.#isTooOld(issuedAt);
  }

  #isTooOld(issuedAt: number): boolean {
    return this.#wallClock() - issuedAt > this.#limits.sessionMaxAgeMs;
  }

  #reportStale(stored: StoredSession, { afterMs, listener }: StaleListener): void {
    if (stored.usedAt - stored.checkedAt < afterMs) return;
    stored.checkedAt = stored.usedAt;
    listener(stored.session);
  }

  /** Marks a session as used, and ends it instead when it is too old. */
  #touch(stored: StoredSession): Session | undefined {
    const { session, issuedAt } = stored;
    if (this.#isTooOld(issuedAt)) {
      this.end(session);
      return undefined;
    }
    stored.usedAt = this.#now();
    this.#stored.delete(session.id);
    this.#stored.set(session.id, stored);
    if (this.#stale !== undefined) this.#reportStale(stored, this.#stale);
    return session;
  }

  #adopt(id: string): Session | undefined {
    if (this.#ended.has(id)) return undefined;
    const facts = this.#tokens.read(id);
    if (facts === undefined || this.#isTooOld(facts.issuedAt)) return undefined;
    const { maxSessions, sessionRestMs } = this.#limits;
    if (this.#stored.size >= maxSessions) this.#evict(this.#now() - sessionRestMs);
    return this.#stored.size >= maxSessions ? undefined : this.#store(id, facts);
  }

  #store(id: string, { revision, features, issuedAt, owner }: SessionFacts): Session {
    const session: Session = { id, revision, features };
    const usedAt = this.#now();
    const times = { issuedAt, usedAt, checkedAt: usedAt };
    this.#stored.set(id, { session, owner, ownerKey: undefined, ...times });
    return session;
  }

  /** Evicts the least recently used session; it is restored when its client sends a request. */
  #evict(usedBefore: number): void {
    let victim: Session | undefined;
    for (const { session, usedAt } of this.#stored.values()) {
      if (usedAt > usedBefore) break;
      if (victim === undefined || costOf(session) < costOf(victim)) victim = session;
      if (costOf(victim) === 0) break;
    }
    if (victim !== undefined && (victim.calls?.size ?? 0) === 0) this.forget(victim);
  }
}

const closeStreams = ({ channels, streams, resumable }: Session): void => {
  for (const channel of [...(channels ?? [])]) channel.close();
  for (const stream of streams ?? []) stream.end();
  resumable?.close();
};
