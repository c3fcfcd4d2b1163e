import { randomBytes } from 'node:crypto';
import type { McpHttpLimits } from '../protocol/limits.ts';
import type { McpService } from '../protocol/mcp-service.ts';
import { UnreadAnswers } from '../wire/incoming-exchange.ts';
import { PeerBus, type Peers } from '../wire/peers.ts';
import { SessionStore } from './session-store.ts';
import { type SessionRecords, SharedSessions } from './shared-sessions.ts';

/** The settings that the processes of one endpoint have in common. */
export interface ReplicaOptions {
  /**
   * Secret that signs session IDs, at least 32 random bytes. Replicas with the same secret serve each other's sessions;
   * without it, sessions are valid in this process only.
   */
  readonly sessionKey?: Uint8Array;
  /** The former `sessionKey` during a key rotation. Sessions that it signed stay valid. */
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
  const sessions = new SessionStore(limits, performance.now.bind(performance), {
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
