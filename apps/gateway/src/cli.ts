#!/usr/bin/env node
import { createRequire } from 'node:module';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { CommandFailure, createDamagedFileFailure, SERVING_WORDS } from '@gateway/gateway-cli';
import {
  EXIT_CODES,
  validateNodeVersion,
  OLDEST_NODE,
  returnIdleMemory,
  stopWithNpx,
  storeCompiledCode,
} from '@gateway/service-host';
import type * as Serving from './serving.ts';

returnIdleMemory();
stopWithNpx('gateway');
/** Loads the serving commands as CommonJS, which starts faster than ES modules with a code cache. */
const loadServing = (): typeof Serving => {
  const file = fileURLToPath(new URL('serving.cjs', import.meta.url));
  try {
    const loaded = createRequire(file)(file) as
      typeof Serving | { readonly runServing?: undefined };
    // A truncated file may load without its exports.
    if (loaded.runServing !== undefined) return loaded;
  } catch (error) {
    throw createDamagedFileFailure(file, error);
  }
  throw createDamagedFileFailure(file, 'it exports nothing');
};
const problem = validateNodeVersion({ feature: 'gateway', minimum: OLDEST_NODE });
if (problem === undefined) {
  storeCompiledCode(import.meta.url);
  const args = process.argv.slice(2);
  try {
    // Serving commands load a single file, without the code of the other commands.
    if (SERVING_WORDS.includes(args[0] ?? '')) await loadServing().runServing(args);
    else await (await import('./commands.ts')).runCommands(args, loadServing);
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error;
    process.stderr.write(`gateway: ${error.message}\n`);
    process.exitCode = EXIT_CODES[error.ending];
  }
} else {
  process.stderr.write(`${problem}\n`);
  process.exitCode = EXIT_CODES.refused;
}
