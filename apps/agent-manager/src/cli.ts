#!/usr/bin/env node
import process from 'node:process';
import { processIo } from './cli/process-io.ts';
import { runCli } from './cli/run-cli.ts';

process.exitCode = await runCli(process.argv.slice(2), processIo());
