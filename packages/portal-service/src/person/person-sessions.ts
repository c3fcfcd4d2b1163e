import { setTimeout as pause } from 'node:timers/promises';
import type { StateKey, StateStore } from '@gateway/state-store';
import { lockInStore } from './store-lock.ts';

/** Sessions that a person has at the same time. */
const MAX_SESSIONS = 32;
/** Milliseconds after the last sign-in of a person in which the sessions are counted. */
const COUNTED_MS = 30 * 24 * 60 * 60_000;
const LOCK_MS = 15_000;
const READ_MS = 50;
const MAX_READS = LOCK_MS / READ_MS;

const listKey = (person: string): StateKey => ['portal-person', person];
const lockKey = (person: string): StateKey => ['portal-person-lock', person];

/** Counts the sessions of each person. */
export class PersonSessions {
  readonly #store: StateStore;
  readonly #exists: (name: string) => Promise<boolean>;

  /** @param exists returns whether a session has not ended */
  constructor(store: StateStore, exists: (name: string) => Promise<boolean>) {
    this.#store = store;
    this.#exists = exists;
  }

  /** Adds a session. Returns the oldest ones that are too many now. */
  async add(person: string, name: string): Promise<readonly string[]> {
    const unlock = await this.#lock(person);
    try {
      const known = await this.#sessionsOf(person);
      const kept = known.slice(Math.max(0, known.length - MAX_SESSIONS + 1));
      const list = JSON.stringify([...kept, name]);
      await this.#store.set(listKey(person), list, { ttlMs: COUNTED_MS });
      return known.slice(0, known.length - kept.length);
    } finally {
      await unlock();
    }
  }

  /** Sessions end without leaving the list, which therefore is read again when it is full. */
  async #sessionsOf(person: string): Promise<readonly string[]> {
    const names = JSON.parse((await this.#store.get(listKey(person))) ?? '[]') as readonly string[];
    if (names.length < MAX_SESSIONS) return names;
    const exist = await Promise.all(names.map((name) => this.#exists(name)));
    return names.filter((_, at) => exist[at]);
  }

  async #lock(person: string): Promise<() => Promise<void>> {
    for (let reads = 0; reads < MAX_READS; reads += 1) {
      const unlock = await lockInStore(this.#store, lockKey(person), LOCK_MS);
      if (unlock !== undefined) return unlock;
      await pause(READ_MS);
    }
    throw new Error('too many sign-ins of one person at the same time');
  }
}
