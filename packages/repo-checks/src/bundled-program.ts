/** Modules that came as CommonJS ask for Node's own by `require`, which modules of today do not have. */
export const REQUIRE_BANNER =
  "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);";

/** What esbuild is told to put a program that is started many times into a few files with its libraries: it starts in half the time. */
export const BUNDLED_PROGRAM = {
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  outExtension: { '.js': '.mjs' },
  banner: { js: REQUIRE_BANNER },
  logLevel: 'error',
} as const;
