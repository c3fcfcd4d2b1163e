import { MAX_BODY_BYTES } from '../limits.ts';
import { componentSchemas } from '../openapi/component-schemas.ts';
import { ALL_REFUSAL_KINDS, type RefusalKind } from '../openapi/refusal-responses.ts';
import { OPERATIONS, type OperationName } from '../operations/operations.ts';
import type { JsonSchema } from '../operations/operation-schemas.ts';
import { fieldList } from './field-list.ts';
import { markup, withCode, type Html } from './markup.ts';
import { operationSection, routeLine } from './operation-section.ts';
import { PAGE_STYLE_HASH } from './page-style-hash.ts';
import { PAGE_STYLE } from './page-style.ts';
import { schemaFields } from './schema-type.ts';

/** What of the page is not in the table. */
export interface DocsPageOptions {
  /** Version of agent-manager. */
  readonly version: string;
  /** Address in front of the routes, for the examples. Left out: `http://127.0.0.1:8080`. */
  readonly serverUrl?: string;
  /** Where the OpenAPI document is, as seen from the page. Left out: `openapi.yaml`. */
  readonly openApiUrl?: string;
}

/** A page that needs nothing else. */
export interface DocsPage {
  /** The whole document: no script, no request to anywhere. */
  readonly html: string;
  /** Value of the header `Content-Security-Policy` under which it shows as it should. */
  readonly contentSecurityPolicy: string;
}

/** Allows the style of the page and its empty icon, and nothing else. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  `style-src '${PAGE_STYLE_HASH}'`,
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const names = Object.keys(OPERATIONS) as OperationName[];

/** Operations by what they do, as the page groups them. */
const groups: readonly { readonly title: string; readonly names: readonly OperationName[] }[] = [
  { title: 'Reading', names: names.filter((name) => OPERATIONS[name].hints.readOnlyHint) },
  { title: 'Writing', names: names.filter((name) => !OPERATIONS[name].hints.readOnlyHint) },
];

const contents = (schemas: readonly string[]): Html =>
  markup`<nav aria-label="Contents">
    <p><a href="#calling">Calling</a></p>
    ${groups.map(
      (group) =>
        markup`<p>${group.title}</p>
          <ul>
            ${group.names.map((name) => markup`<li><a href="#${name}">${OPERATIONS[name].title}</a></li>`)}
          </ul>`,
    )}
    <p><a href="#refusals">Refusals</a></p>
    <p>Schemas</p>
    <ul>
      ${schemas.map((name) => markup`<li><a href="#${name}">${name}</a></li>`)}
    </ul>
  </nav>`;

const CALLING = [
  'Every operation is a route and an MCP tool, with the same arguments, the same answers and the same refusals. MCP is served at `/mcp`; behind a gateway they are named `x_agent-manager_create_agent` and so on.',
  `Over REST, arguments stand in the path, in the query or in a JSON body of at most ${MAX_BODY_BYTES} bytes. Unknown ones are refused; \`null\` counts as left out. What stands in the path must be there. Over MCP all of them stand side by side.`,
  'A refusal over REST is `{"error": {"code", "message"}}` with a status of its own, over MCP a result with `isError` and the text `code: message`. Unknown paths are refused with 404, other methods of a known path with 405.',
  'Answers may have more fields than are listed here.',
];

const schemaSection = ([name, schema]: readonly [string, JsonSchema]): Html =>
  markup`<section id="${name}" aria-labelledby="${name}-title">
    <h3 id="${name}-title"><a href="#${name}">${name}</a></h3>
    ${fieldList(schemaFields(schema), 'always')}
  </section>`;

const refusalEntry = ({
  status,
  description,
  example,
}: RefusalKind): Html => markup`<div id="refusal-${status}">
<dt><code>${status}</code> <code>${example.code}</code></dt>
<dd>${withCode(description)} <q>${example.message}</q></dd>
</div>`;

const refusals = (): Html => markup`<section id="refusals" aria-labelledby="refusals-title">
<h2 id="refusals-title">Refusals</h2>
<dl class="fields">${ALL_REFUSAL_KINDS.map(refusalEntry)}</dl>
</section>`;

const body = ({ version, serverUrl, openApiUrl }: Required<DocsPageOptions>): Html => {
  // What is taken is shown with each operation.
  const schemas = Object.entries(componentSchemas()).filter(([name]) => !name.endsWith('Body'));
  return markup`<a class="skip" href="#main">To the operations</a>
    <header>
      <h1>agent-manager <span class="version">${version}</span></h1>
      <p>
        Agents with a toolset, over REST and MCP. For programs:
        <a href="${openApiUrl}">OpenAPI 3.1</a>.
      </p>
    </header>
    <div class="columns">
      ${contents(schemas.map(([name]) => name))}
      <main id="main">
        <section id="calling" aria-labelledby="calling-title">
          <h2 id="calling-title">Calling</h2>
          ${CALLING.map((text) => markup`<p>${withCode(text)}</p>`)}
          <ul class="routes">
            ${names.map((name) => markup`<li><a href="#${name}">${routeLine(name)}</a></li>`)}
          </ul>
        </section>
        ${groups.map(
          (group) =>
            markup`<h2>${group.title}</h2>
              ${group.names.map((name) => operationSection(name, serverUrl))}`,
        )}
        ${refusals()}
        <h2>Schemas</h2>
        ${schemas.map(schemaSection)}
      </main>
    </div>`;
};

/**
 * A page about all operations, made from their table: for people, in any browser, without a network.
 *
 * @spec §4.4
 */
export const docsPage = ({
  version,
  serverUrl = 'http://127.0.0.1:8080',
  openApiUrl = 'openapi.yaml',
}: DocsPageOptions): DocsPage => ({
  html: markup`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>agent-manager ${version}</title>
        <link rel="icon" href="data:," />
        <style>${{ text: PAGE_STYLE }}</style>
      </head>
      <body>
        ${body({ version, serverUrl, openApiUrl })}
      </body>
    </html> `.text,
  contentSecurityPolicy: CONTENT_SECURITY_POLICY,
});
