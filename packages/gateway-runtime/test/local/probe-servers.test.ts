import { createTestConfigDirectory, retryAssertion } from '@gateway/repo-checks';
import { parseConfig } from '@gateway/gateway-config';
import { readDirectory } from '@gateway/resource-store';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { probeServers } from '../../src/local/probe-servers.ts';

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

it('ends a server that has not answered when the signal is aborted', async () => {
  const directory = createTestConfigDirectory();
  const file = join(directory.path, 'pid');
  const silent = `require('fs').writeFileSync(process.argv[1], String(process.pid)); setInterval(() => undefined, 1000)`;
  const args = ['-e', silent, file];
  directory.server('silent', { type: 'stdio', command: process.execPath, args });
  const parsed = parseConfig(undefined);
  if (!parsed.ok) throw new Error('the defaults are refused');
  const { config } = parsed;
  const { servers } = await readDirectory(directory.path);
  const controller = new AbortController();
  const probes = probeServers({
    ...{ config, servers, directory: directory.path, signal: controller.signal },
  });
  const result = probes.next();
  const pid = await retryAssertion(() => {
    expect(existsSync(file)).toBe(true);
    const text = readFileSync(file, 'utf8');
    expect(text).not.toBe('');
    return Number(text);
  });
  expect(isRunning(pid)).toBe(true);
  controller.abort();
  expect(await result).toEqual({ done: true, value: undefined });
  await expect.poll(() => isRunning(pid)).toBe(false);
  directory.remove();
});
