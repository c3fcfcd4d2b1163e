import { MCP_SERVER_RULES } from './mcp-server-rules.ts';
import { WORKFLOW_RULES } from './workflow-rules.ts';
import type { CelRule, ResourceKind } from './cel-rule.ts';

const rules: Readonly<Record<ResourceKind, readonly CelRule[]>> = {
  MCPServer: MCP_SERVER_RULES,
  Workflow: WORKFLOW_RULES,
};

/**
 * Every rule between fields of a kind, as `x-kubernetes-validations` takes it: hang `{rule, message, fieldPath, reason}` on
 * the schema that `path` leads to. A rule that hangs at several places is there once for each.
 *
 * @spec §2.6, §2.7, §7.6
 */
export const celRulesOf = (kind: ResourceKind): readonly CelRule[] => rules[kind];
