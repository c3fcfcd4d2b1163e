import { randomUUID } from 'node:crypto';
import type { EventStream } from './event-stream.ts';
import type { RpcId } from './json-rpc.ts';
import type { McpHttpLimits } from './limits.ts';
import type { RunningCall } from './running-call.ts';

/** One session of a 2025-era client: what has to be remembered between its requests, and nothing of a toolset. */
export interface Session {
  readonly id: string;
  /** Protocol revision agreed at `initialize`. */
  readonly revision: string;
  /** Calls that run, by the id of their request. */
  readonly calls: Map<RpcId, RunningCall>;
  /** Open `GET` streams, oldest first. */
  readonly streams: Set<EventStream>;
}

type SessionLimits = Pick<McpHttpLimits, 'maxSessions' | 'sessionIdleMs'>;

interface Kept {
  readonly session: Session;
  usedAt: number;
}

/** The sessions of one endpoint, bounded in number and in idle time. */
export class SessionStore {
  readonly #limits: SessionLimits;
  readonly #now: () => number;
  /** Least recently used first. */
  readonly #kept = new Map<string, Kept>();

  /** @param now the clock, in milliseconds */
  constructor(limits: SessionLimits, now: () => number) {
    this.#limits = limits;
    this.#now = now;
  }

  /** Number of sessions. */
  get size(): number {
    return this.#kept.size;
  }

  /** All sessions, least recently used first. */
  *all(): Iterable<Session> {
    for (const { session } of this.#kept.values()) yield session;
  }

  /** Starts a session; `undefined` when the store is full of sessions with running calls. */
  create(revision: string): Session | undefined {
    if (this.#kept.size >= this.#limits.maxSessions) this.#evictIdlest();
    if (this.#kept.size >= this.#limits.maxSessions) return undefined;
    const session: Session = { id: randomUUID(), revision, calls: new Map(), streams: new Set() };
    this.#kept.set(session.id, { session, usedAt: this.#now() });
    return session;
  }

  /** Finds a session and marks it as used. */
  use(id: string): Session | undefined {
    const kept = this.#kept.get(id);
    if (kept === undefined) return undefined;
    kept.usedAt = this.#now();
    this.#kept.delete(id);
    this.#kept.set(id, kept);
    return kept.session;
  }

  /** Ends a session: its calls are cancelled and its streams end. */
  end(session: Session): void {
    this.#kept.delete(session.id);
    for (const call of session.calls.values()) call.cancel('The session has ended');
    for (const stream of session.streams) stream.end();
  }

  /** Ends the sessions that were idle for too long. */
  sweep(): void {
    const oldest = this.#now() - this.#limits.sessionIdleMs;
    for (const { session, usedAt } of [...this.#kept.values()]) {
      if (usedAt > oldest) return;
      if (isIdle(session)) this.end(session);
    }
  }

  #evictIdlest(): void {
    const sessions = [...this.all()];
    const victim = sessions.find(isIdle) ?? sessions.find(({ calls }) => calls.size === 0);
    if (victim !== undefined) this.end(victim);
  }
}

const isIdle = ({ calls, streams }: Session): boolean => calls.size === 0 && streams.size === 0;
