import { statSync } from 'node:fs';
// By the module: a Node without `enableCompileCache` must still link the program that reports its version.
import module from 'node:module';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const ROOT = 0;
const WRITABLE_BY_ALL = 0o002;

/** Milliseconds after which the functions that a start needs are compiled, and stored. */
const STORE_AFTER_MS = 5_000;

/**
 * Lets Node store the compiled code of a program in `.cache` of its package, and use it at the next start. A user who does not own the
 * package creates no folder in it, root writes nothing into the package of a user, and a folder that everybody can write is not used.
 * Never throws.
 *
 * @param program the URL of a file in a folder of the package
 * @param user the user of this process; undefined where there are no numbers of users
 */
export function storeCompiledCode(program: string, user = process.getuid?.()): void {
  const file = fileURLToPath(program);
  const folder = join(dirname(file), '../.cache');
  const isOwner = user === undefined || statSync(file).uid === user;
  const state = statSync(folder, { throwIfNoEntry: false });
  if (!isOwner && (state === undefined || user === ROOT)) return;
  if (state !== undefined && (state.mode & WRITABLE_BY_ALL) !== 0) return;
  module.enableCompileCache(folder);
  // A process that is killed stores nothing at its end.
  // eslint-disable-next-line n/no-unsupported-features/node-builtins -- Node 22 has it as an experiment
  setTimeout(() => module.flushCompileCache(), STORE_AFTER_MS).unref();
}
