import { build } from 'esbuild';

/** CommonJS modules load Node's own by `require`. */
const REQUIRE =
  "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);";

/** Puts a program that is started many times into one file with its libraries: it starts in half the time. */
export async function bundle(program: string, outfile: string): Promise<void> {
  await build({
    entryPoints: [program],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node22',
    banner: { js: REQUIRE },
    logLevel: 'error',
  });
}
