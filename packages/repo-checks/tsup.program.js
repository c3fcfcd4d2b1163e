import { defineConfig } from 'tsup';
import { licencesPlugin } from './program/licences.mjs';

/** Modules that came as CommonJS ask for Node's own by `require`, which modules of today do not have. */
const REQUIRE = [
  "import { createRequire as requireFrom } from 'node:module';",
  'const require = requireFrom(import.meta.url);',
].join('\n');

/**
 * The build of a program: its sources, those of the workspace and all libraries in a few files, so that a start opens ten files
 * instead of a thousand. Nothing is shortened: a stack trace without source maps can still be read.
 */
export default defineConfig({
  entry: ['src/cli.ts'],
  format: ['esm'],
  target: 'node20',
  platform: 'node',
  sourcemap: true,
  clean: true,
  treeshake: false,
  splitting: true,
  dts: false,
  noExternal: [/^[^.]/],
  banner: { js: REQUIRE },
  esbuildPlugins: [licencesPlugin('THIRD-PARTY-LICENSES.txt')],
  esbuildOptions: (options) => {
    options.conditions = ['@gateway/source', 'module'];
    options.sourcesContent = false;
  },
});
