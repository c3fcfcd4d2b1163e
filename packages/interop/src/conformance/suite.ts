import { build } from 'esbuild';
import { cpSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { packageFile } from '../places.ts';
import { type Ending, type RunLimits, runProgram } from '../gateway.ts';

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

/** Runs the program of the suite with these arguments to its end. */
export type Suite = (args: readonly string[], limits: RunLimits) => Promise<Ending>;

/**
 * Returns the suite in a form that starts fast: in one file, with a compile cache.
 *
 * @param folder for the program, which finds the requirements next to its own folder, and for its compile cache
 */
export async function bundledSuite(folder: string): Promise<Suite> {
  const from = dirname(packageFile('@modelcontextprotocol/conformance'));
  const program = join(folder, 'dist/index.mjs');
  await bundle(join(from, 'dist/index.js'), program);
  cpSync(join(from, 'requirements'), join(folder, 'requirements'), { recursive: true });
  const env = { NODE_COMPILE_CACHE: join(folder, 'compiled') };
  return (args, limits) => runProgram(process.execPath, [program, ...args], { ...limits, env });
}

/** Does the work for every item, for at most `atOnce` of them at a time. The results are in the order of the items. */
export async function inParallel<T, R>(
  items: readonly T[],
  atOnce: number,
  work: (item: T, place: number) => Promise<R>,
): Promise<readonly R[]> {
  const waiting = [...items.entries()];
  const results: R[] = [];
  const next = async (): Promise<void> => {
    for (let taken = waiting.shift(); taken !== undefined; taken = waiting.shift()) {
      const [place, item] = taken;
      results[place] = await work(item, place);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, next));
  return results;
}
