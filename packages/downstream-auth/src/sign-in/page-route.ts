import type { IncomingMessage, ServerResponse } from 'node:http';
import { type PageError, sendErrorPage } from '../pages/sign-in-pages.ts';
import type { SignInLog } from '../ports/sign-in.ts';
import type { PendingLogin } from './pending-login.ts';
import { type SignInContext, storeFailure } from './sign-in-context.ts';

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

export const redirectWithServer = (redirect: string, server: string): string => {
  const url = new URL(redirect);
  url.searchParams.set('server', server);
  return url.href;
};

export const observeFailure = (
  { observe }: SignInContext,
  { server, principalKey }: PendingLogin,
  failure: PageError,
): void => {
  // The sign-in is known, so it has not expired.
  const problem = failure === 'expired' ? 'failed' : failure;
  observe({ code: 'sign-in-failed', server, principalKey, problem });
};

export type Route = (request: IncomingMessage, response: ServerResponse) => void;

/** Answers a request, or returns the error page for it. Rejects with failures of the store. */
export type PageHandler = (
  request: IncomingMessage,
  response: ServerResponse,
) => Promise<PageError | undefined>;

const MAX_QUERY_CHARS = 16 * 1024;

/** Returns the query; empty when it is too long. */
export const queryOf = ({ url = '' }: IncomingMessage): URLSearchParams => {
  const at = url.indexOf('?');
  const query = at < 0 ? '' : url.slice(at + 1);
  return new URLSearchParams(query.length > MAX_QUERY_CHARS ? '' : query);
};

/** Returns a parameter that occurs once and is not empty. */
export const only = (query: URLSearchParams, name: string): string | undefined => {
  const values = query.getAll(name);
  return values.length === 1 && values[0] !== '' ? values[0] : undefined;
};

/** Returns the route of pages by method. A failure of the store is answered with a page, and reported without values. */
export const pageRoute = (
  log: SignInLog,
  handlers: Readonly<Partial<Record<'GET' | 'POST', PageHandler>>>,
): Route => {
  const byMethod = new Map(Object.entries(handlers));
  const allow = [...byMethod.keys()].join(', ');
  return (request, response) => {
    const handle = byMethod.get(request.method ?? '');
    if (handle === undefined) {
      response.writeHead(405, { allow }).end();
      return;
    }
    void handle(request, response)
      .catch((error: unknown): PageError => {
        log.warn({}, `sign-in failed: ${storeFailure(error)}`);
        return 'failed';
      })
      .then((failure) => {
        if (failure !== undefined) sendErrorPage(response, failure);
      })
      .catch(() => response.destroy());
  };
};
