import { defineConfig } from 'tsup';
import shared from '../repo-checks/tsup.config.js';

/**
 * The modules behind the groups of exports. Each is built as a file of its own beside the index, so that a bundler leaves out the
 * groups that a program does not use, zod and the rules among them. Only the index is a public door.
 */
const groups = [
  'crd/crd-yaml',
  'crd/custom-resource-definition',
  'mcp-server/auth-strategy',
  'mcp-server/parse-mcp-server',
  'mcp-server/states',
  'rules/cel-rules-of',
  'rules/evaluate-rules',
  'schema/field-reference',
  'schema/json-schema-of',
  'resource/validation-issue',
  'workflow/definition/parse-workflow-definition',
  'workflow/definition/workflow-definition-schema',
  'workflow/execution/parse-execution-record',
  'workflow/parsing/parse-workflow',
  'workflow/status/workflow-status-of',
  'workflow/model/workflow-document',
];

export default defineConfig({
  ...shared,
  entry: ['src/index.ts', ...groups.map((group) => `src/${group}.ts`)],
});
