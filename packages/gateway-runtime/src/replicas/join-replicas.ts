import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { isJsonObject } from '@gateway/call-contract';
import type { ResourceSubscription, Peers, SessionRecords } from '@gateway/mcp-http';
import type { StateKey, StateStore } from '@gateway/state-store';
import { connectReplicaPeers } from './replica-peers.ts';

/** The parts of the MCP endpoint that processes with the same state store share. */
interface Replicas {
  readonly peers: Peers;
  readonly sessionRecords: SessionRecords;
}

/** Connects the MCP endpoint of this process with those of all processes that use the same state store. The end of the store ends it. */
export const joinReplicas = (store: StateStore): Replicas => ({
  peers: connectReplicaPeers(store),
  sessionRecords: createSessionRecords(store),
});

/** Resources that the record of one session has. */
const MAX_FOLLOWED = 64;

/** Longest URI, with the headers of its request, that a record has; in characters of JSON. */
const MAX_RESOURCE_CHARS = 8 * 1024;

/** Time after which the lock of a process that has ended is free. */
const LOCK_MS = 5_000;
const LOCK_TRIES = 50;
const LOCK_WAIT_MS = 20;

const used = (id: string): StateKey => ['mcp-session-used', id];
const ended = (id: string): StateKey => ['mcp-session-ended', id];
const level = (id: string): StateKey => ['mcp-session-level', id];
const follows = (id: string): StateKey => ['mcp-session-follows', id];
const lock = (id: string): StateKey => ['mcp-session-lock', id];

const MARK = '1';

/** Since when marks are kept. It is gone when the store has lost its data, and is written again then. */
const SINCE: StateKey = ['mcp-session-marks-since'];

/** The longest lifetime in a store. */
const SINCE_MS = 400 * 86_400_000;

/** Returns since when marks are kept, in milliseconds since 1970. */
const marksSince = async (store: StateStore, now: () => number): Promise<number> => {
  const at = now();
  const known = Number(await store.get(SINCE));
  if (known > 0) return known;
  if (await store.add(SINCE, String(at), { ttlMs: SINCE_MS })) return at;
  // Another process was faster.
  return Number(await store.get(SINCE)) || at;
};

const isResource = (value: unknown): value is ResourceSubscription =>
  isJsonObject(value) && typeof value['uri'] === 'string' && isJsonObject(value['scope']);

const listResources = (text: string | undefined): readonly ResourceSubscription[] => {
  if (text === undefined) return [];
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value.filter(isResource) : [];
  } catch {
    return [];
  }
};

/** Returns a list with a resource, or the same list when there is no room for it. */
const withResource = (
  list: readonly ResourceSubscription[],
  resource: ResourceSubscription,
): readonly ResourceSubscription[] => {
  const others = list.filter(({ uri }) => uri !== resource.uri);
  const isSmall = JSON.stringify(resource).length <= MAX_RESOURCE_CHARS;
  return others.length < MAX_FOLLOWED && isSmall ? [...others, resource] : list;
};

/** Upper bound of the rest of a session, in milliseconds. */
const DAY_MS = 86_400_000;

/** A change of the resources that a session follows. */
interface FollowsChange {
  readonly id: string;
  readonly ttlMs: number;
  readonly edit: (list: readonly ResourceSubscription[]) => readonly ResourceSubscription[];
}

const change = async (store: StateStore, { id, ttlMs, edit }: FollowsChange): Promise<void> => {
  const list = listResources(await store.get(follows(id)));
  const next = edit(list);
  if (next.length === 0) await store.delete(follows(id));
  else if (next !== list) await store.set(follows(id), JSON.stringify(next), { ttlMs });
};

/** Two processes can change the list of one session at the same time: each holds a lock. */
const changeAlone = async (store: StateStore, changed: FollowsChange): Promise<void> => {
  const key = lock(changed.id);
  const owner = randomBytes(9).toString('base64url');
  for (let tries = 0; !(await store.add(key, owner, { ttlMs: LOCK_MS })); tries += 1) {
    if (tries >= LOCK_TRIES) return;
    await delay(LOCK_WAIT_MS, undefined, { ref: false });
  }
  try {
    await change(store, changed);
  } finally {
    await store.deleteIf(key, owner);
  }
};

/**
 * Returns what processes share about their MCP sessions, in the state store.
 * @param now milliseconds since 1970
 */
export const createSessionRecords = (
  store: StateStore,
  now: () => number = Date.now,
): SessionRecords => {
  // The store reports its failures itself.
  void marksSince(store, now).catch(() => undefined);
  return {
    read: async (id) => {
      const [since, [isUsed, isEnded, logLevel, followed]] = await Promise.all([
        marksSince(store, now),
        Promise.all([used, ended, level, follows].map((key) => store.get(key(id)))),
      ]);
      return {
        isUsed: isUsed !== undefined,
        isEnded: isEnded !== undefined,
        marksSince: since,
        logLevel,
        followed: listResources(followed),
      };
    },
    markUsed: (id, ttlMs) => store.set(used(id), MARK, { ttlMs }),
    markEnded: async (id, ttlMs) => {
      await store.set(ended(id), MARK, { ttlMs });
      await Promise.all([used, level, follows].map((key) => store.delete(key(id))));
    },
    setLogLevel: (id, value, ttlMs) => store.set(level(id), value, { ttlMs }),
    follow: (id, resource, ttlMs) =>
      changeAlone(store, { id, ttlMs, edit: (list) => withResource(list, resource) }),
    unfollow: (id, uri) => {
      const edit: FollowsChange['edit'] = (list) => list.filter((one) => one.uri !== uri);
      return changeAlone(store, { id, ttlMs: DAY_MS, edit });
    },
  };
};
