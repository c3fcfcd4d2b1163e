import type { RequestListener } from 'node:http';
import { CookieBrowser, signIn, createTestUser } from '@gateway/test-peers';
import { describe, expect, it } from 'vitest';
import { serve } from '../../serve.ts';
import {
  ALICE,
  BOB,
  createAuthorizationUrl,
  protectedServer,
  provider,
  scene,
  testGateway,
  type TestGateway,
} from '../../sign-in/test-gateway.ts';

const INVALID = 'Authentication session invalid. Please try again.';
const DENIED = 'Authentication was denied or failed. Please try again.';
const EXPIRED = 'Authentication session expired. Please try again.';
const INCOMPLETE = 'Invalid callback: missing required parameters';

/** Signs in up to the callback, and returns the browser and the URL of the callback. */
const beforeCallback = async ({ gateway, tools }: Awaited<ReturnType<typeof scene>>) => {
  let isPaused = true;
  const isEnd = (url: URL | string): boolean =>
    isPaused && String(url).includes('/oauth/proxy/callback');
  const browser = new CookieBrowser({ isEnd });
  const page = await signIn(await gateway.link(tools), createTestUser('alice'), { browser });
  isPaused = false;
  return { browser, url: new URL(page.url) };
};

/** Adds the server of another provider. */
const addEvil = async (gateway: TestGateway, options: Parameters<typeof provider>[0] = {}) => {
  const attacker = await provider(options);
  const peer = await protectedServer({ issuers: [attacker.issuer] });
  return { attacker, evil: gateway.add('evil', peer.url) };
};

/** Lets the response of the other provider arrive for a sign-in of the attacker. */
const mixUp = async (browser: CookieBrowser, url: URL, link: string) => {
  const started = await browser.open(link);
  const [form] = started.forms;
  if (form === undefined) throw new Error('no form');
  await browser.submit(started, form, { decision: 'continue' });
  url.searchParams.set('state', new URL(link).searchParams.get('state') ?? '');
  return browser.open(url);
};

describe('a callback', () => {
  it('has the security headers of an error page, and does not reflect parameters', async () => {
    const { gateway } = await scene();
    const path = '/oauth/proxy/callback?error=<script>alert(1)</script>';
    const page = await fetch(new URL(path, gateway.publicUrl));
    const text = await page.text();
    expect(page.status).toBe(400);
    expect(text).toContain(DENIED);
    expect(text).not.toContain('script');
    expect(page.headers.get('x-frame-options')).toBe('DENY');
    expect(page.headers.get('x-content-type-options')).toBe('nosniff');
    expect(page.headers.get('referrer-policy')).toBe('no-referrer');
    expect(page.headers.get('cache-control')).toBe('no-store');
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
  });

  it.each([
    ['', INCOMPLETE],
    ['?code=abc', INCOMPLETE],
    ['?error=access_denied', DENIED],
    ['?code=abc&state=unknown', EXPIRED],
    [`?code=abc&state=${'a'.repeat(43)}`, EXPIRED],
    ['?code=abc&state=a&state=b', INCOMPLETE],
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
    expect(page.text).toContain(DENIED);
  });

  it('works once', async () => {
    const all = await scene();
    const { browser, url } = await beforeCallback(all);
    expect((await browser.open(url)).status).toBe(200);
    const again = await browser.open(url);
    expect(again.status).toBe(400);
    expect(again.text).toContain(EXPIRED);
  });

  it('of another browser is refused, and the state is used up', async () => {
    const all = await scene();
    const { browser, url } = await beforeCallback(all);
    const other = await fetch(url);
    expect(other.status).toBe(400);
    expect(await other.text()).toContain(INVALID);
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
    expect(page.text).toContain(INVALID);
    expect(all.issuer.count('/token')).toBe(0);
  });
});

describe('two issuers', () => {
  it('cannot be mixed up: a code of one is not sent to the other', async () => {
    const all = await scene();
    const { attacker, evil } = await addEvil(all.gateway);
    const { browser, url } = await beforeCallback(all);
    const page = await mixUp(browser, url, await all.gateway.link(evil));
    expect(page.status).toBe(400);
    expect(page.text).toContain(INVALID);
    expect(attacker.count('/token')).toBe(0);
  });
});

describe('two issuers that do not name themselves in responses', () => {
  const metadataFields = { authorization_response_iss_parameter_supported: undefined };
  const both = async () => {
    const all = await scene({ provider: { metadataFields } });
    const { attacker, evil } = await addEvil(all.gateway, { metadataFields });
    const { browser, url } = await beforeCallback(all);
    url.searchParams.delete('iss');
    return { ...all, attacker, browser, url, link: await all.gateway.link(evil) };
  };

  it('sign users in', async () => {
    const { browser, url, gateway, tools } = await both();
    expect((await browser.open(url)).status).toBe(200);
    expect(await gateway.request(tools, ALICE)).toBe(200);
  });

  it('cannot be mixed up: a code at the redirect URI of one is not sent to the other', async () => {
    const { browser, url, gateway, attacker, link } = await both();
    const page = await mixUp(browser, url, link);
    expect(page.status).toBe(400);
    expect(page.text).toContain(INVALID);
    expect(attacker.count('/token')).toBe(0);
    expect(gateway.lines.join('\n')).toContain(
      'the response arrived at the callback of another authorization server',
    );
  });

  it('have redirect URIs of their own, which the other one does not accept', async () => {
    const { issuer, tools, gateway, link } = await both();
    const request = await createAuthorizationUrl(await gateway.link(tools, BOB));
    const { searchParams } = await createAuthorizationUrl(link);
    const redirect = searchParams.get('redirect_uri') ?? '';
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
    const link = await all.gateway.link(all.tools);
    const url = `${link}&${new URLSearchParams({ redirect }).toString()}`;
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
    const outcome = await gateway.auth.login(gateway.add('tools', `${origin}/mcp`), ALICE);
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
    const { issuer } = await provider({
      metadataFields: { registration_endpoint: `${inside}/register` },
    });
    const peer = await protectedServer({ issuers: [issuer] });
    const gateway = await testGateway({ allowPrivate: false });
    const pinned = gateway.add('tools', peer.url, { issuer, scopes: 'mcp' });
    const reason =
      'Cannot sign in to server "tools": the registration failed: 127.0.0.1 has a loopback address, which is not allowed here.';
    expect(await gateway.auth.login(pinned, ALICE)).toMatchObject({ code: 'failed', reason });
    expect(requests).toEqual([]);
  });
});

describe('a server that moves to another issuer', () => {
  const movedReason = (next: string, before: string): string =>
    `Server "tools" now uses the authorization server "${next}"; the credentials of "${before}" are not used there. Sign in again.`;

  it('right after a sign-in is signed in to there, with another client', async () => {
    const { gateway, tools, peer, issuer } = await scene();
    await gateway.signIn(tools, ALICE);
    const next = await provider();
    peer.setIssuers([next.issuer]);
    expect(await gateway.request(tools, ALICE)).toBe('sign-in-again');
    const reason = movedReason(next.issuer, issuer.issuer);
    expect(await gateway.auth.login(tools, ALICE)).toMatchObject({ code: 'challenge', reason });
    expect(next.count('/reg')).toBe(1);
    await gateway.signIn(tools, ALICE);
    expect(await gateway.request(tools, ALICE)).toBe(200);
  });

  it('by its definition is signed in to there, with new credentials and a reason', async () => {
    const { gateway, tools, peer, issuer } = await scene();
    await gateway.signIn(tools, ALICE);
    const next = await provider();
    const pinned = gateway.add('tools', peer.url, { issuer: next.issuer, scopes: 'mcp' });
    const reason = movedReason(next.issuer, issuer.issuer);
    const refused = { ok: false, code: 'sign-in-again', reason };
    expect(await gateway.auth.credentials.current(pinned, ALICE)).toEqual(refused);
    expect(await gateway.auth.login(pinned, ALICE)).toMatchObject({ code: 'challenge', reason });
    expect(next.count('/reg')).toBe(1);
    peer.setIssuers([next.issuer]);
    await gateway.signIn(pinned, ALICE);
    expect(await gateway.request(pinned, ALICE)).toBe(200);
  });
});

it('a server whose URL changed does not receive tokens of its old URL', async () => {
  const { gateway, tools } = await scene();
  await gateway.signIn(tools, ALICE);
  const other = await protectedServer();
  const moved = gateway.add('tools', other.url);
  expect(await gateway.request(moved, ALICE)).toBe('sign-in-required');
  expect(other.requests.filter(({ tokenHash }) => tokenHash !== undefined)).toEqual([]);
});
