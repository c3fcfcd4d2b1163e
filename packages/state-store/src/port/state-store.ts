import { createHash } from 'node:crypto';

/**
 * Reason of a failed operation: `unavailable` the store did not answer in time or is closed; `unreadable` a value is not one that this
 * process can read; `full` a limit of the store is reached and nothing was written.
 */
type StateStoreErrorCode = 'unavailable' | 'unreadable' | 'full';

/** Failure of an operation of a state store. The message is one sentence without keys and values. */
export class StateStoreError extends Error {
  readonly code: StateStoreErrorCode;

  constructor(code: StateStoreErrorCode, message: string) {
    super(message);
    this.name = 'StateStoreError';
    this.code = code;
  }
}

/** A kind, written in the source code, and parts that may be untrusted text of any length, for example `['login', state]`. */
export type StateKey = readonly [kind: string, ...parts: string[]];

/** How long an entry is readable. At most 400 days; a time that is not positive stores nothing. */
export interface Lifetime {
  /** Milliseconds. */
  readonly ttlMs: number;
}

export interface SetOptions extends Lifetime {
  /** The group that `deleteGroup` deletes. An entry is written with the same group each time. A group has at most 4,096 entries: beyond
   * that, those that were written first are deleted. */
  readonly group?: StateKey;
}

/**
 * State that outlives a request, and with a remote adapter the process: sessions, sign-ins in progress, tokens, locks.
 * Every method may reject with a `StateStoreError`. The operations are atomic, also between processes.
 */
export interface StateStore {
  /** Returns the value of a key, or undefined when it does not exist or has expired. */
  get(key: StateKey): Promise<string | undefined>;
  /** Writes a value of at most 700,000 bytes of UTF-8. A value whose stored form has more than 1 MiB is refused with `full`. */
  set(key: StateKey, value: string, options: SetOptions): Promise<void>;
  /** Writes a value only when the key does not exist, and returns whether it did. For locks and marks of used values. */
  add(key: StateKey, value: string, options: Lifetime): Promise<boolean>;
  /** Writes a value only when the key exists, and returns whether it did. For what another caller may have ended. The entry is not to be in a group. */
  replace(key: StateKey, value: string, options: Lifetime): Promise<boolean>;
  /** Returns a value and deletes it: of several callers, one receives it. */
  take(key: StateKey): Promise<string | undefined>;
  delete(key: StateKey): Promise<void>;
  /** Deletes an entry only when it has this value, and returns whether it did. For the release of a lock. */
  deleteIf(key: StateKey, value: string): Promise<boolean>;
  /** Deletes all entries of a group. */
  deleteGroup(group: StateKey): Promise<void>;
  /**
   * Sends a text of at most 700,000 bytes to the listeners of a channel in every process, this one included. A message may get lost while the
   * store is not reachable. The channel is a name of the source code.
   */
  publish(channel: string, text: string): Promise<void>;
  /** Runs a listener for each message of a channel until the returned function is called. Errors of a listener are ignored. */
  subscribe(channel: string, listener: (text: string) => void): () => void;
  /** Ends connections. Later calls reject with `unavailable`. */
  close(): Promise<void>;
}

const MAX_PLAIN_CHARACTERS = 256;

/**
 * Returns a text of at most 256 characters that differs for different keys. It begins with the kind and a colon. Parts may be any text:
 * JSON separates and escapes them, and a long key is replaced with its SHA-256.
 */
export const encodeKey = ([kind, ...parts]: StateKey): string => {
  const plain = `${kind}:${JSON.stringify(parts)}`;
  if (plain.length <= MAX_PLAIN_CHARACTERS) return plain;
  return `${kind}:${createHash('sha256').update(plain).digest('base64url')}`;
};

const MAX_VALUE_BYTES = 1024 * 1024;
const MAX_TTL_MS = 400 * 24 * 60 * 60 * 1000;

export const MAX_GROUP_ENTRIES = 4_096;

/** Entries that are deleted when a group is full: those that were written first. */
export const EVICTED_GROUP_ENTRIES = 64;

/** Throws a `StateStoreError` when a stored value or message has more than 1 MiB of UTF-8. A value of 700,000 bytes fits when it is encrypted. */
export const requireBoundedValue = (value: string): void => {
  if (value.length * 3 <= MAX_VALUE_BYTES) return;
  if (Buffer.byteLength(value) <= MAX_VALUE_BYTES) return;
  throw new StateStoreError('full', 'The state store refuses values of more than 1 MiB.');
};

/** Returns a lifetime in whole milliseconds from 0 (stores nothing) to 400 days. */
export const computeTtl = (ttlMs: number): number =>
  ttlMs > 0 ? Math.min(Math.ceil(ttlMs), MAX_TTL_MS) : 0;

/** Listeners of channels in this process. */
export class ChannelListeners {
  readonly #listeners = new Map<string, Set<(text: string) => void>>();

  /** Adds a listener and returns the function that removes it. The same function may be added several times. */
  add(channel: string, listener: (text: string) => void): () => void {
    const registered = (text: string): void => listener(text);
    const listeners = this.#listeners.get(channel) ?? new Set();
    this.#listeners.set(channel, listeners.add(registered));
    return () => {
      listeners.delete(registered);
      if (listeners.size === 0 && this.#listeners.get(channel) === listeners) {
        this.#listeners.delete(channel);
      }
    };
  }

  has(channel: string): boolean {
    return this.#listeners.has(channel);
  }

  channels(): readonly string[] {
    return [...this.#listeners.keys()];
  }

  /** Runs the listeners of a channel and ignores their errors. */
  notify(channel: string, text: string): void {
    for (const listener of [...(this.#listeners.get(channel) ?? [])]) {
      try {
        listener(text);
      } catch {
        // One listener must not keep a message from the others.
      }
    }
  }

  clear(): void {
    this.#listeners.clear();
  }
}
