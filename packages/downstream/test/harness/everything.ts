import { spawn } from 'node:child_process';
import { afterAll, beforeAll } from 'vitest';
import { eventually } from './downstream.ts';
import { findFreePort } from '@gateway/test-peers';
import { referenceServer } from './servers.ts';

const answers = async (url: string): Promise<boolean> => {
  try {
    await fetch(url, { method: 'OPTIONS' });
    return true;
  } catch {
    return false;
  }
};

/** Runs the reference server as a separate process on a port of this machine; resolves once it listens. */
export const startEverything = async (
  mode: 'sse' | 'streamableHttp',
  port: number,
): Promise<{ readonly url: string; readonly kill: () => void }> => {
  const child = spawn(process.execPath, [referenceServer('everything'), mode], {
    env: { ...process.env, PORT: String(port) },
    stdio: 'ignore',
  });
  await eventually('the server listens', () => answers(`http://127.0.0.1:${port}/`), 60_000);
  return {
    url: `http://127.0.0.1:${port}/${mode === 'sse' ? 'sse' : 'mcp'}`,
    kill: () => void child.kill('SIGKILL'),
  };
};

/** The reference server for all tests of a file; returns where it is. */
export const useEverythingServer = (
  mode: 'sse' | 'streamableHttp',
): { readonly url: () => string } => {
  let url = '';
  let stop = (): void => undefined;
  beforeAll(async () => {
    const started = await startEverything(mode, await findFreePort());
    url = started.url;
    stop = started.kill;
  });
  afterAll(() => stop());
  return { url: () => url };
};
