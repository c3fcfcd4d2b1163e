import type { ServerResponse } from 'node:http';
import { createPageRenderer, pageHeaders } from '@gateway/service-host';
import type { Page } from '@gateway/service-host';

/** The sentences of error pages. */
const PAGE_ERRORS = {
  denied: 'Authentication was denied or failed. Please try again.',
  incomplete: 'Invalid callback: missing required parameters',
  expired: 'Authentication session expired. Please try again.',
  invalid: 'Authentication session invalid. Please try again.',
  failed: 'Failed to complete authentication. Please try again.',
} as const;

/** The kind of an error page. */
export type PageError = keyof typeof PAGE_ERRORS;

const CONTENT = `<main id="main" class="dialog">
<h1><%= it.title %></h1>
<p<% if (it.isError) { %> role="alert"<% } %>><%= it.sentence %></p>
<p><%= it.advice %></p>
</main>
`;

const render = createPageRenderer({ content: CONTENT });

const errorPage = (error: PageError): Page =>
  render('Sign-in failed', {
    title: 'Sign-in failed',
    isError: true,
    sentence: PAGE_ERRORS[error],
    advice: 'Request a new link from your agent or client. You can close this page.',
  });

const successPage = (server: string): Page =>
  render('Signed in', {
    title: 'Signed in',
    isError: false,
    sentence: `You are signed in to ${server}.`,
    advice: 'You can close this page and return to your agent or client.',
  });

const SECURITY = {
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
} as const;

/** Answers with a page. */
export const sendPage = (response: ServerResponse, status: number, page: Page): void => {
  const body = Buffer.from(page.html);
  response.writeHead(status, {
    ...pageHeaders(page),
    ...SECURITY,
    'content-length': body.byteLength,
  });
  response.end(body);
};

/** Answers with an error page, with status 400. */
export const sendErrorPage = (response: ServerResponse, error: PageError): void => {
  sendPage(response, 400, errorPage(error));
};

/** Answers with the page of a completed sign-in. */
export const sendSuccessPage = (response: ServerResponse, server: string): void => {
  sendPage(response, 200, successPage(server));
};

/** Answers with a redirect: 302 to a provider, 303 after a sign-in. */
export const sendRedirect = (
  response: ServerResponse,
  status: 302 | 303,
  location: string,
): void => {
  response
    .writeHead(status, { ...SECURITY, 'content-security-policy': "default-src 'none'", location })
    .end();
};
