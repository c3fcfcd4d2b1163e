#!/usr/bin/env node
import process from 'node:process';
import { processIo, runCli } from '@gateway/gateway-cli';

const code = await runCli(process.argv.slice(2), processIo(), {
  serve: async (options) => (await import('./serve.ts')).serve(options),
  serveStdio: async (options) => (await import('./stdio.ts')).serveStdio(options),
});
if (code !== undefined) process.exitCode = code;
