import {
  formatOpenApiYaml,
  createOperationsReference,
  type OperationsReferenceOptions,
} from '@gateway/agent-manager-client';
import {
  createPageRenderer,
  type HtmlPage,
  resolvePageContent,
  renderServicePage,
} from '@gateway/service-host';

/** The content of the page; `it` is an `OperationsReference`. */
const CONTENT = `<a class="skip" href="#main">To the operations</a>
<header>
<h1>agent-manager <span class="version"><%= it.version %></span></h1>
<p>Agents with a toolset, over REST and MCP. For programs: <a href="<%= it.openApiUrl %>">OpenAPI 3.1</a>.</p>
</header>
<div class="columns">
<%~ include('@contents', it) %>
<main id="main">
<section id="calling" aria-labelledby="calling-title">
<h2 id="calling-title">Calling</h2>
<% for (const text of it.calling) { %><p><%~ include('@inline', { parts: text }) %></p>
<% } %>
<ul class="routes">
<% for (const { operations } of it.groups) for (const operation of operations) { %>
<li><a href="#<%= operation.name %>"><%~ include('@route', operation) %></a></li>
<% } %>
</ul>
</section>
<% for (const { title, operations } of it.groups) { %>
<h2><%= title %></h2>
<% for (const operation of operations) { %><%~ include('@operation', operation) %><% } %>
<% } %>
<section id="refusals" aria-labelledby="refusals-title">
<h2 id="refusals-title">Refusals</h2>
<dl class="fields">
<% for (const { status, code, description, message } of it.refusals) { %>
<div id="refusal-<%= status %>">
<dt><code><%= status %></code> <code><%= code %></code></dt>
<dd><%~ include('@inline', { parts: description }) %> <q><%= message %></q></dd>
</div>
<% } %>
</dl>
</section>
<h2>Schemas</h2>
<% for (const { name, fields } of it.schemas) { %>
<section id="<%= name %>" aria-labelledby="<%= name %>-title">
<h3 id="<%= name %>-title"><a href="#<%= name %>"><%= name %></a></h3>
<%~ include('@fields', { fields, requiredMark: 'always' }) %>
</section>
<% } %>
</main>
</div>
`;

const CONTENTS = `<nav aria-label="Contents">
<p><a href="#calling">Calling</a></p>
<% for (const { title, operations } of it.groups) { %>
<p><%= title %></p>
<ul>
<% for (const { name, title } of operations) { %><li><a href="#<%= name %>"><%= title %></a></li><% } %>
</ul>
<% } %>
<p><a href="#refusals">Refusals</a></p>
<p>Schemas</p>
<ul>
<% for (const { name } of it.schemas) { %><li><a href="#<%= name %>"><%= name %></a></li><% } %>
</ul>
</nav>`;

const OPERATION = `<section id="<%= it.name %>" aria-labelledby="<%= it.name %>-title">
<h3 id="<%= it.name %>-title"><a href="#<%= it.name %>"><%= it.title %></a></h3>
<p class="route"><%~ include('@route', it) %></p>
<p class="tool">MCP tool <code><%= it.name %></code><% if (it.hints !== '') { %> <span class="note"><%= it.hints %></span><% } %></p>
<p><%~ include('@inline', { parts: it.description }) %></p>
<h4>Arguments</h4>
<%~ include('@fields', { fields: it.arguments, requiredMark: 'required' }) %>
<h4>Answer</h4>
<p><code><%= it.status %></code> with <%~ include('@inline', { parts: it.answer }) %></p>
<h4>Refusals</h4>
<ul class="refusals">
<% for (const { status, code } of it.refusals) { %><li><a href="#refusal-<%= status %>"><code><%= status %></code> <%= code %></a></li>
<% } %>
</ul>
<h4>Example</h4>
<figure><figcaption>curl</figcaption><pre><code><%= it.example.curl %></code></pre></figure>
<figure><figcaption>MCP</figcaption><pre><code><%= it.example.mcp %></code></pre></figure>
<details>
<summary>Answer to <code><%= it.name %></code></summary>
<pre><code><%= it.example.answer %></code></pre>
</details>
</section>
`;

const FIELDS = `<% if (it.fields.length === 0) { %><p>None.</p><% } else { %><dl class="fields">
<% for (const { path, type, isRequired, location, description } of it.fields) { %>
<div>
<dt><code><%= path %></code> <span class="type"><%~ include('@inline', { parts: type }) %></span><% if (location !== undefined) { %> <span class="note"><%= location %></span><% } %><% if (isRequired) { %> <span class="required"><%= it.requiredMark %></span><% } %></dt>
<dd><%~ include('@inline', { parts: description }) %></dd>
</div>
<% } %>
</dl><% } %>`;

const ROUTE = `<span class="method <%= it.method.toLowerCase() %>"><%= it.method %></span> <code><%= it.route %></code>`;

/** `it.parts` is an `InlineText`. */
const INLINE = `<% for (const { kind, text } of it.parts) { if (kind === 'code') { %><code><%= text %></code><% } else if (kind === 'link') { %><a href="#<%= text %>"><%= text %></a><% } else { %><%= text %><% } } %>`;

/** The templates that the content and each other include. */
const PARTIALS = {
  '@contents': CONTENTS,
  '@operation': OPERATION,
  '@fields': FIELDS,
  '@route': ROUTE,
  '@inline': INLINE,
} as const;

const render = createPageRenderer({ content: CONTENT, partials: PARTIALS });

/** Renders the page that describes all operations. It has no script and requests nothing. */
export const renderOperationsPage = (options: OperationsReferenceOptions): HtmlPage =>
  render(`agent-manager ${options.version}`, createOperationsReference(options));

/** A static document that is served as it is. */
interface ServedText {
  readonly type: string;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Returns the document for a client that sends this header `Accept`. */
export type ServedDocument = (accept: string | undefined) => ServedText;

/** Documents by path. */
export type Documents = ReadonlyMap<string, ServedDocument>;

/** Creates the documents of the service: the page at `/`, the OpenAPI document and its page for people. */
export function createDocuments({ version }: { readonly version: string }): Documents {
  const pages = {
    '/': renderFrontPage(version),
    '/api/v1/docs': renderOperationsPage({ version }),
  };
  const description = { type: 'application/yaml', body: formatOpenApiYaml({ version }) };
  return new Map<string, ServedDocument>([
    ['/api/v1/openapi.yaml', () => description],
    ...Object.entries(pages).map(([path, page]) => [path, createDocument(page)] as const),
  ]);
}

const createDocument =
  (page: HtmlPage): ServedDocument =>
  (accept) => {
    const { body, headers: all } = resolvePageContent(page, accept);
    const { 'content-type': type = '', ...headers } = all;
    return { type, body, headers };
  };

const renderFrontPage = (version: string): ReturnType<typeof renderServicePage> =>
  renderServicePage({
    name: 'agent-manager',
    version,
    description: 'Creates, validates, changes and reads agents with a toolset, over REST and MCP.',
    links: [
      {
        href: '/api/v1/docs',
        title: 'Operations',
        description: 'Every REST route and MCP tool, with arguments, refusals and examples.',
      },
      {
        href: '/api/v1/openapi.yaml',
        title: 'OpenAPI 3.1',
        description: 'The same operations for programs.',
      },
      { href: '/mcp', title: '/mcp', description: 'The MCP endpoint, for MCP clients.' },
      { href: '/readyz', title: '/readyz', description: '200 when the service accepts requests.' },
      { href: '/healthz', title: '/healthz', description: '200 while the process runs.' },
      { href: '/metrics', title: '/metrics', description: 'Metrics in the Prometheus format.' },
    ],
  });
