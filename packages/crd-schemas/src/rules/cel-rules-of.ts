import { MCP_SERVER_RULES } from './mcp-server-rules.ts';
import { WORKFLOW_RULES } from './workflow-rules.ts';
import type { CelRule, ResourceKind } from './cel-rule.ts';

const rules: Readonly<Record<ResourceKind, readonly CelRule[]>> = {
  MCPServer: MCP_SERVER_RULES,
  Workflow: WORKFLOW_RULES,
};

/**
 * Returns every rule between fields of a kind, for `x-kubernetes-validations`: `{rule, message, fieldPath, reason}` belongs to
 * the schema at `path`. A rule that applies at several places is listed once for each.
 *
 * @spec §2.6, §2.7, §7.6
 */
export const celRulesOf = (kind: ResourceKind): readonly CelRule[] => rules[kind];
