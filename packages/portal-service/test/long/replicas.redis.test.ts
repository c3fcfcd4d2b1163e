import { startRedis, type TestProvider } from '@gateway/test-peers';
import { createHash } from 'node:crypto';
import { connect } from 'node:net';
import { once } from 'node:events';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startService, type PeerService } from '../harness/peer-service.ts';
import { secretFile } from '../harness/secret-file.ts';
import { User, PUBLIC_URL, startPortalProvider } from '../harness/signed-in.ts';
import { startPortal, type TestPortal } from '../harness/started-portal.ts';

const KEY = createHash('sha256').update('the secret that replicas share').digest();

interface Replicas {
  readonly portals: readonly [TestPortal, TestPortal];
  readonly provider: TestProvider;
  readonly service: PeerService;
  readonly redis: Awaited<ReturnType<typeof startRedis>>;
}

const startReplicas = async (
  accessTokenSeconds: number,
  answer?: Parameters<typeof startService>[0],
): Promise<Replicas> => {
  const redis = await startRedis();
  onTestFinished(redis.close);
  const provider = await startPortalProvider({ accessTokenSeconds });
  const service = await startService(answer);
  const options = {
    publicUrl: PUBLIC_URL,
    gateway: service.url,
    issuer: provider.issuer,
    clientId: 'portal',
    clientSecretFile: secretFile(),
    redis: redis.url.href,
    key: KEY,
  };
  const portals = [await startPortal(options), await startPortal(options)] as const;
  return { portals, provider, service, redis };
};

/** Signs in at one replica, and returns the headers of the browser. */
const signedInAt = async (portal: TestPortal): Promise<Readonly<Record<string, string>>> => {
  const user = new User(portal);
  await user.signIn();
  const { token = '' } = await user.session();
  const cookie = user.browser.jar.header(new URL(PUBLIC_URL)) ?? '';
  return { cookie, host: new URL(PUBLIC_URL).host, 'x-portal-token': token };
};

const sessionAt = async ({ address }: TestPortal, headers: Readonly<Record<string, string>>) =>
  (await (await fetch(`${address}/session`, { headers })).json()) as { readonly user?: unknown };

const allTextOf = async (port: number): Promise<string> => {
  const socket = connect({ host: '127.0.0.1', port });
  let text = '';
  socket.on('data', (chunk) => (text += chunk.toString('latin1')));
  socket.write(
    "EVAL \"local t={} for _,k in ipairs(redis.call('keys','*')) do t[#t+1]=k if redis.call('type',k).ok=='string' then t[#t+1]=redis.call('get',k) end end return table.concat(t,'|')\" 0\r\nQUIT\r\n",
  );
  await once(socket, 'close');
  return text;
};

describe('two replicas with one Redis', () => {
  it('serve each other’s sessions and accept each other’s tokens of requests', async () => {
    const { portals, service } = await startReplicas(300);
    const headers = await signedInAt(portals[0]);
    expect((await sessionAt(portals[1], headers)).user).toMatchObject({
      name: 'alice@example.com',
    });
    const posted = await fetch(`${portals[1].address}/mcp`, {
      method: 'POST',
      body: '{}',
      headers,
    });
    expect(posted.status).toBe(200);
    expect(service.received).toHaveLength(1);
  });

  it('use a refresh token once, so that the sign-in survives', async () => {
    const { portals, provider } = await startReplicas(1);
    const headers = await signedInAt(portals[0]);
    for (let round = 0; round < 5; round += 1) {
      const sessions = await Promise.all(
        [...portals, ...portals].map((portal) => sessionAt(portal, headers)),
      );
      expect(sessions.map(({ user }) => user !== undefined)).toEqual([true, true, true, true]);
    }
    const refreshes = provider.requests.filter(
      ({ path, parameters }) => path === '/token' && parameters['grant_type'] === 'refresh_token',
    );
    expect(refreshes.length).toBeGreaterThan(0);
    expect(refreshes.every(({ status }) => status === 200)).toBe(true);
  });

  it('end the requests of a session that ends at the other', async () => {
    const { portals, service } = await startReplicas(300, (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': begun\n\n');
    });
    const headers = await signedInAt(portals[0]);
    const stream = await fetch(`${portals[1].address}/mcp`, {
      method: 'POST',
      body: '{}',
      headers,
    });
    expect([stream.status, service.received.length]).toEqual([200, 1]);
    await fetch(`${portals[0].address}/auth/end`, { method: 'POST', headers });
    await expect(stream.text()).rejects.toThrow();
  });

  it('have no token, name or session id in Redis', async () => {
    const { portals, service, redis } = await startReplicas(300);
    const headers = await signedInAt(portals[0]);
    await fetch(`${portals[0].address}/mcp`, { method: 'POST', body: '{}', headers });
    const stored = await allTextOf(redis.port);
    expect(stored).toContain('portal-session');
    const bearer = service.received[0]?.headers.authorization?.slice('Bearer '.length) ?? '';
    expect(bearer).not.toBe('');
    const id = /portal=([\w-]{43})/u.exec(headers['cookie'] ?? '')?.[1] ?? '';
    for (const secret of [bearer, id, 'alice']) expect(stored).not.toContain(secret);
  });

  it('name the store while Redis is away, and stay alive', async () => {
    const { portals, redis } = await startReplicas(300);
    const headers = await signedInAt(portals[0]);
    await redis.stop();
    const response = await fetch(`${portals[1].address}/session`, { headers });
    expect(response.headers.get('x-portal-refusal')).toBe('store-unavailable');
    expect((await fetch(`${portals[1].address}/healthz`)).status).toBe(200);
  });
});

it.each([
  ['redis://127.0.0.1:1', undefined, '--redis needs PORTAL_SESSION_KEY'],
  ['redis://:secret@127.0.0.1:1', KEY, '--redis must not contain a password'],
  ['http://127.0.0.1:1', KEY, '--redis must begin with redis:// or rediss://'],
])('refuses --redis %s', async (redis, key, problem) => {
  await expect(startPortal({ redis, key })).rejects.toThrow(problem);
});
