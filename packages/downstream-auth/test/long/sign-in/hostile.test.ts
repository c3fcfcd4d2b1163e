import { createServer } from 'node:http';
import type { RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CookieBrowser, signIn, createTestUser } from '@gateway/test-peers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { scene } from '../../sign-in/scene.ts';
import {
  createAuthorizationUrl,
  oauthServer,
  user,
  protectedServer,
  provider,
  testGateway,
} from '../../sign-in/test-gateway.ts';

const ALICE = user('alice');
const BOB = user('bob');

const serve = async (listener: RequestListener): Promise<string> => {
  const server = createServer(listener);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

/** A browser that stops before it opens the callback, until `opensCallback` is called. */
const pausingBrowser = () => {
  let isPaused = true;
  const isEnd = (url: URL | string): boolean =>
    isPaused && String(url).includes('/oauth/proxy/callback');
  const browser = new CookieBrowser({ isEnd });
  return {
    browser,
    opensCallback: () => {
      isPaused = false;
    },
  };
};

/** Signs in up to the callback, and returns the browser and the URL of the callback. */
const beforeCallback = async ({ gateway, tools }: Awaited<ReturnType<typeof scene>>) => {
  const outcome = await gateway.auth.login(tools, ALICE);
  if (outcome.code !== 'challenge') throw new Error(outcome.code);
  const { browser, opensCallback } = pausingBrowser();
  const page = await signIn(outcome.url, createTestUser('alice'), { browser });
  opensCallback();
  return { browser, url: new URL(page.url) };
};

const stateOf = (url: string): string => new URL(url).searchParams.get('state') ?? '';

describe('a callback', () => {
  it('has the security headers of an error page, and does not reflect parameters', async () => {
    const { gateway } = await scene();
    const page = await fetch(
      new URL('/oauth/proxy/callback?error=<script>alert(1)</script>', gateway.publicUrl),
    );
    const text = await page.text();
    expect(page.status).toBe(400);
    expect(text).toContain('Authentication was denied or failed. Please try again.');
    expect(text).not.toContain('script');
    expect(page.headers.get('x-frame-options')).toBe('DENY');
    expect(page.headers.get('x-content-type-options')).toBe('nosniff');
    expect(page.headers.get('referrer-policy')).toBe('no-referrer');
    expect(page.headers.get('cache-control')).toBe('no-store');
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
  });

  it.each([
    ['', 'Invalid callback: missing required parameters'],
    ['?code=abc', 'Invalid callback: missing required parameters'],
    ['?error=access_denied', 'Authentication was denied or failed. Please try again.'],
    ['?code=abc&state=unknown', 'Authentication session expired. Please try again.'],
    [`?code=abc&state=${'a'.repeat(43)}`, 'Authentication session expired. Please try again.'],
    ['?code=abc&state=a&state=b', 'Invalid callback: missing required parameters'],
  ])('is refused with 400: %s', async (query, sentence) => {
    const { gateway } = await scene();
    const page = await fetch(new URL(`/oauth/proxy/callback${query}`, gateway.publicUrl));
    expect(page.status).toBe(400);
    expect(await page.text()).toContain(sentence);
  });

  it('of a denied consent is refused in words', async () => {
    const { gateway, tools } = await scene();
    const page = await gateway.signIn(tools, ALICE, { consent: 'deny' });
    expect(page.status).toBe(400);
    expect(page.text).toContain('Authentication was denied or failed. Please try again.');
  });

  it('works once', async () => {
    const all = await scene();
    const { browser, url } = await beforeCallback(all);
    expect((await browser.open(url)).status).toBe(200);
    const again = await browser.open(url);
    expect(again.status).toBe(400);
    expect(again.text).toContain('Authentication session expired. Please try again.');
  });

  it('of another browser is refused, and the state is used up', async () => {
    const all = await scene();
    const { browser, url } = await beforeCallback(all);
    const other = await fetch(url);
    expect(other.status).toBe(400);
    expect(await other.text()).toContain('Authentication session invalid. Please try again.');
    expect((await browser.open(url)).status).toBe(400);
    expect(await all.gateway.request(all.tools, ALICE)).toBe('sign-in-required');
  });

  it.each([
    ['another issuer', (url: URL) => url.searchParams.set('iss', 'https://attacker.example')],
    ['no issuer, which the provider advertises', (url: URL) => url.searchParams.delete('iss')],
    [
      'a slash after the issuer',
      (url: URL) => url.searchParams.set('iss', `${url.searchParams.get('iss') ?? ''}/`),
    ],
    [
      'an error of another issuer',
      (url: URL) => {
        url.searchParams.set('iss', 'https://attacker.example');
        url.searchParams.set('error', 'access_denied');
      },
    ],
  ])('with %s is refused before its code is used', async (_what, change) => {
    const all = await scene();
    const { browser, url } = await beforeCallback(all);
    change(url);
    const page = await browser.open(url);
    expect(page.status).toBe(400);
    expect(page.text).toContain('Authentication session invalid. Please try again.');
    expect(all.issuer.count('/token')).toBe(0);
  });
});

describe('two issuers', () => {
  it('cannot be mixed up: a code of one is not sent to the other', async () => {
    const all = await scene();
    const attacker = await provider();
    const evil = oauthServer('evil', (await protectedServer({ issuers: [attacker.issuer] })).url);
    all.gateway.servers.push(evil);
    const { browser, url } = await beforeCallback(all);
    // The attacker lets the response of the other provider arrive for its own sign-in.
    const outcome = await all.gateway.auth.login(evil, ALICE);
    if (outcome.code !== 'challenge') throw new Error(outcome.code);
    const started = await browser.open(outcome.url);
    const [form] = started.forms;
    if (form === undefined) throw new Error('no form');
    await browser.submit(started, form, { decision: 'continue' });
    url.searchParams.set('state', stateOf(outcome.url));
    const page = await browser.open(url);
    expect(page.status).toBe(400);
    expect(page.text).toContain('Authentication session invalid. Please try again.');
    expect(attacker.count('/token')).toBe(0);
  });
});

describe('two issuers that do not name themselves in responses', () => {
  const NAMELESS = {
    metadataFields: { authorization_response_iss_parameter_supported: undefined },
  };
  const both = async () => {
    const all = await scene({ provider: NAMELESS });
    const attacker = await provider(NAMELESS);
    const evil = oauthServer('evil', (await protectedServer({ issuers: [attacker.issuer] })).url);
    all.gateway.servers.push(evil);
    const { browser, url } = await beforeCallback(all);
    url.searchParams.delete('iss');
    const outcome = await all.gateway.auth.login(evil, ALICE);
    if (outcome.code !== 'challenge') throw new Error(outcome.code);
    return { ...all, attacker, browser, url, link: outcome.url };
  };

  it('sign users in', async () => {
    const { browser, url, gateway, tools } = await both();
    expect((await browser.open(url)).status).toBe(200);
    expect(await gateway.request(tools, ALICE)).toBe(200);
  });

  it('cannot be mixed up: a code at the redirect URI of one is not sent to the other', async () => {
    const { browser, url, gateway, attacker, link } = await both();
    const started = await browser.open(link);
    const [form] = started.forms;
    if (form === undefined) throw new Error('no form');
    await browser.submit(started, form, { decision: 'continue' });
    url.searchParams.set('state', stateOf(link));
    const page = await browser.open(url);
    expect(page.status).toBe(400);
    expect(page.text).toContain('Authentication session invalid. Please try again.');
    expect(attacker.count('/token')).toBe(0);
    expect(gateway.lines.join('\n')).toContain(
      'the response arrived at the callback of another authorization server',
    );
  });

  it('have redirect URIs of their own, which the other one does not accept', async () => {
    const { issuer, tools, gateway, link } = await both();
    const own = await gateway.auth.login(tools, BOB);
    if (own.code !== 'challenge') throw new Error(own.code);
    const [request, evilRequest] = [
      await createAuthorizationUrl(own.url),
      await createAuthorizationUrl(link),
    ];
    const redirect = evilRequest.searchParams.get('redirect_uri') ?? '';
    expect(request.searchParams.get('redirect_uri')).not.toBe(redirect);
    request.searchParams.set('redirect_uri', redirect);
    const refused = await fetch(request, { redirect: 'manual' });
    expect(refused.status).toBe(400);
    expect(issuer.count('/token')).toBe(0);
  });
});

describe('the redirect of a sign-in', () => {
  const end = async (redirect: string) => {
    const all = await scene({ gateway: { redirects: ['https://portal.example/app'] } });
    const outcome = await all.gateway.auth.login(all.tools, ALICE);
    if (outcome.code !== 'challenge') throw new Error(outcome.code);
    const url = `${outcome.url}&${new URLSearchParams({ redirect }).toString()}`;
    const isEnd = (at: URL | string): boolean => !String(at).startsWith('http://127.0.0.1');
    return signIn(url, createTestUser('alice'), { isEnd });
  };

  it('is followed when it is allowed, with the name of the server', async () => {
    expect((await end('https://portal.example/app/done?x=1')).url).toBe(
      'https://portal.example/app/done?x=1&server=tools',
    );
  });

  it('is dropped when it is not allowed, and the sign-in goes on', async () => {
    const page = await end('https://attacker.example/app');
    expect(page.status).toBe(200);
    expect(page.text).toContain('You are signed in to tools.');
  });
});

describe('metadata of a hostile server', () => {
  const reasonFor = async (listener: RequestListener, allowPrivate = false): Promise<string> => {
    const origin = await serve(listener);
    const gateway = await testGateway({ allowPrivate });
    const tools = oauthServer('tools', `${origin}/mcp`);
    gateway.servers.push(tools);
    const outcome = await gateway.auth.login(tools, ALICE);
    return outcome.code === 'failed' ? outcome.reason : outcome.code;
  };
  const challenge =
    (parameters: string): RequestListener =>
    (_request, response) => {
      response.writeHead(401, { 'www-authenticate': `Bearer ${parameters}` }).end();
    };

  it.each([
    [
      'http://169.254.169.254/latest/meta-data',
      '169.254.169.254 has a metadata address, which is never asked',
    ],
    ['https://10.0.0.1/metadata', '10.0.0.1 has a private address, which is not allowed here'],
    ['http://127.0.0.2:1/metadata', '127.0.0.2 has a loopback address, which is not allowed here'],
  ])('does not make the gateway request %s', async (url, refusal) => {
    expect(await reasonFor(challenge(`resource_metadata="${url}"`))).toBe(
      `The metadata of the server cannot be read: ${refusal}.`,
    );
  });

  it('does not make the gateway request a private authorization server', async () => {
    expect(await reasonFor(challenge('realm="https://10.0.0.1/"'))).toBe(
      'The metadata of the authorization server "https://10.0.0.1/" cannot be read: 10.0.0.1 has a private address, which is not allowed here.',
    );
  });

  it.each([
    ['too large', 'x'.repeat(300 * 1024)],
    ['nested deeply', '['.repeat(100_000)],
    ['no JSON', '<html>'],
    ['of another form', '{"resource":1,"authorization_servers":"x"}'],
    ['with too many entries', JSON.stringify({ authorization_servers: Array(2_000).fill('x') })],
  ])('that is %s is not used', async (_what, body) => {
    const listener: RequestListener = (request, response) => {
      if (request.url === '/mcp') challenge('')(request, response);
      else response.writeHead(200, { 'content-type': 'application/json' }).end(body);
    };
    expect(await reasonFor(listener, true)).toBe('metadata-missing');
  });

  it('does not make the gateway send a registration or a code to a private address', async () => {
    const requests: string[] = [];
    const inside = await serve((request, response) => {
      requests.push(request.url ?? '');
      response.end('{}');
    });
    const issuer = await provider({
      metadataFields: { registration_endpoint: `${inside}/register` },
    });
    const peer = await protectedServer({ issuers: [issuer.issuer] });
    const gateway = await testGateway({ allowPrivate: false });
    const pinned = oauthServer('tools', peer.url, { issuer: issuer.issuer, scopes: 'mcp' });
    gateway.servers.push(pinned);
    expect(await gateway.auth.login(pinned, ALICE)).toMatchObject({
      code: 'failed',
      reason:
        'Cannot sign in to server "tools": the registration failed: 127.0.0.1 has a loopback address, which is not allowed here.',
    });
    expect(requests).toEqual([]);
  });
});

describe('a server that moves to another issuer', () => {
  it('right after a sign-in is signed in to there, with another client', async () => {
    const { gateway, tools, peer, issuer } = await scene();
    await gateway.signIn(tools, ALICE);
    const next = await provider();
    peer.setIssuers([next.issuer]);
    expect(await gateway.request(tools, ALICE)).toBe('sign-in-again');
    expect(await gateway.auth.login(tools, ALICE)).toMatchObject({
      code: 'challenge',
      reason: `Server "tools" now uses the authorization server "${next.issuer}"; the credentials of "${issuer.issuer}" are not used there. Sign in again.`,
    });
    expect(next.count('/reg')).toBe(1);
    await gateway.signIn(tools, ALICE);
    expect(await gateway.request(tools, ALICE)).toBe(200);
  });
});

describe('a server whose definition changed', () => {
  it('does not receive tokens of its old URL', async () => {
    const { gateway, tools } = await scene();
    await gateway.signIn(tools, ALICE);
    const other = await protectedServer();
    const moved = oauthServer('tools', other.url);
    gateway.servers.splice(0, 1, moved);
    expect(await gateway.request(moved, ALICE)).toBe('sign-in-required');
    expect(other.requests.filter(({ tokenHash }) => tokenHash !== undefined)).toEqual([]);
  });

  it('to another issuer is signed in to there, with new credentials and a reason', async () => {
    const { gateway, tools, peer, issuer } = await scene();
    await gateway.signIn(tools, ALICE);
    const next = await provider();
    const pinned = oauthServer('tools', peer.url, { issuer: next.issuer, scopes: 'mcp' });
    gateway.servers.splice(0, 1, pinned);
    const moved = `Server "tools" now uses the authorization server "${next.issuer}"; the credentials of "${issuer.issuer}" are not used there. Sign in again.`;
    expect(await gateway.auth.credentials.current(pinned, ALICE)).toEqual({
      ok: false,
      code: 'sign-in-again',
      reason: moved,
    });
    expect(await gateway.auth.login(pinned, ALICE)).toMatchObject({
      code: 'challenge',
      reason: moved,
    });
    expect(next.count('/reg')).toBe(1);
    peer.setIssuers([next.issuer]);
    await gateway.signIn(pinned, ALICE);
    expect(await gateway.request(pinned, ALICE)).toBe(200);
  });
});
