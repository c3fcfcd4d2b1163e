import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { isJsonObject } from '@gateway/call-contract';
import type { ResourceSubscription, Peers, SessionRecords } from '@gateway/mcp-http';
import type { StateKey, StateStore } from '@gateway/state-store';

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

const toUseKey = (id: string): StateKey => ['mcp-session-used', id];
const toEndKey = (id: string): StateKey => ['mcp-session-ended', id];
const toLevelKey = (id: string): StateKey => ['mcp-session-level', id];
const toFollowKey = (id: string): StateKey => ['mcp-session-follows', id];
const toLockKey = (id: string): StateKey => ['mcp-session-lock', id];

const MARK = '1';

/** Since when marks are kept. It is gone when the store has lost its data, and is written again then. */
const SINCE: StateKey = ['mcp-session-marks-since'];

/** The longest lifetime in a store. */
const SINCE_MS = 400 * 86_400_000;

/** Returns since when marks are kept, in milliseconds since 1970. */
const readMarkStart = async (store: StateStore, now: () => number): Promise<number> => {
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
  const list = listResources(await store.get(toFollowKey(id)));
  const next = edit(list);
  if (next.length === 0) await store.delete(toFollowKey(id));
  else if (next !== list) await store.set(toFollowKey(id), JSON.stringify(next), { ttlMs });
};

/** Two processes can change the list of one session at the same time: each holds a lock. */
const changeAlone = async (store: StateStore, changed: FollowsChange): Promise<void> => {
  const key = toLockKey(changed.id);
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
  void readMarkStart(store, now).catch(() => undefined);
  return {
    read: async (id) => {
      const [since, [isUsed, isEnded, logLevel, followed]] = await Promise.all([
        readMarkStart(store, now),
        Promise.all([toUseKey, toEndKey, toLevelKey, toFollowKey].map((key) => store.get(key(id)))),
      ]);
      return {
        isUsed: isUsed !== undefined,
        isEnded: isEnded !== undefined,
        marksSince: since,
        logLevel,
        followed: listResources(followed),
      };
    },
    markUsed: (id, ttlMs) => store.set(toUseKey(id), MARK, { ttlMs }),
    markEnded: async (id, ttlMs) => {
      await store.set(toEndKey(id), MARK, { ttlMs });
      await Promise.all([toUseKey, toLevelKey, toFollowKey].map((key) => store.delete(key(id))));
    },
    setLogLevel: (id, value, ttlMs) => store.set(toLevelKey(id), value, { ttlMs }),
    follow: (id, resource, ttlMs) =>
      changeAlone(store, { id, ttlMs, edit: (list) => withResource(list, resource) }),
    unfollow: (id, uri) => {
      const edit: FollowsChange['edit'] = (list) => list.filter((one) => one.uri !== uri);
      return changeAlone(store, { id, ttlMs: DAY_MS, edit });
    },
  };
};

/** Characters of one part. A part of any characters fits into a message of the state store when it is encrypted. */
const PART_CHARS = 160 * 1024;

/** Longest message, in characters. A longer one is not sent. */
const MAX_MESSAGE_CHARS = 16 * 1024 * 1024;

/** Characters of incomplete messages that a process holds. */
const MAX_INCOMPLETE_CHARS = 64 * 1024 * 1024;

/** Incomplete messages that a process holds. */
const MAX_INCOMPLETE = 256;

/** `id index count text` */
const PART = /^([\w-]{12}) (\d{1,4}) (\d{1,4}) /;

/** Returns a message in parts, or none when it is too long. */
export const toParts = (message: string): readonly string[] => {
  if (message.length > MAX_MESSAGE_CHARS) return [];
  const id = randomBytes(9).toString('base64url');
  const texts = split(message);
  return texts.map((text, index) => `${id} ${index} ${texts.length} ${text}`);
};

/** Returns the text in pieces. UTF-8 cannot encode half of a surrogate pair, so no piece ends within one. */
const split = (text: string): readonly string[] => {
  const pieces: string[] = [];
  let start = 0;
  do {
    const isPair = (text.codePointAt(start + PART_CHARS - 1) ?? 0) > LAST_UNPAIRED;
    const end = start + PART_CHARS - (isPair ? 1 : 0);
    pieces.push(text.slice(start, end));
    start = end;
  } while (start < text.length);
  return pieces;
};

/** The last code point of one UTF-16 code unit. */
const LAST_UNPAIRED = 0xffff;

interface Incomplete {
  readonly parts: (string | undefined)[];
  missing: number;
  chars: number;
}

/** Joins the parts of messages. Bounded: the oldest incomplete message is dropped for a new one. */
export class MessageParts {
  /** Oldest first. */
  readonly #incomplete = new Map<string, Incomplete>();
  #chars = 0;

  /** Adds a part. Returns the message that it completes. */
  add(part: string): string | undefined {
    const [head, id, index, count] = PART.exec(part) ?? [];
    if (head === undefined || id === undefined) return undefined;
    const text = part.slice(head.length);
    if (count === '1') return text;
    return this.#join(id, { index: Number(index), count: Number(count) }, text);
  }

  #join(
    id: string,
    { index, count }: { readonly index: number; readonly count: number },
    text: string,
  ): string | undefined {
    if (index >= count || count * PART_CHARS > MAX_MESSAGE_CHARS + PART_CHARS) return undefined;
    const message = this.#incomplete.get(id) ?? this.#begin(id, count);
    if (message.parts.length !== count || message.parts[index] !== undefined) return undefined;
    message.parts[index] = text;
    message.missing -= 1;
    message.chars += text.length;
    this.#chars += text.length;
    if (message.missing === 0) {
      this.#drop(id, message);
      return message.parts.join('');
    }
    this.#limit();
    return undefined;
  }

  #begin(id: string, count: number): Incomplete {
    const message: Incomplete = {
      parts: Array.from<string | undefined>({ length: count }),
      missing: count,
      chars: 0,
    };
    this.#incomplete.set(id, message);
    return message;
  }

  #limit(): void {
    for (const [id, message] of this.#incomplete) {
      if (this.#incomplete.size <= MAX_INCOMPLETE && this.#chars <= MAX_INCOMPLETE_CHARS) return;
      this.#drop(id, message);
    }
  }

  #drop(id: string, { chars }: Incomplete): void {
    this.#incomplete.delete(id);
    this.#chars -= chars;
  }
}

/** The channels of the MCP endpoints and of the recorders of events. */
type PeerChannel = 'mcp-peers' | 'event-peers';

/** Messages are dropped while so many characters of them wait to leave this process. Replicas tolerate the loss of messages. */
const MAX_UNSENT = 64 * 1024 * 1024;

/** A message names the process that it is for; the channel of that process carries it. */
const findReceiver = (message: object): string | undefined =>
  'to' in message && typeof message.to === 'string' ? message.to : undefined;

const parseJsonText = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const toChannel = (everyone: PeerChannel, id: string): string => `${everyone}:${id}`;

/**
 * Returns the other processes that use the same state store, as the MCP endpoint or the recorder of events reaches them. Messages travel through the channels of the
 * store, encrypted like its values. They are lost while the store is away. The end of the
 * store ends the connection.
 */
export const connectReplicaPeers = (
  store: StateStore,
  everyone: PeerChannel = 'mcp-peers',
): Peers => {
  const id = randomBytes(9).toString('base64url');
  const handlers = new Set<(message: unknown) => void>();
  const parts = new MessageParts();
  let unsent = 0;
  const receive = (part: string): void => {
    const text = parts.add(part);
    if (text === undefined) return;
    const message = parseJsonText(text);
    for (const handler of [...handlers]) handler(message);
  };
  const publish = async (channel: string, part: string): Promise<void> => {
    unsent += part.length;
    await store.publish(channel, part).catch(() => undefined);
    unsent -= part.length;
  };
  for (const channel of [everyone, toChannel(everyone, id)]) store.subscribe(channel, receive);
  return {
    id,
    send: (message) => {
      const to = findReceiver(message);
      const text = JSON.stringify(message);
      if (unsent + text.length > MAX_UNSENT) return;
      const channel = to === undefined ? everyone : toChannel(everyone, to);
      for (const part of toParts(text)) void publish(channel, part);
    },
    onMessage: (handler) => {
      handlers.add(handler);
      return () => {
        handlers.delete(handler);
      };
    },
  };
};
