import { randomBytes } from 'node:crypto';
import { PeerBus, type Peers } from '../peers/peer-bus.ts';
import type { McpHttpLimits } from '../protocol/limits.ts';
import type { McpService } from '../protocol/mcp-service.ts';
import { UnreadAnswers } from '../wire/unread-answers.ts';
import { isIdle, SessionStore, type Session } from './session-store.ts';
import { SharedSessions, type SessionRecords } from './shared-sessions.ts';

/** The settings that the processes of one endpoint have in common. */
export interface ReplicaOptions {
  /**
   * Secret that signs session ids, at least 32 random bytes. Replicas that are given the same one serve each other's sessions;
   * without it sessions are good for this process only.
   */
  readonly sessionKey?: Uint8Array;
  /** An earlier `sessionKey`, while replicas get a new one: sessions that it signed continue. */
  readonly previousSessionKey?: Uint8Array;
  /** The other processes behind the same address; they need the same `sessionKey`. */
  readonly peers?: Peers;
  /** The records of sessions that processes of several machines share; they need the same `sessionKey`. */
  readonly sessionRecords?: SessionRecords;
}

/** The state that the parts of one endpoint share. */
export interface EndpointParts {
  readonly service: McpService;
  readonly limits: McpHttpLimits;
  readonly onError: (error: unknown) => void;
  /** Secret that signs session ids and names suspended calls. */
  readonly key: Uint8Array;
  readonly sessions: SessionStore;
  /** The same sessions in a store that other processes use too. */
  readonly shared: SharedSessions | undefined;
  readonly bus: PeerBus;
  readonly unread: UnreadAnswers;
}

/** Creates the shared state of an endpoint. */
export const createEndpointParts = (
  { service, limits, onError }: Pick<EndpointParts, 'service' | 'limits' | 'onError'>,
  replicas: ReplicaOptions,
): EndpointParts => {
  const { sessionKey: key = randomBytes(32), previousSessionKey, sessionRecords } = replicas;
  const sessions = new SessionStore(limits, () => performance.now(), {
    key,
    ...(previousSessionKey !== undefined && { previousKey: previousSessionKey }),
  });
  const shared = sessionRecords && new SharedSessions(sessionRecords, sessions, limits);
  const bus = new PeerBus(replicas.peers);
  return {
    service,
    limits,
    onError,
    key,
    sessions,
    shared,
    bus,
    unread: new UnreadAnswers(limits),
  };
};

type EndsParts = Pick<EndpointParts, 'sessions' | 'shared' | 'bus'> & {
  readonly limits: Pick<McpHttpLimits, 'peerTimeoutMs'>;
};

/** Ends sessions in all processes: at the request of their clients, and those that no process uses. */
export class SessionEnds {
  readonly #parts: EndsParts;

  constructor(parts: EndsParts) {
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
      for (const session of sessions.all()) if (!isIdle(session)) void shared.touch(session);
    }
    for (const session of sessions.expired()) {
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
    const user = await bus.ask('session-used', { session: session.id }, limits.peerTimeoutMs);
    return user !== undefined;
  }
}
