import {
  type ClientOutcome,
  isGitRef,
  type AgentRefusal,
  type Result,
  REFUSALS,
  type SkillList,
} from '@gateway/agent-manager-client';
import { LRUCache } from 'lru-cache';
import type { SkillSource } from '../service/find-agent.ts';
import { createGitHost } from './git-host.ts';
import {
  MAX_SKILLS,
  type RepositoryFailure,
  listRepositorySkills,
  type SkillRepository,
  type SkillText,
} from './repository-skills.ts';

const PUBLIC_HOST = 'github.com';
const PUBLIC_API = 'https://api.github.com';
const LOOPBACK = new Set(['127.0.0.1', '[::1]', 'localhost']);
const SEGMENT = /^(?!\.{1,2}$)[\w.-]{1,100}$/u;

/** Replaces an address in messages, because the address may contain a password. */
const ADDRESS_LABEL = 'an address of a skill repository';

const tryParseUrl = (text: string): URL | undefined =>
  URL.canParse(text) ? new URL(text) : undefined;

const hasOnlyOriginAndPath = (url: URL): boolean =>
  url.username === '' && url.password === '' && url.search === '' && url.hash === '';

/** Returns whether the URL is trusted: `https`, or `http` on this machine only, because a request may have a token. */
const isTrusted = (url: URL): boolean =>
  url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.has(url.hostname));

const resolveApiUrl = (url: URL, given: string | undefined): string =>
  given ?? (url.hostname === PUBLIC_HOST ? PUBLIC_API : `${url.origin}/api/v3`);

const trimUrlEnd = (text: string): string => text.replace(/\/+$/u, '').replace(/\.git$/u, '');

/** Returns the URL of a repository without `.git` and trailing slashes. */
const formatCanonicalUrl = (url: URL): string => `${url.origin}${trimUrlEnd(url.pathname)}`;

/** Returns whether a URL names this repository, with or without `.git` and a trailing slash. */
const isSameRepository = ({ url }: SkillRepository, given: string): boolean => {
  const other = tryParseUrl(given);
  return other !== undefined && hasOnlyOriginAndPath(other) && formatCanonicalUrl(other) === url;
};

const refuseAddress = (problem: string): Result<never, string> => ({
  ok: false,
  error: `${ADDRESS_LABEL} ${problem}`,
});

/**
 * Reads the address of a repository.
 *
 * @param apiUrl base URL of the REST API. Default: the API of the public host, or `/api/v3` of another host
 */
export const parseRepository = (
  address: string,
  apiUrl?: string,
): Result<SkillRepository, string> => {
  const url = tryParseUrl(address);
  if (url?.protocol !== 'https:') return refuseAddress('must begin with https://');
  if (!hasOnlyOriginAndPath(url))
    return refuseAddress('must be without user, password, query and fragment');
  const [owner, name, ...more] = trimUrlEnd(url.pathname).slice(1).split('/');
  if (owner === undefined || name === undefined || more.length > 0)
    return refuseAddress('must be https://host/owner/name');
  if (!SEGMENT.test(owner) || !SEGMENT.test(name))
    return refuseAddress('must be https://host/owner/name');
  return {
    ok: true,
    value: {
      url: formatCanonicalUrl(url),
      owner,
      name,
      apiUrl: trimUrlEnd(resolveApiUrl(url, apiUrl)),
    },
  };
};

/** Returns why the URL of the API cannot be used; undefined when it can. */
const findApiUrlProblem = (apiUrl: string): string | undefined => {
  const url = tryParseUrl(apiUrl);
  if (url === undefined || !isTrusted(url))
    return 'the address of the Git host’s API must begin with https://';
  return hasOnlyOriginAndPath(url)
    ? undefined
    : 'the address of the Git host’s API must be without user, password, query and fragment';
};

const SENTENCES: Readonly<Record<Exclude<RepositoryFailure['kind'], 'noRef' | 'status'>, string>> =
  {
    limited: 'the Git host takes no more requests for now',
    moved: 'the Git host reports that it has moved',
    late: 'the Git host did not answer in time',
    unreachable: 'the Git host cannot be reached',
    tooLarge: 'the Git host answered more than is read',
    unreadable: 'the Git host answered something else',
    tooManyFiles: 'it has more files than the Git host lists',
    tooManySkills: `it has more than ${MAX_SKILLS} skills`,
  };

const formatRepositoryFailure = (failure: Exclude<RepositoryFailure, { kind: 'noRef' }>): string =>
  failure.kind === 'status' ? `the Git host answered ${failure.status}` : SENTENCES[failure.kind];

/** Returns why the skills of a repository cannot be listed, without the text of the host. */
const createSkillsRefusal = (
  repository: string,
  ref: string | undefined,
  failure: RepositoryFailure,
): AgentRefusal =>
  failure.kind === 'noRef'
    ? REFUSALS.noSkillRef({ repository, ref: ref ?? '' })
    : REFUSALS.skillsUnread({ repository, reason: formatRepositoryFailure(failure) });

/** The repositories of skills and the access to their host. */
export interface GitSkillSourceOptions {
  /** Addresses as `https://host/owner/name`, at least one. */
  readonly repositories: readonly string[];
  /** The base URL of the REST API of the host. Default: the API of the public host, or `/api/v3` of another host. */
  readonly apiUrl?: string | undefined;
  /** Sent to the API only. */
  readonly token?: string | undefined;
  readonly fetch?: typeof fetch | undefined;
  /** The maximum duration of a listing, in milliseconds. */
  readonly timeoutMs?: number | undefined;
  /** The time for which a listing is cached, in milliseconds. */
  readonly freshMs?: number | undefined;
  /** Returns the time of a monotonic clock, in milliseconds. */
  readonly now?: (() => number) | undefined;
}

/** A source of skills, or the reason why it cannot be created. The reason contains no URL. */
type SkillSourceResult = Result<SkillSource, string>;

const DEFAULT_TIMEOUT_MS = 20_000;
const DEFAULT_FRESH_MS = 300_000;
/** The maximum number of files cached by content hash. */
const MAX_TEXTS = 4096;

/** The maximum number of cached listings: callers can request any ref. */
const MAX_LISTINGS = 128;

type ListingOutcome = ClientOutcome<SkillList['skills']>;

/** Creates a cached function that lists the skills of a repository. Concurrent callers share one request. Failures are not cached. */
const createListing = (options: GitSkillSourceOptions) => {
  const { freshMs = DEFAULT_FRESH_MS, now = () => performance.now() } = options;
  const host = createGitHost(options.fetch ?? fetch, options.token);
  const texts = new LRUCache<string, SkillText>({ max: MAX_TEXTS });
  const cache = new LRUCache<string, { readonly listed: ListingOutcome; readonly since: number }>({
    max: MAX_LISTINGS,
  });
  const pending = new Map<string, Promise<ListingOutcome>>();

  const list = async (
    repository: SkillRepository,
    ref: string | undefined,
  ): Promise<ListingOutcome> => {
    const signal = AbortSignal.timeout(options.timeoutMs ?? DEFAULT_TIMEOUT_MS);
    const found = await listRepositorySkills({ host, texts, signal }, repository, ref);
    return found.ok
      ? { ok: true, value: [...found.value] }
      : { ok: false, error: createSkillsRefusal(repository.url, ref, found.error) };
  };

  return (
    repository: SkillRepository,
    ref: string | undefined,
    refresh: boolean,
  ): Promise<ListingOutcome> => {
    const key = `${repository.url} ${ref ?? ''}`;
    const known = cache.get(key);
    if (known && !refresh && now() - known.since < freshMs) return Promise.resolve(known.listed);
    const running =
      pending.get(key) ??
      list(repository, ref)
        .then((listed) => {
          if (listed.ok) cache.set(key, { listed, since: now() });
          return listed;
        })
        .finally(() => pending.delete(key));
    pending.set(key, running);
    return running;
  };
};

const createSkillSource = (
  repositories: readonly SkillRepository[],
  options: GitSkillSourceOptions,
): SkillSource => {
  const list = createListing(options);
  const urls = repositories.map(({ url }) => url);
  const listAll = async (
    selected: readonly SkillRepository[],
    { ref, refresh }: Parameters<SkillSource['list']>[0],
  ): Promise<ClientOutcome<SkillList>> => {
    const skills: SkillList['skills'] = [];
    const all = selected.map((repository) => list(repository, ref, refresh === true));
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
        return Promise.resolve({ ok: false, error: REFUSALS.malformedSkillRef(ref) });
      if (repository === undefined) return listAll(repositories, request);
      const selected = repositories.filter((candidate) => isSameRepository(candidate, repository));
      return selected.length === 0
        ? Promise.resolve({
            ok: false,
            error: REFUSALS.unknownSkillRepository({ repository, configured: urls }),
          })
        : listAll(selected, request);
    },
  };
};

/** Creates a source of skills in Git repositories, which uses the REST API of their host. */
export const createGitSkillSource = (options: GitSkillSourceOptions): SkillSourceResult => {
  const problem = options.apiUrl === undefined ? undefined : findApiUrlProblem(options.apiUrl);
  if (problem !== undefined) return { ok: false, error: problem };
  const repositories: SkillRepository[] = [];
  for (const address of options.repositories) {
    const parsed = parseRepository(address, options.apiUrl);
    if (!parsed.ok) return parsed;
    if (!repositories.some(({ url }) => url === parsed.value.url)) repositories.push(parsed.value);
  }
  return repositories.length === 0
    ? { ok: false, error: 'there is no skill repository' }
    : { ok: true, value: createSkillSource(repositories, options) };
};
