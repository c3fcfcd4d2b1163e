#!/usr/bin/env node
import process from 'node:process';
import { runCli } from '@gateway/agent-manager-service';
import {
  exitWhenReaderCloses,
  EXIT_CODES,
  returnIdleMemory,
  validateNodeVersion,
  OLDEST_NODE,
} from '@gateway/service-host';
import { AGENT_MANAGER_VERSION as version } from './version.ts';

returnIdleMemory();
const problem = validateNodeVersion({ feature: 'agent-manager', minimum: OLDEST_NODE });
if (problem === undefined) {
  exitWhenReaderCloses();
  process.exitCode = await runCli(process.argv.slice(2), process, {
    version,
    // Loaded by the command `serve` only, so that help starts fast.
    serve: async (options, env) => (await import('./serving/serve.ts')).serve(options, env),
  });
} else {
  process.stderr.write(`${problem}\n`);
  process.exitCode = EXIT_CODES.refused;
}
