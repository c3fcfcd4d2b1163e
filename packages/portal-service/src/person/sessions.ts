import { createHash } from 'node:crypto';
import type { StateKey, StateStore } from '@gateway/state-store';
import type { PendingSignIn, SignedInSession } from './session-record.ts';

/** Milliseconds that a session lasts after its last refresh. */
const SESSION_MS = 12 * 60 * 60_000;
/** Milliseconds in which a sign-in must be completed. */
const PENDING_MS = 10 * 60_000;

/** The sessions of persons. Every method may reject with a `StateStoreError`. */
export interface Sessions {
  readonly read: (id: string) => Promise<SignedInSession | undefined>;
  readonly write: (id: string, session: SignedInSession) => Promise<void>;
  readonly remove: (id: string) => Promise<void>;
  readonly keepPending: (id: string, pending: PendingSignIn) => Promise<void>;
  /** Returns a sign-in that waits, once. */
  readonly takePending: (id: string, state: string) => Promise<PendingSignIn | undefined>;
}

/** The id is a credential: the store has its digest. */
const digest = (id: string): string => createHash('sha256').update(id).digest('base64url');

const sessionKey = (id: string): StateKey => ['portal-session', digest(id)];
const pendingKey = (id: string, state: string): StateKey => ['portal-sign-in', digest(id), state];

/** The store has only what this portal wrote. */
const parsed = (text: string | undefined): unknown =>
  text === undefined ? undefined : JSON.parse(text);

/** Creates the sessions over a store, which encrypts what it writes elsewhere. */
export const createSessions = (store: StateStore): Sessions => ({
  read: async (id) => parsed(await store.get(sessionKey(id))) as SignedInSession | undefined,
  write: (id, session) => store.set(sessionKey(id), JSON.stringify(session), { ttlMs: SESSION_MS }),
  remove: async (id) => {
    await store.delete(sessionKey(id));
  },
  keepPending: (id, pending) =>
    store.set(pendingKey(id, pending.state), JSON.stringify(pending), { ttlMs: PENDING_MS }),
  takePending: async (id, state) =>
    parsed(await store.take(pendingKey(id, state))) as PendingSignIn | undefined,
});
