#!/usr/bin/env node
import process from 'node:process';
import { exitWhenReaderCloses } from '@gateway/service-host';
import { runCli } from './cli/run-cli.ts';

exitWhenReaderCloses();
process.exitCode = await runCli(process.argv.slice(2), process);
