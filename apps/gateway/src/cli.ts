#!/usr/bin/env node
import process from 'node:process';
import { processIo, runCli } from '@gateway/gateway-cli';
import {
  EXIT_CODES,
  keepRequestGarbageYoung,
  nodeVersionProblem,
  OLDEST_NODE,
} from '@gateway/service-host';

keepRequestGarbageYoung();
const problem = nodeVersionProblem({ feature: 'gateway', minimum: OLDEST_NODE });
if (problem === undefined) {
  const code = await runCli(process.argv.slice(2), processIo(), {
    serve: async (options) => (await import('./serve.ts')).serve(options),
    serveStdio: async (options) => (await import('./stdio.ts')).serveStdio(options),
    stateProblem: async (config, place) =>
      (await import('./open-state-store.ts')).stateProblem(config, place),
  });
  if (code !== undefined) process.exitCode = code;
} else {
  process.stderr.write(`${problem}\n`);
  process.exitCode = EXIT_CODES.refused;
}
