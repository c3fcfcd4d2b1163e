import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { launchGateway, type RunningGateway } from '../harness/gateway.ts';
import { testDirectory } from '../harness/lifetime.ts';
import { rawRequest, rawSession } from '../harness/raw-http.ts';

const SECRET = 'a secret of thirty-two characters';
const directory = testDirectory();

const start = (path: string, secret = ''): Promise<RunningGateway> =>
  launchGateway(path, { env: { GATEWAY_SESSION_KEY: secret } });

const replica = (secret = ''): Promise<RunningGateway> => start(directory.path, secret);

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
});

describe('without GATEWAY_SESSION_KEY', () => {
  it('sessions survive a restart, and begin again when the key is deleted', async () => {
    const own = testDirectory();
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
  });
});
