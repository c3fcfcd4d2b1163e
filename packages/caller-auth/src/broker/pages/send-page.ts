import type { ServerResponse } from 'node:http';
import { pageHeaders, type Page } from '@gateway/service-host';

/** Returns the headers of a page of a sign-in: no other site may frame it, and nothing stores it. */
export const signInPageHeaders = (page: Page): Readonly<Record<string, string>> => ({
  ...pageHeaders(page),
  'x-frame-options': 'DENY',
});

/** Answers with a page. */
export const sendPage = (response: ServerResponse, status: number, page: Page): void => {
  const body = Buffer.from(page.html);
  response.writeHead(status, { ...signInPageHeaders(page), 'content-length': body.byteLength });
  response.end(body);
};
