import { createHash } from 'node:crypto';
import type { StateKey, StateStore } from '@gateway/state-store';
import { PersonSessions } from './person-sessions.ts';
import { LOCK_MS } from './refresh-time.ts';
import type { SignedInSession } from './session-record.ts';
import { lockInStore, type Unlock } from './store-lock.ts';

/** Milliseconds that a session lasts after its last refresh. */
const SESSION_MS = 12 * 60 * 60_000;

/** The sessions of persons. Every method may reject with a `StateStoreError`. */
export interface Sessions {
  readonly read: (id: string) => Promise<SignedInSession | undefined>;
  /** Begins a session of a person. Returns the oldest sessions of the person, which it ended because there are too many. */
  readonly begin: (
    id: string,
    session: SignedInSession,
    person: string,
  ) => Promise<readonly SignedInSession[]>;
  /** Stores the new tokens of a session, and returns whether it has not ended meanwhile. */
  readonly update: (id: string, session: SignedInSession) => Promise<boolean>;
  /** Ends a session, and its requests on all replicas. Returns what it was. */
  readonly end: (id: string) => Promise<SignedInSession | undefined>;
  /** Calls a listener with the digest of each session that ends, on any replica. Returns the function that removes it. */
  readonly onEnd: (listener: (digest: string) => void) => () => void;
  /** Locks the refresh of a session for all replicas; undefined while another one has the lock. */
  readonly lock: (id: string) => Promise<Unlock | undefined>;
}

/** The id is a credential: the store has its digest. */
export const digestOfSession = (id: string): string =>
  createHash('sha256').update(id).digest('base64url');

const sessionKey = (digest: string): StateKey => ['portal-session', digest];
const lockKey = (id: string): StateKey => ['portal-refresh', digestOfSession(id)];

const ENDED = 'portal-session-ended';

/** The store has only what this portal wrote. */
const parsed = (text: string | undefined): unknown =>
  text === undefined ? undefined : JSON.parse(text);

class StoredSessions {
  readonly #store: StateStore;
  readonly #ofPersons: PersonSessions;

  constructor(store: StateStore) {
    this.#store = store;
    const exists = async (digest: string): Promise<boolean> =>
      (await store.get(sessionKey(digest))) !== undefined;
    this.#ofPersons = new PersonSessions(store, exists);
  }

  async begin(id: string, session: SignedInSession, person: string) {
    const digest = digestOfSession(id);
    await this.#store.set(sessionKey(digest), JSON.stringify(session), { ttlMs: SESSION_MS });
    const excess = await this.#ofPersons.add(person, digest);
    const ended = await Promise.all(excess.map((one) => this.end(one)));
    return ended.filter((one) => one !== undefined);
  }

  /** Removes a session before it is announced, so that no request begins in its name after that. */
  async end(digest: string): Promise<SignedInSession | undefined> {
    const ended = parsed(await this.#store.take(sessionKey(digest)));
    if (ended !== undefined) await this.#store.publish(ENDED, digest);
    return ended as SignedInSession | undefined;
  }
}

/** Creates the sessions over a store, which encrypts what it writes elsewhere. */
export const createSessions = (store: StateStore): Sessions => {
  const stored = new StoredSessions(store);
  return {
    read: async (id) =>
      parsed(await store.get(sessionKey(digestOfSession(id)))) as SignedInSession | undefined,
    begin: (id, session, person) => stored.begin(id, session, person),
    update: (id, session) =>
      store.replace(sessionKey(digestOfSession(id)), JSON.stringify(session), {
        ttlMs: SESSION_MS,
      }),
    end: (id) => stored.end(digestOfSession(id)),
    onEnd: (listener) => store.subscribe(ENDED, listener),
    lock: (id) => lockInStore(store, lockKey(id), LOCK_MS),
  };
};
