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

/**
 * Parses an `MCPServer` document: fields, bounds, unknown keys and the rules between fields, all reported together. Never
 * throws for plain data. Defaults are filled in; the result is frozen and shares nothing mutable with the document.
 *
 * @param options.apiGroup the group that `apiVersion` must name; `gateway.internal` when absent
 * @spec §1.5, §2.6, §7.6, §8, §9.1
 */
export const parseMcpServer = (
  document: unknown,
  options: { readonly apiGroup?: string } = {},
): ParsedMcpServer => {
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
