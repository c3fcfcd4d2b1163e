import { readFileSync } from 'node:fs';
import { defineConfig } from 'tsup';
import shared from '../repo-checks/tsup.config.js';

/**
 * The modules behind the exports. Each is built as a file of its own beside the index, so that a bundler leaves out what a program does
 * not use: a caller of the client needs neither the page nor the OpenAPI document, and a form that judges toolsets needs no zod. Only
 * the index is a public door.
 */
const index = readFileSync(new URL('src/index.ts', import.meta.url), 'utf8');
const modules = new Set([...index.matchAll(/ from '\.\/(.+\.ts)'/g)].map(([, path]) => path));

export default defineConfig({
  ...shared,
  entry: ['src/index.ts', ...[...modules].map((path) => `src/${path}`)],
});
