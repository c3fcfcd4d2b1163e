import { createHash, randomBytes } from 'node:crypto';
import type { StateKey, StateStore } from '@gateway/state-store';
import type { PendingSignIn, SignedInSession } from './session-record.ts';

/** Milliseconds that a session lasts after its last refresh. */
const SESSION_MS = 12 * 60 * 60_000;
/** Milliseconds in which a sign-in must be completed. */
const PENDING_MS = 10 * 60_000;
/** Milliseconds after which a replica that ended during a refresh no longer blocks the others. */
const LOCK_MS = 15_000;

/** Ends a lock. */
export type Unlock = () => Promise<void>;

/** The sessions of persons. Every method may reject with a `StateStoreError`. */
export interface Sessions {
  readonly read: (id: string) => Promise<SignedInSession | undefined>;
  readonly write: (id: string, session: SignedInSession) => Promise<void>;
  readonly remove: (id: string) => Promise<void>;
  /** Locks the refresh of a session for all replicas; undefined while another one has the lock. */
  readonly lock: (id: string) => Promise<Unlock | undefined>;
  readonly keepPending: (id: string, pending: PendingSignIn) => Promise<void>;
  /** Returns a sign-in that waits, once. */
  readonly takePending: (id: string, state: string) => Promise<PendingSignIn | undefined>;
}

/** The id is a credential: the store has its digest. */
const digest = (id: string): string => createHash('sha256').update(id).digest('base64url');

const sessionKey = (id: string): StateKey => ['portal-session', digest(id)];
const lockKey = (id: string): StateKey => ['portal-refresh', digest(id)];
const pendingKey = (id: string, state: string): StateKey => ['portal-sign-in', digest(id), state];
/** A group is bounded, so that unfinished sign-ins do not fill the store. */
const PENDING_GROUP: StateKey = ['portal-sign-ins'];

/** The store has only what this portal wrote. */
const parsed = (text: string | undefined): unknown =>
  text === undefined ? undefined : JSON.parse(text);

/** Creates the sessions over a store, which encrypts what it writes elsewhere. */
export const createSessions = (store: StateStore): Sessions => ({
  read: async (id) => parsed(await store.get(sessionKey(id))) as SignedInSession | undefined,
  write: (id, session) => store.set(sessionKey(id), JSON.stringify(session), { ttlMs: SESSION_MS }),
  remove: (id) => store.delete(sessionKey(id)),
  lock: async (id) => {
    const holder = randomBytes(16).toString('base64url');
    if (!(await store.add(lockKey(id), holder, { ttlMs: LOCK_MS }))) return undefined;
    return async () => {
      await store.deleteIf(lockKey(id), holder);
    };
  },
  keepPending: (id, pending) =>
    store.set(pendingKey(id, pending.state), JSON.stringify(pending), {
      ttlMs: PENDING_MS,
      group: PENDING_GROUP,
    }),
  takePending: async (id, state) =>
    parsed(await store.take(pendingKey(id, state))) as PendingSignIn | undefined,
});
