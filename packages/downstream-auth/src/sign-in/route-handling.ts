import type { IncomingMessage, ServerResponse } from 'node:http';
import { sendErrorPage } from '../pages/sign-in-pages.ts';
import type { PageError } from '../pages/sign-in-pages.ts';
import type { SignInLog } from '../ports/sign-in-log.ts';
import { storeFailure } from './reasons.ts';

/** Handles a request, whatever its method. */
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
