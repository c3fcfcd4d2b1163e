import { createTestConfigDirectory } from '@gateway/repo-checks';
import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { launchGateway, runGateway, SERVER_ENV, type RunningGateway } from '../harness/gateway.ts';
import { rawRequest, rawSession } from '../harness/raw-http.ts';

const SECRET = 'a secret of thirty-two characters';
const directory = createTestConfigDirectory();
const gateways: RunningGateway[] = [];

afterAll(async () => {
  await Promise.all(gateways.map((gateway) => gateway.stop('SIGKILL')));
  directory.remove();
});

const start = async (
  path: string,
  { args = [] as readonly string[], secret = '' } = {},
): Promise<RunningGateway> => {
  const env = { GATEWAY_SESSION_KEY: secret };
  const gateway = await launchGateway(path, { env, args });
  gateways.push(gateway);
  return gateway;
};

const replica = (secret = ''): Promise<RunningGateway> => start(directory.path, { secret });

const ping = async ({ url }: RunningGateway, session: string): Promise<number> => {
  const { status } = await rawRequest(url, {
    headers: [
      ['Content-Type', 'application/json'],
      ['Accept', 'application/json, text/event-stream'],
      ['Mcp-Session-Id', session],
    ],
    body: '{"jsonrpc":"2.0","id":1,"method":"ping"}',
  });
  return status;
};

describe('GATEWAY_SESSION_KEY', () => {
  it('lets replicas with the same secret serve one session, and no others', async () => {
    const [one, same, other] = await Promise.all([replica(SECRET), replica(SECRET), replica()]);
    const session = await rawSession(one.url);
    expect(await ping(one, session)).toBe(200);
    expect(await ping(same, session)).toBe(200);
    expect(await ping(other, session)).toBe(404);
  });

  it('of fewer than 32 characters stops the start, without showing it', async () => {
    const { code, stderr } = await runGateway(
      ['serve', '--config-dir', directory.path, '--port', '0'],
      { ...SERVER_ENV, GATEWAY_SESSION_KEY: SECRET.slice(0, 31) },
    );
    expect(code).toBe(2);
    expect(stderr).toEqual(['GATEWAY_SESSION_KEY must have at least 32 characters']);
  });
});

describe('without GATEWAY_SESSION_KEY', () => {
  it('sessions survive a restart, and begin again when the key is deleted', async () => {
    const own = createTestConfigDirectory();
    const first = await start(own.path);
    const session = await rawSession(first.url);
    await first.stop('SIGTERM');
    const key = join(own.path, 'state', 'session-key');
    expect(statSync(key).mode & 0o777).toBe(0o600);
    const second = await start(own.path);
    expect(await ping(second, session)).toBe(200);
    await second.stop('SIGTERM');
    own.delete('state/session-key');
    const last = await start(own.path);
    expect(await ping(last, session)).toBe(404);
    const logs = [first, second, last].map((gateway) => gateway.stderr.join());
    expect(logs.join()).not.toContain(readFileSync(key, 'utf8').trim());
    await last.stop('SIGTERM');
    own.remove();
  });

  it('two gateways that start in one directory serve the sessions of each other', async () => {
    const own = createTestConfigDirectory();
    const [one, two] = await Promise.all([start(own.path), start(own.path)]);
    expect(await ping(two, await rawSession(one.url))).toBe(200);
    expect(await ping(one, await rawSession(two.url))).toBe(200);
    await Promise.all([one.stop('SIGTERM'), two.stop('SIGTERM')]);
    own.remove();
  });

  it('replaces a damaged key, or one that all users can read, with a warning', async () => {
    const own = createTestConfigDirectory();
    const key = join(own.path, 'state', 'session-key');
    await (await start(own.path)).stop('SIGTERM');
    const damages = [
      ['it is damaged', () => writeFileSync(key, 'short')],
      ['it is accessible to all users', () => chmodSync(key, 0o644)],
    ] as const;
    for (const [reason, damage] of damages) {
      damage();
      const gateway = await start(own.path);
      expect(gateway.logs().map(({ msg }) => msg)).toContain(
        `the session key in the state directory was replaced, because ${reason}; earlier sessions have ended`,
      );
      expect(statSync(key).mode & 0o777).toBe(0o600);
      await gateway.stop('SIGTERM');
    }
    own.remove();
  });

  it('sessions end with the process where the state directory cannot be used', async () => {
    const own = createTestConfigDirectory();
    writeFileSync(join(own.path, 'state'), '');
    const gateway = await start(own.path);
    expect(gateway.logs().map(({ msg }) => msg)).toContain(
      'the session key in the state directory cannot be used: it cannot be read: ENOTDIR; sessions end with this process',
    );
    expect(await ping(gateway, await rawSession(gateway.url))).toBe(200);
    await gateway.stop('SIGTERM');
    own.remove();
  });
});
