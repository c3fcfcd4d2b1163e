import type { Answer, SkillList } from '@gateway/agent-manager-client';
import { recentMap } from './recent-map.ts';
import type { SkillRepository } from './skill-repository.ts';

/** Skills of one repository. */
export type Listed = Answer<SkillList['skills']>;

/** Which skills of which repository. */
export interface ListingRequest {
  readonly repository: SkillRepository;
  readonly ref: string | undefined;
}

/** The function that creates a listing, and the time for which a listing is cached. */
export interface ListingParts {
  readonly ask: (request: ListingRequest) => Promise<Listed>;
  readonly freshMs: number;
  /** Milliseconds on a clock that never goes back. */
  readonly now: () => number;
}

/** The maximum number of cached listings: callers can request any ref. */
const MAX_LISTINGS = 128;

interface Remembered {
  readonly listed: Listed;
  readonly since: number;
}

/** Caches listings for a time unless a refresh is requested. Concurrent callers share one request. Failures are not cached. */
export const rememberedListings = ({ ask, freshMs, now }: ListingParts) => {
  const remembered = recentMap<Remembered>(MAX_LISTINGS);
  const underWay = new Map<string, Promise<Listed>>();

  const make = async (key: string, request: ListingRequest): Promise<Listed> => {
    const listed = await ask(request);
    if (listed.ok) remembered.set(key, { listed, since: now() });
    underWay.delete(key);
    return listed;
  };

  return (request: ListingRequest, refresh: boolean): Promise<Listed> => {
    const key = `${request.repository.url} ${request.ref ?? ''}`;
    const known = remembered.get(key);
    if (known && !refresh && now() - known.since < freshMs) return Promise.resolve(known.listed);
    const listing = underWay.get(key) ?? make(key, request);
    underWay.set(key, listing);
    return listing;
  };
};
