/** A kind, written in the source code, and parts that may be untrusted text of any length, for example `['login', state]`. */
export type StateKey = readonly [kind: string, ...parts: string[]];

/** How long an entry is readable. At most 400 days; a time that is not positive stores nothing. */
export interface Lifetime {
  /** Milliseconds. */
  readonly ttlMs: number;
}

/** Lifetime of an entry, and its group. */
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
