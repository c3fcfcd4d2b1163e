#!/usr/bin/env node
import process from 'node:process';
import { SERVING_WORDS } from '@gateway/gateway-cli';
import {
  EXIT_CODES,
  keepRequestGarbageYoung,
  loadProgram,
  nodeVersionProblem,
  OLDEST_NODE,
  returnMemoryAtRest,
  stopWithNpx,
} from '@gateway/service-host';
import type * as Serving from './serving.ts';

keepRequestGarbageYoung();
returnMemoryAtRest();
stopWithNpx('gateway');
let loaded: typeof Serving | undefined;
const serving = (): typeof Serving =>
  (loaded ??= loadProgram(new URL('./serving.cjs', import.meta.url)) as typeof Serving);
const problem = nodeVersionProblem({ feature: 'gateway', minimum: OLDEST_NODE });
if (problem === undefined) {
  const args = process.argv.slice(2);
  // What serves starts with one file, whose compiled code is stored, and without the other commands.
  if (SERVING_WORDS.includes(args[0] ?? '')) await serving().runServing(args);
  else await (await import('./commands.ts')).runCommands(args, serving);
} else {
  process.stderr.write(`${problem}\n`);
  process.exitCode = EXIT_CODES.refused;
}
