/** A Git repository that may hold skills, and where its host answers questions about it. */
export interface SkillRepository {
  /** The URL: `https://host/owner/name`. */
  readonly url: string;
  readonly owner: string;
  readonly name: string;
  /** The base URL of the REST API of the host, without a trailing slash. */
  readonly apiUrl: string;
}

/** A repository, or the reason why the URL is invalid. */
export type ParsedRepository =
  | { readonly ok: true; readonly repository: SkillRepository }
  | { readonly ok: false; readonly problem: string };

const PUBLIC_HOST = 'github.com';
const PUBLIC_API = 'https://api.github.com';
const LOOPBACK = new Set(['127.0.0.1', '[::1]', 'localhost']);
const SEGMENT = /^(?!\.{1,2}$)[\w.-]{1,100}$/u;

/** Addresses that may carry a password are never repeated. */
const UNSHOWN = 'an address of a skill repository';

const parsedUrl = (text: string): URL | undefined =>
  URL.canParse(text) ? new URL(text) : undefined;

const isBare = (url: URL): boolean =>
  url.username === '' && url.password === '' && url.search === '' && url.hash === '';

/** Returns whether the URL is trusted: `https`, or `http` on this machine only, because a request may have a token. */
const isTrusted = (url: URL): boolean =>
  url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.has(url.hostname));

const apiOf = (url: URL, given: string | undefined): string =>
  given ?? (url.hostname === PUBLIC_HOST ? PUBLIC_API : `${url.origin}/api/v3`);

const withoutEnd = (text: string): string => text.replace(/\/+$/u, '').replace(/\.git$/u, '');

/** Address of a repository in the one spelling by which it is known. */
const canonical = (url: URL): string => `${url.origin}${withoutEnd(url.pathname)}`;

/** Returns whether a URL names this repository, with or without `.git` and a trailing slash. */
export const isAddressOf = ({ url }: SkillRepository, given: string): boolean => {
  const other = parsedUrl(given);
  return other !== undefined && isBare(other) && canonical(other) === url;
};

const refusedAddress = (problem: string): ParsedRepository => ({
  ok: false,
  problem: `${UNSHOWN} ${problem}`,
});

/**
 * Reads the address of a repository.
 *
 * @param apiUrl where the REST API of the host begins; left out: known for the public host, `/api/v3` at every other
 */
export const parseRepository = (address: string, apiUrl?: string): ParsedRepository => {
  const url = parsedUrl(address);
  if (url?.protocol !== 'https:') return refusedAddress('must begin with https://');
  if (!isBare(url)) return refusedAddress('must be without user, password, query and fragment');
  const [owner, name, ...more] = withoutEnd(url.pathname).slice(1).split('/');
  if (owner === undefined || name === undefined || more.length > 0)
    return refusedAddress('must be https://host/owner/name');
  if (!SEGMENT.test(owner) || !SEGMENT.test(name))
    return refusedAddress('must be https://host/owner/name');
  return {
    ok: true,
    repository: { url: canonical(url), owner, name, apiUrl: withoutEnd(apiOf(url, apiUrl)) },
  };
};

/** Returns why the URL of the API cannot be used; undefined when it can. */
export const apiUrlProblem = (apiUrl: string): string | undefined => {
  const url = parsedUrl(apiUrl);
  if (url === undefined || !isTrusted(url))
    return 'the address of the Git host’s API must begin with https://';
  return isBare(url)
    ? undefined
    : 'the address of the Git host’s API must be without user, password, query and fragment';
};
