import { retryAssertion } from '@gateway/repo-checks';
import { CookieBrowser, signIn, createTestUser } from '@gateway/test-peers';
import { describe, expect, it } from 'vitest';
import { startService, type ReceivedRequest } from '../harness/peer-service.ts';
import { Person, PUBLIC_URL, startSignInPortal } from '../harness/signed-in.ts';

const bearersOf = (received: readonly ReceivedRequest[]): readonly string[] =>
  received.map(({ headers }) => headers.authorization ?? '');

describe('a person who signs in', () => {
  it('comes back to the same page and has a name', async () => {
    const { portal } = await startSignInPortal();
    const person = new Person(portal);
    expect((await person.session()).person).toBeUndefined();
    const page = await person.signIn('alice', `${PUBLIC_URL}agents?query=a`);
    expect(page.url).toBe(`${PUBLIC_URL}agents?query=a`);
    expect((await person.session()).person).toMatchObject({ name: 'alice@example.com' });
  });

  it('reaches the services with a token that the browser never sees', async () => {
    const { portal, service } = await startSignInPortal();
    const person = new Person(portal);
    expect((await person.post('mcp')).status).toBe(401);
    await person.signIn();
    expect((await person.post('mcp')).status).toBe(200);
    const [bearer = ''] = bearersOf(service.received);
    expect(bearer).toMatch(/^Bearer \S{20,}$/u);
    const seen = JSON.stringify([
      await person.session(),
      person.browser.jar.header(new URL(PUBLIC_URL)),
    ]);
    expect(seen).not.toContain(bearer.slice('Bearer '.length));
  });

  it('has another token than other people', async () => {
    const { portal, service } = await startSignInPortal();
    const [alice, bob] = [new Person(portal), new Person(portal)];
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
    const person = new Person(portal);
    const start = new URL('auth/start', PUBLIC_URL);
    start.searchParams.set('return', new URL('agents', PUBLIC_URL).href);
    const first = await person.browser.request(start);
    await person.signIn();
    const page = await signIn(first.headers.get('location') ?? '', createTestUser('alice'), {
      browser: person.browser,
    });
    expect(page.url).toBe(`${PUBLIC_URL}agents`);
  });

  it('is not disturbed by others who start any number of sign-ins', async () => {
    const { portal } = await startSignInPortal();
    const person = new Person(portal);
    const started = await person.get('auth/start');
    const url = `${portal.address}/auth/start`;
    for (let round = 0; round < 42; round += 1)
      await Promise.all(Array.from({ length: 100 }, () => fetch(url, { redirect: 'manual' })));
    const to = started.headers.get('location') ?? '';
    await signIn(to, createTestUser('alice'), { browser: person.browser });
    expect((await person.session()).person).toBeDefined();
  });

  it('a 33rd time ends the oldest session and revokes its refresh token', async () => {
    const { portal, provider } = await startSignInPortal();
    const people = Array.from({ length: 33 }, () => new Person(portal));
    for (const person of people) {
      expect(provider.count('/token/revocation')).toBe(0);
      await person.signIn();
    }
    expect((await people[0]?.session())?.person).toBeUndefined();
    expect((await people[1]?.session())?.person).toBeDefined();
    expect(provider.count('/token/revocation')).toBe(1);
  });

  it('can use an ID token for the services', async () => {
    const { portal, service, provider } = await startSignInPortal({}, { token: 'id_token' });
    const person = new Person(portal);
    await person.signIn();
    await person.post('mcp');
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
    const person = new Person(portal);
    const planted = 'x'.repeat(43);
    person.browser.jar.store([`portal=${planted}; Path=/`], new URL(PUBLIC_URL));
    await person.signIn();
    const [, id] =
      /portal=([\w-]{43})/u.exec(person.browser.jar.header(new URL(PUBLIC_URL)) ?? '') ?? [];
    expect(id).not.toBe(planted);
    await person.signIn();
    const again = person.browser.jar.header(new URL(PUBLIC_URL)) ?? '';
    expect(again).not.toContain(id);
    const old = await fetch(`${portal.address}/session`, {
      headers: { cookie: `portal=${id ?? ''}` },
    });
    expect(await old.json()).not.toHaveProperty('person');
  });
});

describe('a link to the sign-in', () => {
  it.each([
    'https://evil.example/',
    '//evil.example/',
    '/\\evil.example',
    'http://127.0.0.1:7070@evil.example/',
    'http://127.0.0.1:7071/',
    'data:text/html,x',
    'blob:http://127.0.0.1:7070/1',
  ])('leads to the portal, not to %s', async (target) => {
    const { portal } = await startSignInPortal();
    const page = await new Person(portal).signIn('alice', target);
    expect(new URL(page.url).origin).toBe(new URL(PUBLIC_URL).origin);
  });

  it('that another site opens changes nothing for a person who is signed in', async () => {
    const { portal } = await startSignInPortal();
    const person = new Person(portal);
    await person.signIn();
    await person.get('auth/start');
    const failed = await person.get('auth/callback?code=x&state=y');
    expect(failed.headers.get('location')).toBe(`${PUBLIC_URL}?sign-in=failed`);
    expect((await person.session()).person).toBeDefined();
  });
});

describe('a callback', () => {
  it('of a sign-in that another browser started is refused', async () => {
    const { portal } = await startSignInPortal();
    const attacker = new Person(portal);
    const isEnd = (url: URL): boolean => url.pathname === '/auth/callback';
    const hosts = { [new URL(PUBLIC_URL).origin]: portal.address };
    const browser = new CookieBrowser({ hosts, isEnd });
    const page = await signIn(`${PUBLIC_URL}auth/start`, createTestUser('mallory'), { browser });
    expect(new URL(page.url).searchParams.get('code')).toBeTruthy();
    const victim = new Person(portal);
    const response = await victim.get(page.url.slice(PUBLIC_URL.length));
    expect(response.headers.get('location')).toBe(`${PUBLIC_URL}?sign-in=failed`);
    expect((await victim.session()).person).toBeUndefined();
    expect((await attacker.session()).person).toBeUndefined();
  });

  it.each([
    ['access_denied', 'access_denied'],
    ['a%0Ab%20secret', 'an unknown code'],
  ])(
    'with the error %s leads to the first page, and the log has the cause',
    async (error, cause) => {
      const { portal, provider } = await startSignInPortal();
      const person = new Person(portal);
      const started = await person.get('auth/start');
      const state = new URL(started.headers.get('location') ?? '').searchParams.get('state') ?? '';
      const iss = encodeURIComponent(provider.issuer);
      const response = await person.get(`auth/callback?error=${error}&state=${state}&iss=${iss}`);
      expect(response.headers.get('location')).toBe(`${PUBLIC_URL}?sign-in=failed`);
      expect(portal.lines.filter((line) => line.startsWith('a sign-in failed'))).toEqual([
        `a sign-in failed: the provider refused it with ${cause}`,
      ]);
      expect(portal.lines.join()).not.toContain(state);
    },
  );

  it('that no sign-in waits for is in the log as such', async () => {
    const { portal } = await startSignInPortal();
    await new Person(portal).get('auth/callback?code=x&state=y');
    expect(portal.lines).toEqual([
      'a sign-in failed: no sign-in of this browser waits for the answer: it took too long, or its cookie is missing',
    ]);
  });
});

describe('a token that ends', () => {
  it('is refreshed once for concurrent requests', async () => {
    const { portal, provider, service } = await startSignInPortal({ accessTokenSeconds: 1 });
    const person = new Person(portal);
    await person.signIn();
    const before = provider.count('/token', { grant_type: 'refresh_token' });
    provider.settings.accessTokenSeconds = 300;
    const answers = await Promise.all(Array.from({ length: 10 }, () => person.get('session')));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));
    expect(provider.count('/token', { grant_type: 'refresh_token' }) - before).toBe(1);
    expect((await person.post('mcp')).status).toBe(200);
    expect(service.received).toHaveLength(1);
  });

  it('ends the session when the provider has ended the sign-in', async () => {
    const { portal, provider } = await startSignInPortal({ accessTokenSeconds: 1 });
    const person = new Person(portal);
    await person.signIn();
    provider.revokeUser('alice');
    expect((await person.session()).person).toBeUndefined();
    expect((await person.post('mcp')).status).toBe(401);
  });

  it('counts while the provider does not answer, and no longer', async () => {
    const { portal, provider } = await startSignInPortal({ accessTokenSeconds: 20 });
    const person = new Person(portal);
    await person.signIn();
    provider.setFault(({ path }) => (path === '/token' ? { status: 500 } : undefined));
    expect((await person.session()).person).toBeDefined();
  });

  it('is named as an outage when the provider does not answer', async () => {
    const { portal, provider } = await startSignInPortal({ accessTokenSeconds: 1 });
    const person = new Person(portal);
    await person.signIn();
    provider.setFault(({ path }) => (path === '/token' ? { status: 500 } : undefined));
    await retryAssertion(async () => {
      const response = await person.get('session');
      expect(response.headers.get('x-portal-refusal')).toBe('provider-unavailable');
    });
    provider.setFault(undefined);
    expect((await person.session()).person).toBeDefined();
  });
});

it('ends the session and its refresh token when the gateway refuses its token', async () => {
  const refusing = await startService((request, response) => {
    request.resume();
    response.writeHead(401).end('refused by the gateway');
  });
  const { portal, provider } = await startSignInPortal({}, { gateway: refusing.url });
  const person = new Person(portal);
  await person.signIn();
  const refused = await person.post('mcp');
  expect(refused.status).toBe(401);
  // The answer of the gateway, not the refusal of the portal that ends other requests of the session.
  expect(refused.headers.get('x-portal-refusal')).toBeNull();
  expect(await refused.text()).toBe('refused by the gateway');
  expect((await person.session()).person).toBeUndefined();
  await retryAssertion(() => Promise.resolve(expect(provider.count('/token/revocation')).toBe(1)));
});

describe('a person who signs out', () => {
  it('is signed out here and at the provider, and the tokens are revoked', async () => {
    const { portal, provider } = await startSignInPortal();
    const person = new Person(portal);
    await person.signIn();
    const cookie = person.browser.jar.header(new URL(PUBLIC_URL)) ?? '';
    const response = await person.post('auth/end');
    const { url } = (await response.json()) as { readonly url: string };
    expect(url.startsWith(`${provider.issuer}/session/end?`)).toBe(true);
    expect(new URL(url).searchParams.get('post_logout_redirect_uri')).toBe(PUBLIC_URL);
    expect(response.headers.getSetCookie()).toEqual([
      'portal=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax',
    ]);
    expect(provider.count('/token/revocation')).toBe(1);
    const stolen = await fetch(`${portal.address}/session`, { headers: { cookie } });
    expect(await stolen.json()).not.toHaveProperty('person');
  });

  it.each([
    ['with its hint', 'access_token', true],
    ['without one where the ID token is what the services accept', 'id_token', false],
  ] as const)('is led to the provider %s', async (_what, token, hasHint) => {
    const { portal } = await startSignInPortal({}, { token });
    const person = new Person(portal);
    await person.signIn();
    const { url } = (await (await person.post('auth/end')).json()) as { readonly url: string };
    expect(new URL(url).searchParams.has('id_token_hint')).toBe(hasHint);
    expect(new URL(url).searchParams.get('client_id')).toBe('portal');
  });

  it.each([
    ['without the token', { 'x-portal-token': '' }],
    ['from another site', { 'sec-fetch-site': 'cross-site' }],
  ])('must ask for it on a page of the portal: %s', async (_name, headers) => {
    const { portal } = await startSignInPortal();
    const person = new Person(portal);
    await person.signIn();
    expect((await person.post('auth/end', headers)).status).toBe(403);
    expect((await person.session()).person).toBeDefined();
  });
});

it('shows metrics to persons who are signed in, and sends no token there', async () => {
  const metrics = await startService();
  const { portal } = await startSignInPortal({}, { metrics: `${metrics.url}/metrics` });
  const person = new Person(portal);
  expect((await person.get('metrics')).status).toBe(401);
  expect(metrics.received).toEqual([]);
  await person.signIn();
  expect((await person.get('metrics')).status).toBe(200);
  expect(metrics.received[0]?.headers.authorization).toBeUndefined();
});

it('writes no secret of a sign-in to the log', async () => {
  const { portal, provider } = await startSignInPortal({ accessTokenSeconds: 1 });
  const person = new Person(portal);
  await person.signIn();
  await person.get('auth/callback?code=stolen&state=guessed');
  provider.setFault(() => ({ status: 500 }));
  await person.get('session');
  const log = portal.lines.join('\n');
  for (const { parameters } of provider.requests)
    for (const name of ['code', 'state', 'code_verifier', 'refresh_token', 'nonce', 'token'])
      if (typeof parameters[name] === 'string') expect(log).not.toContain(parameters[name]);
  for (const word of ['stolen', 'guessed', 'the secret of the portal'])
    expect(log).not.toContain(word);
});
