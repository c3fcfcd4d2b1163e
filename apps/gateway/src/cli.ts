#!/usr/bin/env node
import process from 'node:process';
import { processIo, runCli } from '@gateway/gateway-cli';
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
import { toolsetProblem } from './toolset-problem.ts';

keepRequestGarbageYoung();
returnMemoryAtRest();
stopWithNpx('gateway');
let loaded: typeof Serving | undefined;
const serving = (): typeof Serving =>
  (loaded ??= loadProgram(new URL('./serving.cjs', import.meta.url)) as typeof Serving);
const failures: unknown[] = [];
/** Notes a failure of a command that serves: what it has opened before would keep the process, which serves nothing. */
const noted = async <T>(serve: () => Promise<T>): Promise<T> => {
  try {
    return await serve();
  } catch (error) {
    failures.push(error);
    throw error;
  }
};
const problem = nodeVersionProblem({ feature: 'gateway', minimum: OLDEST_NODE });
if (problem === undefined) {
  const code = await runCli(process.argv.slice(2), processIo(), {
    serve: (options) => noted(() => serving().serve(options)),
    serveStdio: (options) => noted(() => serving().serveStdio(options)),
    probeServers: (question) => Promise.resolve(serving().probeServers(question)),
    toolsetProblem,
    stateProblem: (config, place) => serving().stateProblem(config, place),
  });
  if (code !== undefined) process.exitCode = code;
  // After the message of the failure is written.
  if (failures.length > 0) process.stderr.write('', () => process.exit());
} else {
  process.stderr.write(`${problem}\n`);
  process.exitCode = EXIT_CODES.refused;
}
