import type { McpHttpLimits } from '../protocol/limits.ts';
import { isLogLevel } from '../protocol/log-level.ts';
import type { FollowedResource, SessionRecord, SessionRecords } from './session-records.ts';
import type { SessionStore } from './session-store.ts';
import type { Session } from './session.ts';

/** The dependencies of {@link SharedSessions}. */
export interface SharedSessionsDependencies {
  readonly records: SessionRecords;
  readonly sessions: SessionStore;
  readonly limits: Pick<McpHttpLimits, 'sessionIdleMs' | 'sessionMaxAgeMs'>;
}

/**
 * The sessions of one endpoint in a store that its processes share. A session that this process knows costs no operation of the store for a
 * request; the store is asked before an unknown one is served, and about each one that is used again after `STALE_MS`. A store that
 * does not answer ends no session.
 */
export class SharedSessions {
  readonly #dependencies: SharedSessionsDependencies;
  /** Sessions that are being looked up. */
  readonly #lookups = new Map<string, Promise<void>>();

  constructor(dependencies: SharedSessionsDependencies) {
    this.#dependencies = dependencies;
    const { sessions, limits } = dependencies;
    sessions.onStale(staleAfterMs(limits), (session) => void this.touch(session));
  }

  /** Looks up a session that this process does not know. Returns `undefined` when a request can be served at once. */
  prepare(id: unknown): Promise<void> | undefined {
    if (typeof id !== 'string') return undefined;
    const issuedAt = this.#dependencies.sessions.adoptable(id);
    if (issuedAt === undefined) return undefined;
    const running = this.#lookups.get(id);
    if (running !== undefined) return running;
    const lookup = this.#lookUp(id, issuedAt).finally(() => this.#lookups.delete(id));
    this.#lookups.set(id, lookup);
    return lookup;
  }

  /** Marks a session as used, and ends it here when another process has ended it. Never rejects. */
  async touch({ id }: Session): Promise<void> {
    const { sessions } = this.#dependencies;
    const [record] = await Promise.all([this.#read(id), this.#markUsed(id)]);
    if (record?.isEnded === true) sessions.recordEnd(id);
  }

  /** Resolves with whether a process has used a session within the idle time, also when the store does not answer. */
  async isUsed({ id }: Session): Promise<boolean> {
    const record = await this.#read(id);
    return record === undefined || this.#mayBeUsed(record);
  }

  /** Records the end of a session. Never rejects. */
  async end({ id }: Session): Promise<void> {
    const { records, limits } = this.#dependencies;
    await records.markEnded(id, limits.sessionMaxAgeMs).catch(ignore);
  }

  /** Records the level of log messages. Never rejects. */
  async setLogLevel({ id }: Session, level: string): Promise<void> {
    const { records, limits } = this.#dependencies;
    await records.setLogLevel(id, level, limits.sessionMaxAgeMs).catch(ignore);
  }

  /** Records that a session follows a resource. Never rejects. */
  async follow({ id }: Session, resource: FollowedResource): Promise<void> {
    const { records, limits } = this.#dependencies;
    await records.follow(id, resource, limits.sessionMaxAgeMs).catch(ignore);
  }

  /** Records that a session no longer follows a resource. Never rejects. */
  async unfollow({ id }: Session, uri: string): Promise<void> {
    await this.#dependencies.records.unfollow(id, uri).catch(ignore);
  }

  /** Resolves with the resources that a session follows; none when the store does not answer. */
  async followed({ id }: Session): Promise<readonly FollowedResource[]> {
    return (await this.#read(id))?.followed ?? [];
  }

  async #lookUp(id: string, issuedAt: number): Promise<void> {
    const { sessions, limits } = this.#dependencies;
    const record = await this.#read(id);
    // The time of issue is cut to a second.
    const isYoung = Date.now() - issuedAt < limits.sessionIdleMs + 1_000;
    if (record !== undefined && (record.isEnded || !(this.#mayBeUsed(record) || isYoung))) {
      sessions.recordEnd(id);
      return;
    }
    const session = sessions.use(id);
    if (session === undefined) return;
    if (isLogLevel(record?.logLevel)) session.logLevel = record.logLevel;
    void this.#markUsed(id);
  }

  /** A missing mark says nothing until each session that is in use has been marked since the store lost its data. */
  #mayBeUsed({ isUsed, marksSince }: SessionRecord): boolean {
    return isUsed || Date.now() - marksSince < this.#markMs;
  }

  /** The lifetime of a mark: the longest time between two of a session that is used. */
  get #markMs(): number {
    const { limits } = this.#dependencies;
    return limits.sessionIdleMs + staleAfterMs(limits);
  }

  async #read(id: string): Promise<SessionRecord | undefined> {
    return this.#dependencies.records.read(id).catch(() => undefined);
  }

  async #markUsed(id: string): Promise<void> {
    await this.#dependencies.records.markUsed(id, this.#markMs).catch(ignore);
  }
}

/** The store reports its failures itself. */
const ignore = (): void => undefined;

/** Milliseconds after which a session that is used is looked up again. */
const STALE_MS = 30_000;

/** Part of the idle time after which the use of a session is recorded at the latest. */
const USES_PER_IDLE_TIME = 10;

/** Returns after how many milliseconds the store is asked about a session that this process serves. */
const staleAfterMs = ({ sessionIdleMs }: Pick<McpHttpLimits, 'sessionIdleMs'>): number =>
  Math.min(STALE_MS, sessionIdleMs / USES_PER_IDLE_TIME);
