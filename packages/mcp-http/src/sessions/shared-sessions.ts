import type { JsonObject } from '@gateway/call-contract';
import { isLogLevel } from '../protocol/client-features.ts';
import type { McpHttpLimits } from '../protocol/limits.ts';
import type { PeerBus } from '../wire/peers.ts';
import { isIdle, type Session, type SessionStore } from './session-store.ts';

/** A resource that a session is subscribed to, and the headers that authorized it. */
export interface ResourceSubscription {
  readonly uri: string;
  /** Lines of headers by name. */
  readonly scope: JsonObject;
}

/** The stored state of a session. */
export interface SessionRecord {
  readonly isEnded: boolean;
  /** True when a process has marked the session as used, and the mark has not expired. */
  readonly isUsed: boolean;
  /** When the store began to record marks, in milliseconds since 1970. Earlier marks may be lost. */
  readonly marksSince: number;
  readonly logLevel: string | undefined;
  readonly followed: readonly ResourceSubscription[];
}

/**
 * Stores the session state that is not part of the session ID, shared by all processes. Every method may reject: the endpoint then serves a
 * session by its id alone. Lifetimes are in milliseconds.
 */
export interface SessionRecords {
  read(id: string): Promise<SessionRecord>;
  markUsed(id: string, ttlMs: number): Promise<void>;
  markEnded(id: string, ttlMs: number): Promise<void>;
  setLogLevel(id: string, level: string, ttlMs: number): Promise<void>;
  follow(id: string, resource: ResourceSubscription, ttlMs: number): Promise<void>;
  unfollow(id: string, uri: string): Promise<void>;
}

/**
 * The sessions of one endpoint in a store that its processes share. A session that this process knows costs no operation of the store for a
 * request; the store is asked before an unknown one is served, and about each one that is used again after `STALE_MS`. A store that
 * does not answer ends no session.
 */
export class SharedSessions {
  readonly #records: SessionRecords;
  readonly #sessions: SessionStore;
  readonly #limits: McpHttpLimits;
  /** Sessions that are being looked up. */
  readonly #lookups = new Map<string, Promise<void>>();

  constructor(records: SessionRecords, sessions: SessionStore, limits: McpHttpLimits) {
    this.#records = records;
    this.#sessions = sessions;
    this.#limits = limits;
    sessions.onStale(computeStaleMs(limits), (session) => void this.touch(session));
  }

  /** Looks up a session that this process does not know. Returns `undefined` when a request can be served at once. */
  prepare(id: unknown): Promise<void> | undefined {
    if (typeof id !== 'string') return undefined;
    const issuedAt = this.#sessions.findIssueTime(id);
    if (issuedAt === undefined) return undefined;
    const running = this.#lookups.get(id);
    if (running !== undefined) return running;
    const lookup = this.#lookUp(id, issuedAt).finally(() => this.#lookups.delete(id));
    this.#lookups.set(id, lookup);
    return lookup;
  }

  /** Marks a session as used, and ends it here when another process has ended it. Never rejects. */
  async touch({ id }: Session): Promise<void> {
    const [record] = await Promise.all([this.#read(id), this.#markUsed(id)]);
    if (record?.isEnded === true) this.#sessions.recordEnd(id);
  }

  /** Resolves to true when a process used the session within the idle time, or when the store does not answer. */
  async isUsed({ id }: Session): Promise<boolean> {
    const record = await this.#read(id);
    return record === undefined || this.#mayBeUsed(record);
  }

  /** Records the end of a session. Never rejects. */
  async end({ id }: Session): Promise<void> {
    await this.#records.markEnded(id, this.#limits.sessionMaxAgeMs).catch(ignore);
  }

  /** Records the level of log messages. Never rejects. */
  async setLogLevel({ id }: Session, level: string): Promise<void> {
    await this.#records.setLogLevel(id, level, this.#limits.sessionMaxAgeMs).catch(ignore);
  }

  /** Records that a session follows a resource. Never rejects. */
  async follow({ id }: Session, resource: ResourceSubscription): Promise<void> {
    await this.#records.follow(id, resource, this.#limits.sessionMaxAgeMs).catch(ignore);
  }

  /** Records that a session no longer follows a resource. Never rejects. */
  async unfollow({ id }: Session, uri: string): Promise<void> {
    await this.#records.unfollow(id, uri).catch(ignore);
  }

  /** Resolves with the resources that a session follows; none when the store does not answer. */
  async readSubscriptions({ id }: Session): Promise<readonly ResourceSubscription[]> {
    return (await this.#read(id))?.followed ?? [];
  }

  async #lookUp(id: string, issuedAt: number): Promise<void> {
    const record = await this.#read(id);
    // The time of issue is truncated to seconds.
    const isYoung = Date.now() - issuedAt < this.#limits.sessionIdleMs + 1_000;
    if (record !== undefined && (record.isEnded || !(this.#mayBeUsed(record) || isYoung))) {
      this.#sessions.recordEnd(id);
      return;
    }
    const session = this.#sessions.use(id);
    if (session === undefined) return;
    if (isLogLevel(record?.logLevel)) session.logLevel = record.logLevel;
    void this.#markUsed(id);
  }

  /** After a data loss, a missing mark is inconclusive until every active session was marked again. */
  #mayBeUsed({ isUsed, marksSince }: SessionRecord): boolean {
    return isUsed || Date.now() - marksSince < this.#markMs;
  }

  /** The lifetime of a mark: the longest interval between two marks of an active session. */
  get #markMs(): number {
    return this.#limits.sessionIdleMs + computeStaleMs(this.#limits);
  }

  async #read(id: string): Promise<SessionRecord | undefined> {
    return this.#records.read(id).catch(() => undefined);
  }

  async #markUsed(id: string): Promise<void> {
    await this.#records.markUsed(id, this.#markMs).catch(ignore);
  }
}

/** The store reports its failures itself. */
const ignore = (): void => undefined;

/** Milliseconds after which a session that is used is looked up again. */
const STALE_MS = 30_000;

/** The use of a session is recorded at least this many times per idle time. */
const USES_PER_IDLE_TIME = 10;

/** Returns the interval at which the store is asked about an active session, in milliseconds. */
const computeStaleMs = ({ sessionIdleMs }: McpHttpLimits): number =>
  Math.min(STALE_MS, sessionIdleMs / USES_PER_IDLE_TIME);

/** The state of an endpoint that holds its sessions. */
interface SessionParts {
  readonly limits: McpHttpLimits;
  readonly sessions: SessionStore;
  readonly shared: SharedSessions | undefined;
  readonly bus: PeerBus;
}

/** Ends sessions in all processes: at the request of their clients, and those that no process uses. */
export class SessionTerminator {
  readonly #parts: SessionParts;

  constructor(parts: SessionParts) {
    this.#parts = parts;
    const { bus, sessions } = parts;
    bus.on('session-ended', ({ session }) => sessions.recordEnd(String(session)));
    bus.on('session-used', (body, from) => {
      if (sessions.isInUse(String(body['session']))) bus.reply(body, from);
    });
  }

  /** Ends a session at the request of its client. Returns a promise when the end is recorded for other processes; it never rejects. */
  end(session: Session): Promise<void> | undefined {
    const { sessions, bus, shared } = this.#parts;
    sessions.end(session);
    bus.send('session-ended', { session: session.id });
    return shared?.end(session);
  }

  /** Ends the sessions that are unused in every process. */
  sweep(): void {
    const { sessions, bus, shared } = this.#parts;
    if (shared !== undefined) {
      // A session with an open stream sends no request that would mark it as used.
      for (const session of sessions.list()) if (!isIdle(session)) void shared.touch(session);
    }
    for (const session of sessions.listExpired()) {
      if (!bus.hasPeers && shared === undefined) sessions.end(session);
      // A session that no peer can be asked about now is checked on the next sweep.
      else if (shared !== undefined || bus.canAsk) void this.#sweepOne(session);
    }
  }

  async #sweepOne(session: Session): Promise<void> {
    const { sessions, bus, shared } = this.#parts;
    const isUsed = await this.#isUsedElsewhere(session);
    if (!sessions.isExpired(session)) return;
    if (!isUsed) {
      sessions.end(session);
      // In a shared store the missing mark of use says that the session has ended.
      if (shared === undefined) bus.send('session-ended', { session: session.id });
    } else if ((session.notificationChannels?.size ?? 0) === 0) sessions.forget(session);
    // The client receives the messages of this process through another one.
    else sessions.use(session.id);
  }

  async #isUsedElsewhere(session: Session): Promise<boolean> {
    const { bus, shared, limits } = this.#parts;
    if (shared !== undefined) return shared.isUsed(session);
    const peer = await bus.ask('session-used', { session: session.id }, limits.peerTimeoutMs);
    return peer !== undefined;
  }
}
