import { openApiYaml } from '@gateway/agent-manager-client';
import { pageHeaders, servicePage } from '@gateway/service-host';
import { operationsPage } from '../page/operations-page.ts';

/** A static document that is served as it is. */
export interface Document {
  readonly type: string;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Documents by path. */
export type Documents = ReadonlyMap<string, Document>;

/** Creates the documents of the service: the page at `/`, the OpenAPI document and its page for people. */
export function createDocuments({ version }: { readonly version: string }): Documents {
  const pages = { '/': frontPage(version), '/api/v1/docs': operationsPage({ version }) };
  return new Map<string, Document>([
    ['/api/v1/openapi.yaml', { type: 'application/yaml', body: openApiYaml({ version }) }],
    ...Object.entries(pages).map(([path, page]): [string, Document] => {
      const { 'content-type': type = '', ...headers } = pageHeaders(page);
      return [path, { type, body: page.html, headers }];
    }),
  ]);
}

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
