import { defineConfig } from 'tsup';
import { directImportsPlugin } from './program/direct-imports.mjs';
import { kubernetesClientPlugin } from './program/kubernetes-client.mjs';
import { licencesPlugin } from './program/licences.mjs';
import { libraryPartsPlugin } from './program/library-parts.mjs';
import { oneByteCommentsPlugin } from './program/one-byte-comments.mjs';
import { REQUIRE_BANNER } from './src/bundled-program.ts';

export { oneFile } from './program/one-file.mjs';

/**
 * The build of a program: its sources, those of the workspace and all libraries in a few files, so that a start opens ten files
 * instead of a thousand. Nothing is shortened: a stack trace without source maps can still be read.
 */
export default defineConfig({
  entry: { cli: 'src/cli.ts' },
  format: ['esm'],
  target: 'node22',
  platform: 'node',
  sourcemap: true,
  clean: true,
  treeshake: false,
  splitting: true,
  dts: false,
  noExternal: [/^[^.]/],
  banner: { js: REQUIRE_BANNER },
  esbuildPlugins: [
    directImportsPlugin,
    kubernetesClientPlugin,
    libraryPartsPlugin,
    licencesPlugin('THIRD-PARTY-LICENSES.txt'),
  ],
  plugins: [oneByteCommentsPlugin],
  esbuildOptions: (options) => {
    options.conditions = ['@gateway/source', 'module'];
    options.sourcesContent = false;
  },
});
