import { LRUCache } from 'lru-cache';
import type { CredentialOutcome } from '../ports/credentials.ts';
import { atMost } from '../storage/bounded-cache.ts';
import type { PersonAtServer } from '../tokens/token-vault.ts';
import type { Person } from './person.ts';

/** A credential in memory. Times are milliseconds since the epoch. */
export interface CachedCredential {
  readonly outcome: CredentialOutcome;
  readonly url: string;
  readonly pinnedIssuer: string | undefined;
  /** Until then it is used without a check. */
  readonly freshUntil: number;
  /** Until then it is used while a check runs. */
  readonly validUntil: number;
}

const MAX_CREDENTIALS = 50_000;

/** Credentials in memory; the least recently used one is evicted. */
export interface CredentialCache {
  get(server: string, principalKey: string): CachedCredential | undefined;
  set(person: Person, cached: Omit<CachedCredential, 'url' | 'pinnedIssuer'>): void;
  delete(of: PersonAtServer): void;
}

/** Names of servers contain no line break, so a key has one meaning. */
const keyOf = (server: string, principalKey: string): string => `${server}\n${principalKey}`;

/** Creates a cache of 50,000 credentials. */
export const createCredentialCache = (): CredentialCache => {
  const cache = new LRUCache<string, CachedCredential>(atMost(MAX_CREDENTIALS));
  return {
    get: (server, principalKey) => cache.get(keyOf(server, principalKey)),
    set: ({ server, principalKey, url, pinned }, cached) => {
      cache.set(keyOf(server, principalKey), { ...cached, url, pinnedIssuer: pinned?.issuer });
    },
    delete: ({ server, principalKey }) => {
      cache.delete(keyOf(server, principalKey));
    },
  };
};
