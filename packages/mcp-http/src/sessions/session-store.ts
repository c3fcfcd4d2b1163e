import type { HeaderValue } from '../protocol/client-message.ts';
import type { EndpointRefusal } from '../protocol/refusal.ts';
import type { RpcId } from '@gateway/mcp-wire';
import { ANONYMOUS, type InFlightMap, type Principal } from '@gateway/call-contract';
import type { EventStream } from '../wire/event-stream.ts';
import type { RequestContext } from '../protocol/mcp-service.ts';
import type { RequestScope, ScopedRequest } from '../protocol/results.ts';
import type { ClientSubscriptions } from './subscriptions.ts';
import type { NotificationChannels, SessionStreams } from './session-streams.ts';
import type { McpHttpLimits } from '../protocol/limits.ts';
import { type SessionFacts, SessionTokens } from './session-token.ts';

/** A stream of a session for messages that belong to no request. */
export interface SessionChannel {
  /** Sends a message that may be dropped when the reader lags behind. */
  notify(message: string): void;
  /** Closes the stream; it cannot be resumed. */
  close(): void;
  /** The request that reads the stream now. */
  readonly reader: StreamReader;
}

export type StreamReader = Pick<RequestContext, 'principal' | 'header'>;

/** A call that runs in a session. */
interface SessionCall {
  /** Ends the call for its caller, which waits for no answer. */
  cancel(reason: string): void;
}

/** One session of a 2025-era client: the state between its requests. It holds no toolset. */
export interface Session {
  readonly id: string;
  /** Protocol revision agreed at the last `initialize`. */
  revision: string;
  /** The requests that the client accepts, as bits of `parseClientFeatures`. */
  features: number;
  /** The least severe level of log messages that the client has asked for. */
  logLevel?: string;
  /** Calls that run, by the id of their request; made on first use, like the rest: most sessions of a busy endpoint are idle. */
  calls?: InFlightMap<RpcId, SessionCall>;
  /** Open streams, oldest first. */
  streams?: Set<Pick<EventStream, 'announceStop' | 'end'>>;
  /** Streams for messages of the session, oldest first. */
  channels?: Set<SessionChannel>;
  /** Streams that the client may come back to. */
  resumable?: SessionStreams;
  /** The resources that the client follows. */
  subscriptions?: ClientSubscriptions;
  /** Channels to the client that outlive the calls that opened them. */
  notificationChannels?: NotificationChannels;
}

/** The scope of a request, with the session that it belongs to. */
export interface SessionScope extends RequestScope {
  readonly session: Session | undefined;
  /** The key under which the caller is counted; `undefined` on a connection with one caller. */
  readonly callerKey?: string | undefined;
  /** The name of the only client of a connection. */
  readonly client?: string;
}

/** Returns the id of the session that the client of a request names; the only client of a connection names none. */
export const readSessionId = ({ session, client }: SessionScope): string | undefined =>
  client === undefined ? session?.id : undefined;

/** A request together with its scope and session. */
export type SessionRequest = ScopedRequest<SessionScope>;

/** Returns the cost of an eviction for the client: nothing, its subscriptions, its open streams or its calls. */
const computeEvictionCost = ({
  calls,
  streams,
  subscriptions,
  notificationChannels,
}: Session): number => {
  if (hasAny(calls)) return 3;
  if (hasAny(streams)) return 2;
  return hasAny(subscriptions) || hasAny(notificationChannels) ? 1 : 0;
};

/** Returns whether a session has no call and no stream. */
export const isIdle = ({ calls, streams }: Session): boolean => !hasAny(calls) && !hasAny(streams);

const hasAny = (some: { readonly size: number } | undefined): boolean => (some?.size ?? 0) > 0;

/** A bounded set of texts that expire; the oldest is removed for a new one. */
export class ExpiringSet {
  readonly #limit: number;
  readonly #keepMs: number;
  readonly #now: () => number;
  /** End of each text's time, oldest first. */
  readonly #ends = new Map<string, number>();

  /** @param now the clock, in milliseconds */
  constructor(limit: number, keepMs: number, now: () => number) {
    this.#limit = limit;
    this.#keepMs = keepMs;
    this.#now = now;
  }

  /** Number of texts held, expired ones included. */
  get size(): number {
    return this.#ends.size;
  }

  /** Remembers a text for the whole time from now on. */
  add(text: string): void {
    this.#ends.delete(text);
    this.#ends.set(text, this.#now() + this.#keepMs);
    for (const [oldest, end] of this.#ends) {
      if (this.#ends.size <= this.#limit && end > this.#now()) return;
      this.#ends.delete(oldest);
    }
  }

  /** Returns whether the set contains a text. */
  has(text: string): boolean {
    const end = this.#ends.get(text);
    return end !== undefined && end > this.#now();
  }
}

interface SessionStoreOptions {
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

/** The session that a request names, if it names one. */
export type FoundSession =
  | { readonly ok: true; readonly session: Session | undefined }
  | { readonly ok: false; readonly refusal: EndpointRefusal };

const NO_SESSION: FoundSession = { ok: true, session: undefined };

interface StaleListener {
  readonly afterMs: number;
  readonly listener: (session: Session) => void;
}

/** The sessions of one endpoint, bounded in number, idle time and age. Every replica that has the key accepts their ids. */
export class SessionStore {
  readonly #limits: McpHttpLimits;
  readonly #now: () => number;
  readonly #wallClock: () => number;
  readonly #tokens: SessionTokens;
  /** Least recently used first. */
  readonly #stored = new Map<string, StoredSession>();
  readonly #ended: ExpiringSet;
  #stale: StaleListener | undefined;
  #onEnded: ((id: string) => void) | undefined;

  /** @param now the clock, in milliseconds */
  constructor(limits: McpHttpLimits, now: () => number, options: SessionStoreOptions = {}) {
    this.#limits = limits;
    this.#now = now;
    this.#wallClock = options.wallClock ?? Date.now;
    this.#tokens = new SessionTokens(options.key, options.previousKey);
    this.#ended = new ExpiringSet(this.#limits.maxEndedSessions, this.#limits.sessionMaxAgeMs, now);
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
  *list(): Iterable<Session> {
    for (const { session } of this.#stored.values()) yield session;
  }

  /**
   * Starts a session. Returns `undefined` when the store is full of sessions with running calls.
   *
   * @param features the requests that the client accepts, as bits of `parseClientFeatures`
   * @param ownerKey the key of the principal that starts it
   */
  create(revision: string, features = 0, ownerKey: string = ANONYMOUS.key): Session | undefined {
    if (this.#stored.size >= this.#limits.maxSessions) this.#evict(Number.POSITIVE_INFINITY);
    if (this.#stored.size >= this.#limits.maxSessions) return undefined;
    const issuedAt = this.#wallClock();
    const facts = { revision, features, issuedAt, owner: this.#tokens.computeOwner(ownerKey) };
    let id = this.#tokens.issue(facts);
    while (this.#stored.has(id)) id = this.#tokens.issue(facts);
    return this.#store(id, facts, ownerKey);
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

  /** Finds the session that the header of a request names; the session of another principal does not exist for it. */
  find(principal: Pick<Principal, 'key'>, sessionId: HeaderValue): FoundSession {
    if (sessionId === undefined) return NO_SESSION;
    const session = typeof sessionId === 'string' ? this.useFor(principal, sessionId) : undefined;
    return session === undefined
      ? { ok: false, refusal: { code: 'session-not-found' } }
      : { ok: true, session };
  }

  /** Returns a session of any owner and marks it as used; for processes that have compared its principal. */
  use(id: string): Session | undefined {
    const stored = this.#stored.get(id);
    return stored === undefined ? this.#adopt(id) : this.#touch(stored);
  }

  /** Returns when a session was issued that is not stored in this process and may be served here; `undefined` for any other. */
  findIssueTime(id: string): number | undefined {
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

  /** The sessions that were idle for too long or are too old. */
  listExpired(): readonly Session[] {
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

  #store(
    id: string,
    { revision, features, issuedAt, owner }: SessionFacts,
    ownerKey?: string,
  ): Session {
    const session: Session = { id, revision, features };
    const usedAt = this.#now();
    const times = { issuedAt, usedAt, checkedAt: usedAt };
    this.#stored.set(id, { session, owner, ownerKey, ...times });
    return session;
  }

  /** Evicts the least recently used session; it is restored when its client sends a request. */
  #evict(usedBefore: number): void {
    let victim: Session | undefined;
    for (const { session, usedAt } of this.#stored.values()) {
      if (usedAt > usedBefore) break;
      if (victim === undefined || computeEvictionCost(session) < computeEvictionCost(victim))
        victim = session;
      if (computeEvictionCost(victim) === 0) break;
    }
    if (victim !== undefined && (victim.calls?.size ?? 0) === 0) this.forget(victim);
  }
}

const closeStreams = ({ channels, streams, resumable }: Session): void => {
  for (const channel of [...(channels ?? [])]) channel.close();
  for (const stream of streams ?? []) stream.end();
  resumable?.close();
};
