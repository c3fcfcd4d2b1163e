/** Defines `require`, which CommonJS modules in an ES module bundle use to load the modules of Node. */
export const REQUIRE_BANNER =
  "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);";

/** The esbuild options that bundle a program with its libraries into a few files, which halves its start time. */
export const BUNDLED_PROGRAM = {
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node22',
  outExtension: { '.js': '.mjs' },
  banner: { js: REQUIRE_BANNER },
  logLevel: 'error',
} as const;
