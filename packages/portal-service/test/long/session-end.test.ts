import { retryAssertion } from '@gateway/repo-checks';
import { describe, expect, it } from 'vitest';
import { startService } from '../harness/peer-service.ts';
import { User, PUBLIC_URL, startSignInPortal } from '../harness/signed-in.ts';

const idOf = (user: User): string => {
  const cookies = user.browser.jar.header(new URL(PUBLIC_URL)) ?? '';
  return /portal=([\w-]{43})/u.exec(cookies)?.[1] ?? '';
};

describe('a user', () => {
  it('has an identifier that is the same in all browsers and says nothing', async () => {
    const { portal } = await startSignInPortal();
    const people = ['alice', 'alice', 'bob'].map(() => new User(portal));
    const [alice, again, bob] = people as [User, User, User];
    await alice.signIn('alice');
    await again.signIn('alice');
    await bob.signIn('bob');
    const ids = await Promise.all(people.map(async (user) => (await user.session()).user?.id));
    expect(ids[0]).toMatch(/^[\w-]{43}$/u);
    expect(ids[1]).toBe(ids[0]);
    expect(ids[2]).toMatch(/^[\w-]{43}$/u);
    expect(ids[2]).not.toBe(ids[0]);
    const { portal: other } = await startSignInPortal();
    const elsewhere = new User(other);
    await elsewhere.signIn('alice');
    expect((await elsewhere.session()).user?.id).not.toBe(ids[0]);
  });

  it('who signs in again ends the earlier session and its refresh token, and stays signed in', async () => {
    const { portal, provider } = await startSignInPortal();
    const user = new User(portal);
    await user.signIn();
    const earlier = provider.requests.filter(({ path }) => path === '/token').length;
    await user.signIn();
    expect(earlier).toBe(1);
    expect(provider.count('/token/revocation')).toBe(1);
    provider.settings.accessTokenSeconds = 1;
    expect((await user.session()).user).toBeDefined();
    expect((await user.post('mcp')).status).toBe(200);
  });

  it('signs in once more when the provider ends the new tokens with the earlier ones', async () => {
    const { portal, provider } = await startSignInPortal();
    const user = new User(portal);
    await user.signIn();
    const isRefresh = (): boolean => provider.count('/token') === 3;
    provider.setFault(({ path }) =>
      path === '/token' && isRefresh()
        ? {
            ...{ status: 400, body: '{"error":"invalid_grant"}' },
            headers: { 'content-type': 'application/json' },
          }
        : undefined,
    );
    const page = await user.signIn('alice', `${PUBLIC_URL}agents`);
    expect(page.url).toBe(`${PUBLIC_URL}agents`);
    expect(provider.count('/token')).toBe(4);
    expect((await user.session()).user).toBeDefined();
  });

  it('who signs in as somebody else ends the session of the first', async () => {
    const { portal, provider } = await startSignInPortal();
    const user = new User(portal);
    await user.signIn('alice');
    const first = idOf(user);
    user.browser.jar.store(['_session=; Max-Age=0; Path=/'], new URL(provider.issuer));
    await user.signIn('bob');
    expect(provider.count('/token/revocation')).toBe(1);
    const cookie = `portal=${first}`;
    const old = await fetch(`${portal.address}/session`, { headers: { cookie } });
    expect(await old.json()).not.toHaveProperty('user');
  });
});

describe('a sign-out', () => {
  it('succeeds while the provider is away and the token has ended', async () => {
    const { portal, provider } = await startSignInPortal({ accessTokenSeconds: 1 });
    const user = new User(portal);
    await user.signIn();
    const { token = '' } = await user.session();
    await retryAssertion(async () => {
      provider.setFault(({ path }) => (path === '/token' ? { status: 500 } : undefined));
      expect((await user.get('session')).status).toBe(503);
    });
    provider.setFault(() => ({ status: 500 }));
    const url = new URL('auth/end', PUBLIC_URL);
    const headers = { 'x-portal-token': token };
    const ended = await user.browser.request(url, { method: 'POST', headers });
    expect([ended.status, await ended.json()]).toMatchObject([200, { url: expect.any(String) }]);
    provider.setFault(undefined);
    expect((await user.session()).user).toBeUndefined();
  });

  it('ends the requests that run', async () => {
    let closed = 0;
    const service = await startService((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': begun\n\n');
      response.once('close', () => (closed += 1));
    });
    const { portal } = await startSignInPortal({}, { gateway: service.url });
    const [user, other] = [new User(portal), new User(portal)];
    await user.signIn();
    await other.signIn('bob');
    const stream = await user.post('mcp');
    const kept = await other.post('mcp');
    await user.post('auth/end');
    await expect(stream.text()).rejects.toThrow();
    await retryAssertion(() => Promise.resolve(expect(closed).toBe(1)));
    await kept.body?.cancel();
  });

  it('is not undone by a refresh that runs', async () => {
    const { portal, provider } = await startSignInPortal({ accessTokenSeconds: 1 });
    const user = new User(portal);
    await user.signIn();
    const { token = '' } = await user.session();
    const before = provider.count('/token');
    const cookie = `portal=${idOf(user)}`;
    const running = fetch(`${portal.address}/session`, { headers: { cookie } });
    await retryAssertion(() => Promise.resolve(expect(provider.count('/token')).toBe(before + 1)));
    const headers = { cookie, 'x-portal-token': token };
    await fetch(`${portal.address}/auth/end`, { method: 'POST', headers });
    await running;
    const after = await fetch(`${portal.address}/session`, { headers: { cookie } });
    expect(await after.json()).not.toHaveProperty('user');
  });
});
