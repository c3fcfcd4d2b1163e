import type { StateKey, StateStore } from '@gateway/state-store';
import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';

/** The tokens of a user, and who the user is. */
export interface SignedInSession {
  readonly subject: string;
  readonly name: string;
  /** Authorizes requests to the gateway and to agent-manager. */
  readonly token: string;
  readonly refreshToken?: string;
  /** For the end of the session at the provider. */
  readonly idToken?: string;
  /** Milliseconds since the epoch; the token is replaced before. */
  readonly expiresAt: number;
}

/** A sign-in that waits for its callback. */
export interface PendingSignIn {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  /** The address of the portal that the user came from. */
  readonly returnTo: string;
}

/** Milliseconds in which the provider must answer one request. */
export const PROVIDER_REQUEST_MS = 10_000;

/** A refresh reads the metadata of the provider when it does not know them, and requests tokens. */
const REQUESTS = 2;

/** Milliseconds for the store, whose operations end within two seconds each. */
const STORE_MS = 10_000;

/**
 * Milliseconds after which a replica that ended during a refresh no longer blocks the others. No refresh takes longer: two at the same
 * time would use a refresh token twice.
 */
export const LOCK_MS = REQUESTS * PROVIDER_REQUEST_MS + STORE_MS;

/** Ends a lock. */
type Unlock = () => Promise<void>;

/** Locks a key for all replicas; undefined while another one has the lock. */
const acquireLock = async (
  store: StateStore,
  key: StateKey,
  ttlMs: number,
): Promise<Unlock | undefined> => {
  const holder = randomBytes(16).toString('base64url');
  if (!(await store.add(key, holder, { ttlMs }))) return undefined;
  return async () => {
    await store.deleteIf(key, holder);
  };
};

/** Sessions that a user has at the same time. */
const MAX_SESSIONS = 32;
/** Milliseconds after the last sign-in of a user in which the sessions are counted. */
const COUNTED_MS = 30 * 24 * 60 * 60_000;
const COUNT_LOCK_MS = 15_000;
const COUNT_READ_MS = 50;
const MAX_COUNT_READS = COUNT_LOCK_MS / COUNT_READ_MS;

const listKey = (user: string): StateKey => ['portal-user', user];
const countLockKey = (user: string): StateKey => ['portal-user-lock', user];

/** Counts the sessions of each user. */
class UserSessions {
  readonly #store: StateStore;
  readonly #exists: (name: string) => Promise<boolean>;

  /** @param exists returns whether a session has not ended */
  constructor(store: StateStore, exists: (name: string) => Promise<boolean>) {
    this.#store = store;
    this.#exists = exists;
  }

  /** Adds a session. Returns the oldest ones that are too many now. */
  async add(user: string, name: string): Promise<readonly string[]> {
    const unlock = await this.#lock(user);
    try {
      const known = await this.#listSessions(user);
      const kept = known.slice(Math.max(0, known.length - MAX_SESSIONS + 1));
      const list = JSON.stringify([...kept, name]);
      await this.#store.set(listKey(user), list, { ttlMs: COUNTED_MS });
      return known.slice(0, known.length - kept.length);
    } finally {
      await unlock();
    }
  }

  /** Sessions end without leaving the list, which therefore is read again when it is full. */
  async #listSessions(user: string): Promise<readonly string[]> {
    const names = JSON.parse((await this.#store.get(listKey(user))) ?? '[]') as readonly string[];
    if (names.length < MAX_SESSIONS) return names;
    const exist = await Promise.all(names.map((name) => this.#exists(name)));
    return names.filter((_, at) => exist[at]);
  }

  async #lock(user: string): Promise<() => Promise<void>> {
    for (let reads = 0; reads < MAX_COUNT_READS; reads += 1) {
      const unlock = await acquireLock(this.#store, countLockKey(user), COUNT_LOCK_MS);
      if (unlock !== undefined) return unlock;
      await pause(COUNT_READ_MS);
    }
    throw new Error('too many sign-ins of one user at the same time');
  }
}

/** Milliseconds that a session lasts after its last refresh. */
const SESSION_MS = 12 * 60 * 60_000;

/** The sessions of users. Every method may reject with a `StateStoreError`. */
export interface Sessions {
  readonly read: (id: string) => Promise<SignedInSession | undefined>;
  /** Begins a session of a user. Returns the oldest sessions of the user, which it ended because there are too many. */
  readonly begin: (
    id: string,
    session: SignedInSession,
    user: string,
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
export const computeSessionDigest = (id: string): string =>
  createHash('sha256').update(id).digest('base64url');

const toSessionKey = (digest: string): StateKey => ['portal-session', digest];
const toLockKey = (id: string): StateKey => ['portal-refresh', computeSessionDigest(id)];

const ENDED = 'portal-session-ended';

/** The store has only what this portal wrote. */
const parseRecord = (text: string | undefined): unknown =>
  text === undefined ? undefined : JSON.parse(text);

class StoredSessions {
  readonly #store: StateStore;
  readonly #ofUsers: UserSessions;

  constructor(store: StateStore) {
    this.#store = store;
    const exists = async (digest: string): Promise<boolean> =>
      (await store.get(toSessionKey(digest))) !== undefined;
    this.#ofUsers = new UserSessions(store, exists);
  }

  async begin(id: string, session: SignedInSession, user: string) {
    const digest = computeSessionDigest(id);
    await this.#store.set(toSessionKey(digest), JSON.stringify(session), { ttlMs: SESSION_MS });
    const excess = await this.#ofUsers.add(user, digest);
    const ended = await Promise.all(excess.map((one) => this.end(one)));
    return ended.filter((one) => one !== undefined);
  }

  /** Removes a session before it is announced, so that no request begins in its name after that. */
  async end(digest: string): Promise<SignedInSession | undefined> {
    const ended = parseRecord(await this.#store.take(toSessionKey(digest)));
    if (ended !== undefined) await this.#store.publish(ENDED, digest);
    return ended as SignedInSession | undefined;
  }
}

/** Creates the sessions over a store, which encrypts what it writes elsewhere. */
export const createSessions = (store: StateStore): Sessions => {
  const stored = new StoredSessions(store);
  return {
    read: async (id) =>
      parseRecord(await store.get(toSessionKey(computeSessionDigest(id)))) as
        SignedInSession | undefined,
    begin: (id, session, user) => stored.begin(id, session, user),
    update: (id, session) =>
      store.replace(toSessionKey(computeSessionDigest(id)), JSON.stringify(session), {
        ttlMs: SESSION_MS,
      }),
    end: (id) => stored.end(computeSessionDigest(id)),
    onEnd: (listener) => store.subscribe(ENDED, listener),
    lock: (id) => acquireLock(store, toLockKey(id), LOCK_MS),
  };
};
