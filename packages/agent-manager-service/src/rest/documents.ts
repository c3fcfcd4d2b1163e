import { openApiYaml } from '@gateway/agent-manager-client';
import { pageContent, servicePage, type Page } from '@gateway/service-host';
import { operationsPage } from '../page/operations-page.ts';

/** A static document that is served as it is. */
export interface Document {
  readonly type: string;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Returns the document for a client that sends this header `Accept`. */
export type DocumentOf = (accept: string | undefined) => Document;

/** Documents by path. */
export type Documents = ReadonlyMap<string, DocumentOf>;

/** Creates the documents of the service: the page at `/`, the OpenAPI document and its page for people. */
export function createDocuments({ version }: { readonly version: string }): Documents {
  const pages = { '/': frontPage(version), '/api/v1/docs': operationsPage({ version }) };
  const description = { type: 'application/yaml', body: openApiYaml({ version }) };
  return new Map<string, DocumentOf>([
    ['/api/v1/openapi.yaml', () => description],
    ...Object.entries(pages).map(([path, page]) => [path, documentOf(page)] as const),
  ]);
}

const documentOf =
  (page: Page): DocumentOf =>
  (accept) => {
    const { body, headers: all } = pageContent(page, accept);
    const { 'content-type': type = '', ...headers } = all;
    return { type, body, headers };
  };

const frontPage = (version: string): ReturnType<typeof servicePage> =>
  servicePage({
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
