import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Page } from './render-page.ts';

/** Returns the headers of a page, without its length. */
export const pageHeaders = ({ contentSecurityPolicy }: Page): Readonly<Record<string, string>> => ({
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': contentSecurityPolicy,
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
});

/** Returns a handler that answers `GET` and `HEAD` with the page and other methods with 405. */
export const pageRoute =
  (page: Page) =>
  ({ method }: IncomingMessage, response: ServerResponse): void => {
    if (method !== 'GET' && method !== 'HEAD') {
      response.writeHead(405, { allow: 'GET, HEAD' }).end();
      return;
    }
    const body = Buffer.from(page.html);
    response.writeHead(200, { ...pageHeaders(page), 'content-length': body.byteLength });
    response.end(method === 'HEAD' ? undefined : body);
  };
