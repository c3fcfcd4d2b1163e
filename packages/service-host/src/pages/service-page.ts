import { createPageRenderer, type Page } from './render-page.ts';

/** A link on the page of a service. */
export interface ServiceLink {
  readonly href: string;
  readonly title: string;
  readonly description: string;
}

/** The facts that the page of a service shows. */
export interface ServiceFacts {
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
export const servicePage = (facts: ServiceFacts): Page => ({
  ...render(`${facts.name} ${facts.version}`, facts),
  text: textOf(facts),
});

const textOf = ({ name, version, description, links }: ServiceFacts): string => {
  const width = Math.max(...links.map(({ href }) => href.length));
  const lines = links.map((link) => `${link.href.padEnd(width)}  ${link.description}`);
  return [`${name} ${version}`, description, '', ...lines, ''].join('\n');
};
