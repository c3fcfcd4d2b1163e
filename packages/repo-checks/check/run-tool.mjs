import { spawn } from 'node:child_process';
import { toolEnvironment } from '../bootstrap/pnpm.mjs';

/**
 * Runs a Node script quietly.
 * @returns its exit code and everything it wrote, for the report of a failure
 */
export const runTool = (script, args, cwd) =>
  new Promise((done) => {
    const child = spawn(process.execPath, [script, ...args], {
      cwd,
      env: toolEnvironment(),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => {
        output += text;
      });
    }
    child.once('error', (error) => done({ code: 127, output: error.message }));
    child.once('close', (code) => done({ code: code ?? 1, output }));
  });
