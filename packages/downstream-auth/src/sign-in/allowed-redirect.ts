/** Dot segments, also escaped, and separators that servers read in different ways. */
const UNSAFE_PATH = /(?:^|\/)(?:\.|%2e){1,2}(?:\/|$)|\\|%2f|%5c/i;
const MAX_URL_CHARS = 2_048;

const pathOf = (text: string): string =>
  /^[a-z][a-z\d+.-]*:\/\/[^/?#]*([^?#]*)/i.exec(text)?.[1] ?? '';

const extendsPath = (path: string, base: string): boolean => {
  const folder = base.endsWith('/') ? base : `${base}/`;
  return path === base || path.startsWith(folder);
};

/**
 * Returns the URL that a sign-in may end at: of the scheme and host of an allowed URL, with a path that equals or extends its path at a segment.
 * Returns `undefined` for any other text: URLs with credentials, with a fragment, or with dot segments.
 */
export const allowedRedirect = (
  text: string | undefined,
  allowed: readonly string[],
): string | undefined => {
  if (text === undefined || text.length > MAX_URL_CHARS || !URL.canParse(text)) return undefined;
  // The parser removes dot segments, tabs and line breaks, so the text is checked.
  if (!/^https?:\/\/[\x21-\x7e]+$/i.test(text) || UNSAFE_PATH.test(pathOf(text))) return undefined;
  const url = new URL(text);
  if (/^[^/]*\/\/[^/?#]*@/.test(text)) return undefined;
  if (url.hash !== '' || text.includes('#')) return undefined;
  const isAllowed = allowed
    .filter((one) => URL.canParse(one))
    .map((one) => new URL(one))
    .some(({ origin, pathname }) => origin === url.origin && extendsPath(url.pathname, pathname));
  return isAllowed ? url.href : undefined;
};

/** Returns a redirect with the name of the server as the parameter `server`. */
export const redirectWithServer = (redirect: string, server: string): string => {
  const url = new URL(redirect);
  url.searchParams.set('server', server);
  return url.href;
};
