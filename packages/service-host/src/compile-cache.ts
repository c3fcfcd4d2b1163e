import { existsSync, statSync } from 'node:fs';
// By the module: a Node without `enableCompileCache` must still link the program that reports its version.
import module from 'node:module';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

/** Milliseconds after which the functions that a start needs are compiled, and stored. */
const STORE_AFTER_MS = 5_000;

/**
 * Lets Node store the compiled code of a program in `.cache` of its package, and use it at the next start. Who can write there can write the
 * program too. A user who does not own the package, such as root, creates nothing in it. Never throws.
 *
 * @param program the URL of a file in a folder of the package
 * @param user the user of this process; undefined where there are no numbers of users
 */
export function storeCompiledCode(program: string, user = process.getuid?.()): void {
  const file = fileURLToPath(program);
  const folder = join(dirname(file), '../.cache');
  const isOwner = user === undefined || statSync(file).uid === user;
  if (!isOwner && !existsSync(folder)) return;
  module.enableCompileCache(folder);
  // A process that is killed stores nothing at its end.
  // eslint-disable-next-line n/no-unsupported-features/node-builtins -- Node 22 has it as an experiment
  setTimeout(() => module.flushCompileCache(), STORE_AFTER_MS).unref();
}
