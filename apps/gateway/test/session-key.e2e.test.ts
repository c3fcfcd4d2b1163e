import { configDirectory } from '@gateway/repo-checks';
import { afterAll, describe, expect, it } from 'vitest';
import { launchGateway, runGateway, SERVER_ENV, type RunningGateway } from './harness/gateway.ts';
import { rawRequest, rawSession } from './harness/raw-http.ts';

const SECRET = 'a secret of thirty-two characters';
const directory = configDirectory();
const gateways: RunningGateway[] = [];

afterAll(async () => {
  await Promise.all(gateways.map((gateway) => gateway.stop('SIGKILL')));
  directory.remove();
});

const replica = async (secret?: string): Promise<RunningGateway> => {
  const env = secret === undefined ? {} : { GATEWAY_SESSION_KEY: secret };
  const gateway = await launchGateway(directory.path, { env });
  gateways.push(gateway);
  return gateway;
};

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
    for (const workers of ['1', '2']) {
      const { code, stderr } = await runGateway(
        ['serve', '--config-dir', directory.path, '--port', '0', '--workers', workers],
        { ...SERVER_ENV, GATEWAY_SESSION_KEY: SECRET.slice(0, 31) },
      );
      expect(code).toBe(2);
      expect(stderr).toEqual(['GATEWAY_SESSION_KEY must have at least 32 characters']);
    }
  });
});
