import type { IncomingMessage, ServerResponse } from 'node:http';
import { createPageRenderer, type HtmlPage } from './render-page.ts';

/** A link on the page of a service. */
interface ServiceLink {
  readonly href: string;
  readonly title: string;
  readonly description: string;
}

/** The facts that the page of a service shows. */
interface ServiceFacts {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly links: readonly ServiceLink[];
}

const CONTENT = `<header>
<h1><%= it.name %> <span class="version"><%= it.version %></span></h1>
<p><%= it.description %></p>
</header>
<div class="single">
<main id="main">
<dl class="fields">
<% for (const link of it.links) { %>
<div><dt><a href="<%= link.href %>"><%= link.title %></a></dt><dd><%= link.description %></dd></div>
<% } %>
</dl>
</main>
</div>
`;

const render = createPageRenderer({ content: CONTENT });

/** Renders the page at `/`: which service runs here, its version, and links to its endpoints and documents. */
export const renderServicePage = (facts: ServiceFacts): HtmlPage => ({
  ...render(`${facts.name} ${facts.version}`, facts),
  text: formatText(facts),
});

const formatText = ({ name, version, description, links }: ServiceFacts): string => {
  const width = Math.max(...links.map(({ href }) => href.length));
  const lines = links.map((link) => `${link.href.padEnd(width)}  ${link.description}`);
  return [`${name} ${version}`, description, '', ...lines, ''].join('\n');
};

/** Returns the headers of a page, without its length. */
const createPageHeaders = ({
  contentSecurityPolicy,
}: HtmlPage): Readonly<Record<string, string>> => ({
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': contentSecurityPolicy,
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
});

/** The body of a page and its headers, without its length. */
interface PageContent {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Browsers accept HTML by name. Programs such as curl accept anything, or name another type. RFC 9110 §12.5.1 */
const canAcceptHtml = (accept: string | undefined): boolean =>
  accept === undefined || accept.includes('text/html');

/** Returns the HTML of a page, or its text for a client that does not accept HTML by name. */
export const resolvePageContent = (page: HtmlPage, accept: string | undefined): PageContent => {
  if (page.text === undefined) return { body: page.html, headers: createPageHeaders(page) };
  const [body, type] = canAcceptHtml(accept) ? [page.html, 'html'] : [page.text, 'plain'];
  const headers = { ...createPageHeaders(page), 'content-type': `text/${type}; charset=utf-8` };
  return { body, headers: { ...headers, vary: 'Accept' } };
};

/** Returns a handler that answers `GET` and `HEAD` with the page and other methods with 405. */
export const createPageRoute =
  (page: HtmlPage) =>
  ({ method, headers: { accept } }: IncomingMessage, response: ServerResponse): void => {
    if (method !== 'GET' && method !== 'HEAD') {
      response.writeHead(405, { allow: 'GET, HEAD' }).end();
      return;
    }
    const { body: text, headers } = resolvePageContent(page, accept);
    const body = Buffer.from(text);
    response.writeHead(200, { ...headers, 'content-length': body.byteLength });
    response.end(method === 'HEAD' ? undefined : body);
  };

/** Returns the headers of a page with a form: no other site may frame it, and nothing stores it. */
export const createFormPageHeaders = (page: HtmlPage): Readonly<Record<string, string>> => ({
  ...createPageHeaders(page),
  'x-frame-options': 'DENY',
});

/** Answers with a page with a form. */
export const sendFormPage = (response: ServerResponse, status: number, page: HtmlPage): void => {
  const body = Buffer.from(page.html);
  response.writeHead(status, { ...createFormPageHeaders(page), 'content-length': body.byteLength });
  response.end(body);
};
