import { isGitRef, REFUSALS, type Answer, type SkillList } from '@gateway/agent-manager-client';
import { LRUCache } from 'lru-cache';
import type { SkillSource } from '../service/agent-service.ts';
import { gitHost } from './git-host.ts';
import { cachedListings, type Listed, type ListingRequest } from './cached-listings.ts';
import { repositorySkills } from './repository-skills.ts';
import {
  apiUrlProblem,
  isAddressOf,
  parseRepository,
  type SkillRepository,
} from './skill-repository.ts';
import type { SkillText } from './skill-text.ts';
import { skillsRefused } from './skills-refused.ts';

/** The repositories of skills and the access to their host. */
export interface GitSkillSourceOptions {
  /** Addresses as `https://host/owner/name`, at least one. */
  readonly repositories: readonly string[];
  /** The base URL of the REST API of the host. Default: that of the public host, or `/api/v3` of another host. */
  readonly apiUrl?: string | undefined;
  /** Sent to the API alone. */
  readonly token?: string | undefined;
  readonly fetch?: typeof fetch | undefined;
  /** The maximum duration of a listing, in milliseconds. */
  readonly timeoutMs?: number | undefined;
  /** The time for which a listing is cached, in milliseconds. */
  readonly freshMs?: number | undefined;
  /** Returns the time of a monotonic clock, in milliseconds. */
  readonly now?: (() => number) | undefined;
}

/** A source of skills, or the reason why there is none; the reason contains no URL. */
export type CreatedSkillSource =
  | { readonly ok: true; readonly source: SkillSource }
  | { readonly ok: false; readonly problem: string };

const DEFAULT_TIMEOUT_MS = 20_000;
const DEFAULT_FRESH_MS = 300_000;
/** The maximum number of files cached by content hash. */
const MAX_TEXTS = 4096;

/** Makes listings with the options. */
const listingsOf = (options: GitSkillSourceOptions) => {
  const host = gitHost(options.fetch ?? fetch, options.token);
  const texts = new LRUCache<string, SkillText>({ max: MAX_TEXTS });
  const list = async ({ repository, ref }: ListingRequest): Promise<Listed> => {
    const signal = AbortSignal.timeout(options.timeoutMs ?? DEFAULT_TIMEOUT_MS);
    const found = await repositorySkills({ host, texts, signal }, repository, ref);
    return found.ok
      ? { ok: true, value: [...found.value] }
      : { ok: false, refusal: skillsRefused(repository.url, ref, found.failure) };
  };
  return cachedListings({
    list,
    freshMs: options.freshMs ?? DEFAULT_FRESH_MS,
    now: options.now ?? (() => performance.now()),
  });
};

const source = (
  repositories: readonly SkillRepository[],
  options: GitSkillSourceOptions,
): SkillSource => {
  const listing = listingsOf(options);
  const urls = repositories.map(({ url }) => url);
  const listAll = async (
    meant: readonly SkillRepository[],
    { ref, refresh }: Parameters<SkillSource['list']>[0],
  ): Promise<Answer<SkillList>> => {
    const skills: SkillList['skills'] = [];
    const all = meant.map((repository) => listing({ repository, ref }, refresh === true));
    for (const listed of await Promise.all(all)) {
      if (!listed.ok) return listed;
      skills.push(...listed.value);
    }
    return { ok: true, value: { skills } };
  };
  return {
    repositories: urls,
    list: (request) => {
      const { repository, ref } = request;
      if (ref !== undefined && !isGitRef(ref))
        return Promise.resolve({ ok: false, refusal: REFUSALS.malformedSkillRef(ref) });
      if (repository === undefined) return listAll(repositories, request);
      const meant = repositories.filter((one) => isAddressOf(one, repository));
      return meant.length === 0
        ? Promise.resolve({
            ok: false,
            refusal: REFUSALS.unknownSkillRepository({ repository, configured: urls }),
          })
        : listAll(meant, request);
    },
  };
};

/** Finds skills in Git repositories through the REST API of their host. */
export const createGitSkillSource = (options: GitSkillSourceOptions): CreatedSkillSource => {
  const problem = options.apiUrl === undefined ? undefined : apiUrlProblem(options.apiUrl);
  if (problem !== undefined) return { ok: false, problem };
  const repositories: SkillRepository[] = [];
  for (const address of options.repositories) {
    const parsed = parseRepository(address, options.apiUrl);
    if (!parsed.ok) return parsed;
    if (!repositories.some(({ url }) => url === parsed.repository.url))
      repositories.push(parsed.repository);
  }
  return repositories.length === 0
    ? { ok: false, problem: 'there is no skill repository' }
    : { ok: true, source: source(repositories, options) };
};
