import { docsPage, openApiYaml } from '@gateway/agent-manager-client';
import { AGENT_MANAGER_VERSION as version } from '../version.ts';

/** A text that is served as it is. */
export interface Document {
  readonly type: string;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Documents by their path. */
export type Documents = ReadonlyMap<string, Document>;

/** The description of the operations for programs and for people. */
export function createDocuments(): Documents {
  const { html, contentSecurityPolicy } = docsPage({ version });
  return new Map<string, Document>([
    ['/api/v1/openapi.yaml', { type: 'application/yaml', body: openApiYaml({ version }) }],
    [
      '/api/v1/docs',
      {
        type: 'text/html; charset=utf-8',
        body: html,
        headers: {
          'content-security-policy': contentSecurityPolicy,
          'referrer-policy': 'no-referrer',
        },
      },
    ],
  ]);
}
