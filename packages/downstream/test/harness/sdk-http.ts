import { spawn } from 'node:child_process';
import { onTestFinished } from 'vitest';
import { fixture } from './fixture.ts';

/** Starts an HTTP server of an SDK generation, which is killed when the test ends. Returns its URL. */
export const startSdkHttp = async (generation: string): Promise<string> => {
  const child = spawn(process.execPath, [fixture('sdk-http.mjs'), generation], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const port = await new Promise<string>((resolve) =>
    child.stdout.once('data', (chunk: Buffer) => resolve(chunk.toString('utf8').trim())),
  );
  return `http://127.0.0.1:${port}/mcp`;
};
