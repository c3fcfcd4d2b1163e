import { defineConfig } from 'tsup';
import shared from '../repo-checks/tsup.config.js';

/**
 * The modules behind the groups of exports. Each is built as a file of its own, so that a bundler leaves out the groups that a
 * program does not use: the parser does not load the functions. Only the index is an entry point.
 */
const groups = [
  'rendering/render-value',
  'syntax/function-arities',
  'syntax/parse-path',
  'syntax/parse-template',
  'value-templates/value-template',
  'values/json-value',
  'values/walk-path',
];

export default defineConfig({
  ...shared,
  entry: ['src/index.ts', ...groups.map((group) => `src/${group}.ts`)],
});
