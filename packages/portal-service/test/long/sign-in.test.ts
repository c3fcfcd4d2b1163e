import { retryAssertion } from '@gateway/repo-checks';
import { CookieBrowser, signIn, createTestUser } from '@gateway/test-peers';
import { describe, expect, it } from 'vitest';
import { startService, type ReceivedRequest } from '../harness/peer-service.ts';
import { User, PUBLIC_URL, startSignInPortal } from '../harness/signed-in.ts';

/** Starts a portal, and signs alice in. */
const startSignedIn = async (...options: Parameters<typeof startSignInPortal>) => {
  const started = await startSignInPortal(...options);
  const user = new User(started.portal);
  await user.signIn();
  return { ...started, user };
};

const bearersOf = (received: readonly ReceivedRequest[]): readonly string[] =>
  received.map(({ headers }) => headers.authorization ?? '');

describe('a user who signs in', () => {
  it('comes back to the same page and has a name', async () => {
    const { portal } = await startSignInPortal();
    const user = new User(portal);
    expect((await user.session()).user).toBeUndefined();
    const page = await user.signIn('alice', `${PUBLIC_URL}agents?query=a`);
    expect(page.url).toBe(`${PUBLIC_URL}agents?query=a`);
    expect((await user.session()).user).toMatchObject({ name: 'alice@example.com' });
  });

  it('reaches the services with a token that the browser never sees', async () => {
    const { portal, service } = await startSignInPortal();
    const user = new User(portal);
    expect((await user.post('mcp')).status).toBe(401);
    await user.signIn();
    expect((await user.post('mcp')).status).toBe(200);
    const [bearer = ''] = bearersOf(service.received);
    expect(bearer).toMatch(/^Bearer \S{20,}$/u);
    const seen = JSON.stringify([
      await user.session(),
      user.browser.jar.header(new URL(PUBLIC_URL)),
    ]);
    expect(seen).not.toContain(bearer.slice('Bearer '.length));
  });

  it('has another token than other people', async () => {
    const { portal, service } = await startSignInPortal();
    const [alice, bob] = [new User(portal), new User(portal)];
    await alice.signIn('alice');
    await bob.signIn('bob');
    await alice.post('mcp');
    await bob.post('mcp');
    const [first, second] = bearersOf(service.received);
    expect(first).not.toBe(second);
    const { token = '' } = await bob.session();
    const forged = await alice.post('mcp', { 'x-portal-token': token });
    expect(forged.headers.get('x-portal-refusal')).toBe('forged-request');
  });

  it('may do so in two tabs at the same time', async () => {
    const { portal } = await startSignInPortal();
    const user = new User(portal);
    const start = new URL('auth/start', PUBLIC_URL);
    start.searchParams.set('return', new URL('agents', PUBLIC_URL).href);
    const first = await user.browser.request(start);
    await user.signIn();
    const page = await signIn(first.headers.get('location') ?? '', createTestUser('alice'), {
      browser: user.browser,
    });
    expect(page.url).toBe(`${PUBLIC_URL}agents`);
  });

  it('is not disturbed by others who start any number of sign-ins', async () => {
    const { portal } = await startSignInPortal();
    const user = new User(portal);
    const started = await user.get('auth/start');
    const url = `${portal.address}/auth/start`;
    for (let round = 0; round < 42; round += 1)
      await Promise.all(Array.from({ length: 100 }, () => fetch(url, { redirect: 'manual' })));
    const to = started.headers.get('location') ?? '';
    await signIn(to, createTestUser('alice'), { browser: user.browser });
    expect((await user.session()).user).toBeDefined();
  });

  it('can use an ID token for the services', async () => {
    const { portal, service, provider } = await startSignInPortal({}, { token: 'id_token' });
    const user = new User(portal);
    await user.signIn();
    await user.post('mcp');
    const payload = bearersOf(service.received)[0]?.split('.')[1] ?? '';
    expect(JSON.parse(Buffer.from(payload, 'base64url').toString())).toMatchObject({
      iss: provider.issuer,
      aud: 'portal',
      sub: 'alice',
    });
  });
});

describe('the cookies', () => {
  it.each([
    [PUBLIC_URL, 'portal', ''],
    ['http://127.0.0.1:7070/tools/', 'portal', ''],
    ['https://portal.example.com/tools/', '__Host-portal-[\\w-]{16}', '; Secure'],
    ['https://portal.example.com/', '__Host-portal', '; Secure'],
  ])('of %s have exactly these attributes', async (publicUrl, name, secure) => {
    const { portal } = await startSignInPortal({}, { publicUrl });
    const { host, pathname } = new URL(publicUrl);
    const path = name.startsWith('__Host-') ? '/' : `${pathname}auth/`;
    const started = await fetch(`${portal.address}${pathname}auth/start`, {
      redirect: 'manual',
      headers: { host },
    });
    expect(started.headers.getSetCookie()).toHaveLength(1);
    expect(started.headers.getSetCookie()[0]).toMatch(
      new RegExp(
        `^${name}-sign-in-[\\w-]{22}=[\\w-]{200,600}; Max-Age=600; Path=${path}; HttpOnly${secure}; SameSite=Lax$`,
        'u',
      ),
    );
  });

  it('get a new session id at the sign-in, never one that a request brought', async () => {
    const { portal } = await startSignInPortal();
    const user = new User(portal);
    const planted = 'x'.repeat(43);
    user.browser.jar.store([`portal=${planted}; Path=/`], new URL(PUBLIC_URL));
    await user.signIn();
    const [, id] =
      /portal=([\w-]{43})/u.exec(user.browser.jar.header(new URL(PUBLIC_URL)) ?? '') ?? [];
    expect(id).not.toBe(planted);
    await user.signIn();
    const again = user.browser.jar.header(new URL(PUBLIC_URL)) ?? '';
    expect(again).not.toContain(id);
    const old = await fetch(`${portal.address}/session`, {
      headers: { cookie: `portal=${id ?? ''}` },
    });
    expect(await old.json()).not.toHaveProperty('user');
  });
});

describe('a link to the sign-in', () => {
  it.each([
    ...['https://evil.example/', '//evil.example/', '/\\evil.example', 'http://127.0.0.1:7071/'],
    ...['http://127.0.0.1:7070@evil.example/', 'data:text/html,x', 'blob:http://127.0.0.1:7070/1'],
  ])('leads to the portal, not to %s', async (target) => {
    const { portal } = await startSignInPortal();
    const page = await new User(portal).signIn('alice', target);
    expect(new URL(page.url).origin).toBe(new URL(PUBLIC_URL).origin);
  });

  it('that another site opens changes nothing for a user who is signed in', async () => {
    const { user } = await startSignedIn();
    await user.get('auth/start');
    const failed = await user.get('auth/callback?code=x&state=y');
    expect(failed.headers.get('location')).toBe(`${PUBLIC_URL}?sign-in=failed`);
    expect((await user.session()).user).toBeDefined();
  });
});

describe('a callback', () => {
  it('of a sign-in that another browser started is refused', async () => {
    const { portal } = await startSignInPortal();
    const attacker = new User(portal);
    const isEnd = (url: URL): boolean => url.pathname === '/auth/callback';
    const hosts = { [new URL(PUBLIC_URL).origin]: portal.address };
    const browser = new CookieBrowser({ hosts, isEnd });
    const page = await signIn(`${PUBLIC_URL}auth/start`, createTestUser('mallory'), { browser });
    expect(new URL(page.url).searchParams.get('code')).toBeTruthy();
    const victim = new User(portal);
    const response = await victim.get(page.url.slice(PUBLIC_URL.length));
    expect(response.headers.get('location')).toBe(`${PUBLIC_URL}?sign-in=failed`);
    expect((await victim.session()).user).toBeUndefined();
    expect((await attacker.session()).user).toBeUndefined();
  });

  it.each([
    ['access_denied', 'access_denied'],
    ['a%0Ab%20secret', 'an unknown code'],
  ])(
    'with the error %s leads to the first page, and the log has the cause',
    async (error, cause) => {
      const { portal, provider } = await startSignInPortal();
      const user = new User(portal);
      const started = await user.get('auth/start');
      const state = new URL(started.headers.get('location') ?? '').searchParams.get('state') ?? '';
      const iss = encodeURIComponent(provider.issuer);
      const response = await user.get(`auth/callback?error=${error}&state=${state}&iss=${iss}`);
      expect(response.headers.get('location')).toBe(`${PUBLIC_URL}?sign-in=failed`);
      expect(portal.lines.filter((line) => line.startsWith('a sign-in failed'))).toEqual([
        `a sign-in failed: the provider refused it with ${cause}`,
      ]);
      expect(portal.lines.join()).not.toContain(state);
    },
  );

  it('that no sign-in waits for is in the log as such', async () => {
    const { portal } = await startSignInPortal();
    await new User(portal).get('auth/callback?code=x&state=y');
    expect(portal.lines).toEqual([
      'a sign-in failed: no sign-in of this browser waits for the answer: it took too long, or its cookie is missing',
    ]);
  });
});

describe('a token that ends', () => {
  it('is refreshed once for concurrent requests', async () => {
    const { provider, service, user } = await startSignedIn({ accessTokenSeconds: 1 });
    const before = provider.count('/token', { grant_type: 'refresh_token' });
    provider.settings.accessTokenSeconds = 300;
    const answers = await Promise.all(Array.from({ length: 10 }, () => user.get('session')));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));
    expect(provider.count('/token', { grant_type: 'refresh_token' }) - before).toBe(1);
    expect((await user.post('mcp')).status).toBe(200);
    expect(service.received).toHaveLength(1);
  });

  it('ends the session when the provider has ended the sign-in', async () => {
    const { provider, user } = await startSignedIn({ accessTokenSeconds: 1 });
    provider.revokeUser('alice');
    expect((await user.session()).user).toBeUndefined();
    expect((await user.post('mcp')).status).toBe(401);
  });

  it('counts while the provider does not answer, and no longer', async () => {
    const { provider, user } = await startSignedIn({ accessTokenSeconds: 20 });
    provider.setFault(({ path }) => (path === '/token' ? { status: 500 } : undefined));
    expect((await user.session()).user).toBeDefined();
  });

  it('is named as an outage when the provider does not answer', async () => {
    const { provider, user } = await startSignedIn({ accessTokenSeconds: 1 });
    provider.setFault(({ path }) => (path === '/token' ? { status: 500 } : undefined));
    await retryAssertion(async () => {
      const response = await user.get('session');
      expect(response.headers.get('x-portal-refusal')).toBe('provider-unavailable');
    });
    provider.setFault(undefined);
    expect((await user.session()).user).toBeDefined();
  });
});

it('ends the session and its refresh token when the gateway refuses its token', async () => {
  const refusing = await startService((request, response) => {
    request.resume();
    response.writeHead(401).end('refused by the gateway');
  });
  const { provider, user } = await startSignedIn({}, { gateway: refusing.url });
  const refused = await user.post('mcp');
  expect(refused.status).toBe(401);
  // The answer of the gateway, not the refusal of the portal that ends other requests of the session.
  expect(refused.headers.get('x-portal-refusal')).toBeNull();
  expect(await refused.text()).toBe('refused by the gateway');
  expect((await user.session()).user).toBeUndefined();
  await retryAssertion(() => Promise.resolve(expect(provider.count('/token/revocation')).toBe(1)));
});

describe('a user who signs out', () => {
  it('is signed out here and at the provider, and the tokens are revoked', async () => {
    const { portal, provider, user } = await startSignedIn();
    const cookie = user.browser.jar.header(new URL(PUBLIC_URL)) ?? '';
    const response = await user.post('auth/end');
    const { url } = (await response.json()) as { readonly url: string };
    expect(url.startsWith(`${provider.issuer}/session/end?`)).toBe(true);
    expect(new URL(url).searchParams.get('post_logout_redirect_uri')).toBe(PUBLIC_URL);
    expect(response.headers.getSetCookie()).toEqual([
      'portal=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax',
    ]);
    expect(provider.count('/token/revocation')).toBe(1);
    const stolen = await fetch(`${portal.address}/session`, { headers: { cookie } });
    expect(await stolen.json()).not.toHaveProperty('user');
  });

  it.each([
    ['with its hint', 'access_token', true],
    ['without one where the ID token is what the services accept', 'id_token', false],
  ] as const)('is led to the provider %s', async (_what, token, hasHint) => {
    const { user } = await startSignedIn({}, { token });
    const { url } = (await (await user.post('auth/end')).json()) as { readonly url: string };
    expect(new URL(url).searchParams.has('id_token_hint')).toBe(hasHint);
    expect(new URL(url).searchParams.get('client_id')).toBe('portal');
  });

  it.each([
    ['without the token', { 'x-portal-token': '' }],
    ['from another site', { 'sec-fetch-site': 'cross-site' }],
  ])('must ask for it on a page of the portal: %s', async (_name, headers) => {
    const { user } = await startSignedIn();
    expect((await user.post('auth/end', headers)).status).toBe(403);
    expect((await user.session()).user).toBeDefined();
  });
});

it('shows metrics to users who are signed in, and sends no token there', async () => {
  const metrics = await startService();
  const { portal } = await startSignInPortal({}, { metrics: `${metrics.url}/metrics` });
  const user = new User(portal);
  expect((await user.get('metrics')).status).toBe(401);
  expect(metrics.received).toEqual([]);
  await user.signIn();
  expect((await user.get('metrics')).status).toBe(200);
  expect(metrics.received[0]?.headers.authorization).toBeUndefined();
});

it('writes no secret of a sign-in to the log', async () => {
  const { portal, provider, user } = await startSignedIn({ accessTokenSeconds: 1 });
  await user.get('auth/callback?code=stolen&state=guessed');
  provider.setFault(() => ({ status: 500 }));
  await user.get('session');
  const log = portal.lines.join('\n');
  for (const { parameters } of provider.requests)
    for (const name of ['code', 'state', 'code_verifier', 'refresh_token', 'nonce', 'token'])
      if (typeof parameters[name] === 'string') expect(log).not.toContain(parameters[name]);
  for (const word of ['stolen', 'guessed', 'the secret of the portal'])
    expect(log).not.toContain(word);
});
