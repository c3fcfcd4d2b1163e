#!/usr/bin/env node
import { createRequire } from 'node:module';
import process from 'node:process';
import { SERVING_WORDS } from '@gateway/gateway-cli';
import {
  EXIT_CODES,
  keepRequestGarbageYoung,
  nodeVersionProblem,
  OLDEST_NODE,
  returnMemoryAtRest,
  stopWithNpx,
  storeCompiledCode,
} from '@gateway/service-host';
import type * as Serving from './serving.ts';

keepRequestGarbageYoung();
returnMemoryAtRest();
stopWithNpx('gateway');
/** CommonJS with stored code starts in two thirds of the time of ES modules with stored code. */
const serving = (): typeof Serving =>
  createRequire(import.meta.url)('./serving.cjs') as typeof Serving;
const problem = nodeVersionProblem({ feature: 'gateway', minimum: OLDEST_NODE });
if (problem === undefined) {
  storeCompiledCode(import.meta.url);
  const args = process.argv.slice(2);
  // What serves starts with one file, and without the other commands.
  if (SERVING_WORDS.includes(args[0] ?? '')) await serving().runServing(args);
  else await (await import('./commands.ts')).runCommands(args, serving);
} else {
  process.stderr.write(`${problem}\n`);
  process.exitCode = EXIT_CODES.refused;
}
