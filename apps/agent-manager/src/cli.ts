#!/usr/bin/env node
import process from 'node:process';
import {
  exitWhenReaderCloses,
  EXIT_CODES,
  nodeVersionProblem,
  OLDEST_NODE,
} from '@gateway/service-host';
import { runCli } from './cli/run-cli.ts';

const problem = nodeVersionProblem({ feature: 'agent-manager', minimum: OLDEST_NODE });
if (problem === undefined) {
  exitWhenReaderCloses();
  process.exitCode = await runCli(process.argv.slice(2), process);
} else {
  process.stderr.write(`${problem}\n`);
  process.exitCode = EXIT_CODES.refused;
}
