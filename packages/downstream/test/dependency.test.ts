import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  createDependencyWatch,
  type Dependency,
  findDependency,
  isAvailable,
} from '../src/connections/dependency.ts';
import { isMissing } from '../src/connection/connection-failure.ts';
import { listen, portOf } from './harness/raw-socket.ts';
import { defineServer } from './harness/servers.ts';

const child = (spec: Readonly<Record<string, unknown>>) =>
  defineServer('child', { type: 'stdio', ...spec });
const remote = (url: string) => defineServer('remote', { type: 'sse', url });

describe('the dependency of a server', () => {
  it.each([
    ['http://example.test/mcp', 'example.test', 80],
    ['https://example.test/mcp', 'example.test', 443],
    ['http://[::1]:8080/mcp', '::1', 8080],
  ])('of %s is its host and port', (url, host, port) => {
    expect(findDependency(remote(url))).toEqual({ kind: 'endpoint', host, port });
  });

  it.each([
    ['run', { env: { PATH: '/one:/two' } }, ['/one/run', '/two/run'], undefined],
    ['./run', { cwd: '/base/sub' }, ['/base/sub/run'], '/base/sub'],
    ['./run', { cwd: 'sub' }, ['/seen/from/sub/run'], '/seen/from/sub'],
    ['/bin/run', { cwd: '/other' }, ['/bin/run'], '/other'],
  ])('of the command %s with %j is one of these files', (command, spec, files, directory) => {
    const base = directory === undefined ? undefined : '/seen/from';
    const dependency = { kind: 'executable', files, directory };
    expect(findDependency(child({ command, ...spec }), base)).toEqual(dependency);
  });
});

describe('the check for a dependency', () => {
  let base = '';
  beforeAll(async () => {
    base = await mkdtemp(join(tmpdir(), 'dependency-'));
  });
  afterAll(() => rm(base, { recursive: true }));

  it('finds an executable file in a directory that is there, and no other', async () => {
    const file = join(base, 'tool');
    const needed: Dependency = { kind: 'executable', files: [file], directory: undefined };
    expect(await isAvailable(needed)).toBe(false);
    await writeFile(file, '');
    await chmod(file, 0o644);
    expect(await isAvailable(needed)).toBe(false);
    await chmod(file, 0o755);
    expect(await isAvailable(needed)).toBe(true);
    expect(await isAvailable({ ...needed, files: [base] })).toBe(false);
    expect(await isAvailable({ ...needed, directory: join(base, 'absent') })).toBe(false);
    expect(await isAvailable({ ...needed, directory: base })).toBe(true);
  });

  it('detects a port with a listener, and no other', async () => {
    const server = await listen(createServer((socket) => socket.destroy()));
    const port = portOf(server);
    const needed = (host: string): Dependency => ({ kind: 'endpoint', host, port });
    expect(await isAvailable(needed('127.0.0.1'))).toBe(true);
    expect(await isAvailable(needed('localhost'))).toBe(true);
    await new Promise((resolve) => server.close(resolve));
    expect(await isAvailable(needed('127.0.0.1'))).toBe(false);
  });
});

describe('the watch', () => {
  const endpoint = (port: number): Dependency => ({ kind: 'endpoint', host: '127.0.0.1', port });

  it('checks at intervals until it exists, and calls back once', async () => {
    const answers = [false, false, true];
    const looks = vi.fn(() => Promise.resolve(answers.shift() ?? true));
    const watch = createDependencyWatch(looks);
    await new Promise<void>((resolve) => {
      watch(endpoint(1), 2, resolve);
    });
    expect(looks).toHaveBeenCalledTimes(3);
  });

  it('runs few checks concurrently, in order, and none after it is stopped', async () => {
    let atOnce = 0;
    let most = 0;
    const seen = new Set<number>();
    const watch = createDependencyWatch(
      async (dependency) => {
        most = Math.max(most, (atOnce += 1));
        if (dependency.kind === 'endpoint') seen.add(dependency.port);
        await new Promise((resolve) => setImmediate(resolve));
        atOnce -= 1;
        return false;
      },
      { checks: 4, lookups: 1 },
    );
    const stops = Array.from({ length: 100 }, (_, port) =>
      watch(endpoint(port), 1, () => undefined),
    );
    await vi.waitFor(() => expect(seen.size).toBe(100), 60_000);
    for (const stop of stops) stop();
    expect(most).toBeLessThanOrEqual(4);
    await vi.waitFor(() => expect(atOnce).toBe(0), 60_000);
    seen.clear();
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(seen.size).toBe(0);
  });
});

it('a missing dependency differs from other failures', () => {
  const coded = (code: string) => Object.assign(new Error(code), { code });
  expect(isMissing(new Error('fetch failed', { cause: coded('ECONNREFUSED') }))).toBe(true);
  expect(isMissing(new AggregateError([coded('ECONNREFUSED'), coded('ENOTFOUND')]))).toBe(true);
  expect(isMissing(new AggregateError([coded('ECONNREFUSED'), coded('ECONNRESET')]))).toBe(false);
  expect(isMissing(coded('ECONNRESET'))).toBe(false);
  expect(isMissing('ECONNREFUSED')).toBe(false);
});
