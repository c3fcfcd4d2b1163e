import { LRUCache } from 'lru-cache';
import type { AuthorizationServerOutcome } from './authorization-server.ts';
import { requestAuthorizationServer } from './authorization-server.ts';
import type { DiscoveryRequest } from './discover-target.ts';
import { discoverTarget } from './discover-target.ts';
import type { GuardedFetches } from './guarded-fetches.ts';
import type { DiscoveryOutcome } from './sign-in-target.ts';

const MAX_ENTRIES = 1_000;
const FOUND_MS = 10 * 60_000;
/** A failure is remembered briefly, so that many persons cause few requests. */
const FAILED_MS = 2_000;
/** Pause between two removals of a result, so that many refused requests cause few discoveries. */
const FORGET_PAUSE_MS = 5_000;

/** Cached discoveries. Concurrent ones of one server are one. No method rejects. */
export interface Discovery {
  discover(request: DiscoveryRequest): Promise<DiscoveryOutcome>;
  /** Returns the metadata of an issuer that a person signed in at. */
  authorizationServer(
    issuer: string,
    operatorUrls: readonly string[],
  ): Promise<AuthorizationServerOutcome>;
  /** Removes a result, at most once in 5 s, so that the next discovery sends requests. */
  forget(request: DiscoveryRequest): void;
}

const keyOf = ({ serverUrl, pinned }: DiscoveryRequest): string =>
  JSON.stringify([serverUrl, pinned?.issuer, pinned?.scopes]);

type Cached<T> = (key: string, request: () => Promise<T>) => Promise<T>;

const cacheOf = <T extends { readonly ok: boolean }>(): LRUCache<string, Promise<T>> =>
  new LRUCache<string, Promise<T>>({ max: MAX_ENTRIES, ttl: FOUND_MS });

/** Returns a function that shares one request for a key; a failure is remembered for a short time. */
const cachedIn =
  <T extends { readonly ok: boolean }>(cache: LRUCache<string, Promise<T>>): Cached<T> =>
  (key, request) => {
    const known = cache.get(key);
    if (known !== undefined) return known;
    const running = request();
    cache.set(key, running);
    void running.then(({ ok }) => {
      if (!ok && cache.peek(key) === running) cache.set(key, running, { ttl: FAILED_MS });
    });
    return running;
  };

/** Creates the cache. It holds 1,000 servers and 1,000 issuers for 10 minutes. */
export const createDiscovery = (fetches: GuardedFetches): Discovery => {
  const targets = cacheOf<DiscoveryOutcome>();
  const issuers = cacheOf<AuthorizationServerOutcome>();
  const forgotten = new LRUCache<string, true>({ max: MAX_ENTRIES, ttl: FORGET_PAUSE_MS });
  const target = cachedIn(targets);
  const metadata = cachedIn(issuers);
  return {
    discover: (request) => target(keyOf(request), () => discoverTarget(request, fetches)),
    authorizationServer: (issuer, operatorUrls) =>
      metadata(JSON.stringify([issuer, ...operatorUrls]), () =>
        requestAuthorizationServer({ issuer, isPinned: false, fetch: fetches.of(operatorUrls) }),
      ),
    forget: (request) => {
      const key = keyOf(request);
      if (forgotten.has(key)) return;
      forgotten.set(key, true);
      targets.delete(key);
    },
  };
};
