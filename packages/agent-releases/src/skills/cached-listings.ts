import type { Answer, SkillList } from '@gateway/agent-manager-client';
import { LRUCache } from 'lru-cache';
import type { SkillRepository } from './skill-repository.ts';

/** The listed skills of one repository. */
export type Listed = Answer<SkillList['skills']>;

/** The repository and the ref of a listing. */
export interface ListingRequest {
  readonly repository: SkillRepository;
  readonly ref: string | undefined;
}

/** The function that creates a listing, and the time for which a listing is cached. */
export interface ListingParts {
  readonly list: (request: ListingRequest) => Promise<Listed>;
  readonly freshMs: number;
  /** Returns the time of a monotonic clock, in milliseconds. */
  readonly now: () => number;
}

/** The maximum number of cached listings: callers can request any ref. */
const MAX_LISTINGS = 128;

interface CachedListing {
  readonly listed: Listed;
  readonly since: number;
}

/** Caches listings for a time unless a refresh is requested. Concurrent callers share one request. Failures are not cached. */
export const cachedListings = ({ list, freshMs, now }: ListingParts) => {
  const cache = new LRUCache<string, CachedListing>({ max: MAX_LISTINGS });
  const pending = new Map<string, Promise<Listed>>();

  const make = async (key: string, request: ListingRequest): Promise<Listed> => {
    const listed = await list(request);
    if (listed.ok) cache.set(key, { listed, since: now() });
    pending.delete(key);
    return listed;
  };

  return (request: ListingRequest, refresh: boolean): Promise<Listed> => {
    const key = `${request.repository.url} ${request.ref ?? ''}`;
    const known = cache.get(key);
    if (known && !refresh && now() - known.since < freshMs) return Promise.resolve(known.listed);
    const listing = pending.get(key) ?? make(key, request);
    pending.set(key, listing);
    return listing;
  };
};
