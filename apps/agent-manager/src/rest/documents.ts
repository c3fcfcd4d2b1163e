import { createHash } from 'node:crypto';
import { openApiYaml } from '@gateway/agent-manager-client';
import { AGENT_MANAGER_VERSION } from '../version.ts';

/** A text that is served as it is. */
export interface Document {
  readonly type: string;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Documents by their path. */
export type Documents = ReadonlyMap<string, Document>;

/** The description of the operations for programs and for people. */
export const createDocuments = (): Documents =>
  new Map<string, Document>([
    [
      '/api/v1/openapi.yaml',
      { type: 'application/yaml', body: openApiYaml({ version: AGENT_MANAGER_VERSION }) },
    ],
  ]);

/** A page with the policy that fits it. */
export const pageOf = (html: string): Document => ({
  type: 'text/html; charset=utf-8',
  body: html,
  headers: { 'content-security-policy': policyOf(html), 'referrer-policy': 'no-referrer' },
});

/** The page's own scripts and styles and nothing else, from nowhere else; requests go to this server alone. */
export function policyOf(html: string): string {
  const sources = (tag: 'script' | 'style'): string => {
    const found = [...html.matchAll(new RegExp(`<${tag}[^>]*>([^]*?)</${tag}>`, 'gu'))];
    return found.length === 0 ? "'none'" : found.map(([, text = '']) => hashOf(text)).join(' ');
  };
  return [
    "default-src 'none'",
    `script-src ${sources('script')}`,
    `style-src ${sources('style')}`,
    'img-src data:',
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

const hashOf = (text: string): string =>
  `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
