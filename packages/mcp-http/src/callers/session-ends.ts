import type { PeerBus } from '../peers/peer-bus.ts';
import type { McpHttpLimits } from '../protocol/limits.ts';
import { isIdle } from '../sessions/session-cost.ts';
import type { SessionStore } from '../sessions/session-store.ts';
import type { Session } from '../sessions/session.ts';
import type { SharedSessions } from '../sessions/shared-sessions.ts';

/** The dependencies of {@link SessionEnds}. */
export interface SessionEndsDependencies {
  readonly sessions: SessionStore;
  readonly shared: SharedSessions | undefined;
  readonly bus: PeerBus;
  readonly limits: Pick<McpHttpLimits, 'peerTimeoutMs'>;
}

/** Ends sessions in all processes: at the request of their clients, and those that no process uses. */
export class SessionEnds {
  readonly #dependencies: SessionEndsDependencies;

  constructor(dependencies: SessionEndsDependencies) {
    this.#dependencies = dependencies;
    const { bus, sessions } = dependencies;
    bus.on('session-ended', ({ session }) => sessions.recordEnd(String(session)));
    bus.on('session-used', (body, from) => {
      if (sessions.isInUse(String(body['session']))) bus.reply(body, from);
    });
  }

  /** Ends a session at the request of its client. Returns a promise when the end is recorded for other processes; it never rejects. */
  end(session: Session): Promise<void> | undefined {
    const { sessions, bus, shared } = this.#dependencies;
    sessions.end(session);
    bus.send('session-ended', { session: session.id });
    return shared?.end(session);
  }

  /** Ends the sessions that are unused in every process. */
  sweep(): void {
    const { sessions, bus, shared } = this.#dependencies;
    if (shared !== undefined) {
      // A session with an open stream sends no request that would mark it as used.
      for (const session of sessions.all()) if (!isIdle(session)) void shared.touch(session);
    }
    for (const session of sessions.expired()) {
      if (!bus.hasPeers && shared === undefined) sessions.end(session);
      // A session that no peer can be asked about now is checked on the next sweep.
      else if (shared !== undefined || bus.canAsk) void this.#sweepOne(session);
    }
  }

  async #sweepOne(session: Session): Promise<void> {
    const { sessions } = this.#dependencies;
    const isUsed = await this.#isUsedElsewhere(session);
    if (!sessions.isExpired(session)) return;
    if (!isUsed) this.#endUnused(session);
    else if (session.notificationChannels === undefined || session.notificationChannels.size === 0)
      sessions.forget(session);
    // The client receives the messages of this process through another one.
    else sessions.use(session.id);
  }

  async #isUsedElsewhere(session: Session): Promise<boolean> {
    const { bus, shared, limits } = this.#dependencies;
    if (shared !== undefined) return shared.isUsed(session);
    const body = { session: session.id };
    const timeoutMs = limits.peerTimeoutMs;
    return (await bus.ask({ kind: 'session-used', body, timeoutMs })) !== undefined;
  }

  /** In a shared store the missing mark of use says that the session has ended. */
  #endUnused(session: Session): void {
    const { sessions, bus, shared } = this.#dependencies;
    sessions.end(session);
    if (shared === undefined) bus.send('session-ended', { session: session.id });
  }
}
