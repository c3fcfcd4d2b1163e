import { defineConfig } from 'tsup';
import shared from '../repo-checks/tsup.config.js';

/**
 * The modules behind the groups of exports. Each is built as a file of its own beside the index, so that a bundler leaves out the
 * groups that a program does not use: a caller of the client needs neither the page nor the OpenAPI document. Only the index is a
 * public door.
 */
const groups = [
  'client/create-agent-manager-client',
  'openapi/open-api-document',
  'openapi/open-api-yaml',
  'operations/operations',
  'arguments/parse-arguments',
  'page/docs-page',
  'refusals/refusal',
  'toolset/toolset-problem',
];

export default defineConfig({
  ...shared,
  entry: ['src/index.ts', ...groups.map((group) => `src/${group}.ts`)],
});
