import { defineConfig } from 'tsup';
import shared from '../repo-checks/tsup.config.js';

/**
 * The modules behind the groups of exports. Each is built as a file of its own beside the index, so that a bundler leaves out the
 * groups that a program does not use, zod and the rules among them. Only the index is a public door.
 */
const groups = [
  'schema/custom-resource-definition',
  'schema/field-reference',
  'schema/json-schema-of',
  'mcp-server/mcp-server',
  'rules/cel-rules',
  'rules/evaluate-rules',
  'fields/validation-issue',
  'workflow/parse-execution-record',
  'workflow/parse-workflow',
  'workflow/workflow-definition',
  'workflow/workflow',
  'workflow/workflow-status',
];

export default defineConfig({
  ...shared,
  entry: ['src/index.ts', ...groups.map((group) => `src/${group}.ts`)],
});
