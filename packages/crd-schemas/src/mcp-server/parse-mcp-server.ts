import * as z from 'zod/mini';
import { apiVersionOf } from '../resource/api-group.ts';
import { issuesOfZod, issuesWithRules } from '../fields/issues-of-zod.ts';
import { MAX_ISSUES } from '../resource/limits.ts';
import { objectMetadataFields, objectMetadataOf } from '../fields/object-metadata.ts';
import { identityIssues, memberOf } from '../resource/resource-identity.ts';
import { evaluateRules } from '../rules/evaluate-rules.ts';
import type { ValidationIssue } from '../resource/validation-issue.ts';
import { MCP_SERVER_KIND, type McpServer } from './mcp-server.ts';
import { headerCaseIssues } from './header-case-issues.ts';
import { withStandIns } from './placeholder.ts';
import { MAX_URL_CHARS } from '../resource/limits.ts';
import { mcpServerSpecFields } from './spec-fields.ts';
import { specOfFields } from './spec-of-fields.ts';

/** A server, or every problem that its document has (at most 20, never none). */
export type ParsedMcpServer =
  | { readonly ok: true; readonly server: McpServer }
  | { readonly ok: false; readonly issues: readonly ValidationIssue[] };

/** The top level of the document. `status` is written by the cluster and ignored. @spec §2.6 */
const documentFields = z.strictObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: objectMetadataFields,
  spec: mcpServerSpecFields,
  status: z.exactOptional(z.unknown()),
});

/** Options of {@link parseMcpServer}. */
export interface ParseOptions {
  /** The group that `apiVersion` must name; `gateway.internal` when absent. */
  readonly apiGroup?: string;
  /** Accept a URL that becomes valid with the values of its placeholders, as in files. */
  readonly hasPlaceholders?: boolean;
}

/** Returns the URL of a document, when file mode may replace a part of it. */
const placeholderUrl = (document: unknown): string | undefined => {
  const url = memberOf(memberOf(document, 'spec'), 'url');
  return typeof url === 'string' && url.includes('${') && url.length <= MAX_URL_CHARS
    ? url
    : undefined;
};

const withUrl = (document: unknown, url: string): unknown => ({
  ...(document as object),
  spec: { ...(memberOf(document, 'spec') as object), url },
});

/** Parses a document with the URL that its placeholders may lead to, and returns it with the URL as written. */
const parseWithPlaceholders = (
  document: unknown,
  url: string,
  { apiGroup }: ParseOptions,
): ParsedMcpServer => {
  const parsed = parseMcpServer(
    withUrl(document, withStandIns(url)),
    apiGroup === undefined ? {} : { apiGroup },
  );
  if (!parsed.ok || parsed.server.spec.type === 'stdio') return parsed;
  const spec = Object.freeze({ ...parsed.server.spec, url });
  return { ok: true, server: Object.freeze({ ...parsed.server, spec }) };
};

/**
 * Parses an `MCPServer` document: fields, bounds, unknown keys and the rules between fields, all reported together. Never
 * throws for plain data. Defaults are filled in; the result is frozen and shares nothing mutable with the document.
 *
 * @spec §1.5, §2.6, §7.6, §8, §9.1
 */
export const parseMcpServer = (document: unknown, options: ParseOptions = {}): ParsedMcpServer => {
  const url = options.hasPlaceholders === true ? placeholderUrl(document) : undefined;
  if (url !== undefined) return parseWithPlaceholders(document, url, options);
  const apiVersion = apiVersionOf(options.apiGroup);
  const parsed = documentFields.safeParse(document);
  const issues = [
    ...identityIssues(document, { apiVersion, kind: MCP_SERVER_KIND }),
    ...issuesWithRules(
      parsed.success ? headerCaseIssues(parsed.data.spec) : issuesOfZod(parsed.error, document),
      { ofRules: evaluateRules(MCP_SERVER_KIND, memberOf(document, 'spec')), document },
    ),
  ];
  if (!parsed.success || issues.length > 0) {
    return { ok: false, issues: issues.slice(0, MAX_ISSUES) };
  }
  const metadata = objectMetadataOf(parsed.data.metadata);
  const spec = specOfFields(parsed.data.spec, metadata.namespace);
  return {
    ok: true,
    server: Object.freeze({ apiVersion, kind: MCP_SERVER_KIND, metadata, spec }),
  };
};
