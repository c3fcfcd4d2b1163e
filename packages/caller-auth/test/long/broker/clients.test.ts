import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { CookieBrowser, signIn, createTestUser } from '@gateway/test-peers';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  authorizationRequest,
  clientBrowser,
  exchange,
  post,
  redirected,
} from '../../broker/harness/client.ts';
import {
  startGateway,
  type TestGateway,
  type TestGatewayOptions,
} from '../../broker/harness/gateway.ts';

const DOCUMENT_URL = 'https://client.example/metadata.json';

/** A site with documents of clients, reached as `https://client.example`. */
const startSite = async () => {
  const answers = new Map<string, { status: number; type: string; body: string }>();
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(request.url ?? '');
    const answer = answers.get(request.url ?? '');
    response.writeHead(answer?.status ?? 404, { 'content-type': answer?.type ?? 'text/plain' });
    response.end(answer?.body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    requests,
    answer: (document: object, changes: { status?: number; type?: string } = {}): void => {
      const { status = 200, type = 'application/json' } = changes;
      answers.set('/metadata.json', { status, type, body: JSON.stringify(document) });
    },
    fetch: (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
      const { pathname } = new URL(input instanceof Request ? input.url : input);
      return fetch(address + pathname, init);
    },
    close: () => server.close(),
  };
};

type Site = Awaited<ReturnType<typeof startSite>>;

let site: Site;
let running: TestGateway | undefined;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());
afterEach(async () => {
  await running?.close();
  running = undefined;
});

const start = async (options: TestGatewayOptions = {}): Promise<TestGateway> => {
  running = await startGateway(options);
  return running;
};

const document = (changes: Readonly<Record<string, unknown>> = {}) => ({
  client_id: DOCUMENT_URL,
  client_name: 'Editor',
  redirect_uris: ['https://client.example/callback', 'http://localhost:33418/'],
  ...changes,
});

const requestOfDocument = (gateway: TestGateway, redirect = 'https://client.example/callback') =>
  authorizationRequest(gateway, { client_id: DOCUMENT_URL, redirect_uri: redirect });

describe('a client with a metadata document', () => {
  it('signs in, with its host on the consent page', async () => {
    const gateway = await start({ fetchDocument: site.fetch });
    site.answer(document());
    const { url, verifier } = requestOfDocument(gateway);
    const redirect = 'https://client.example/callback';
    const browser = new CookieBrowser({ isEnd: ({ href }) => href.startsWith(redirect) });
    const page = await signIn(url, createTestUser('alice'), { browser });
    const tokens = await exchange(gateway, redirected(page).get('code') ?? '', verifier, {
      client_id: DOCUMENT_URL,
      redirect_uri: redirect,
    });
    expect(tokens).toMatchObject({ status: 200, body: { token_type: 'Bearer' } });
    // The same client, redirect host and permissions: the user is not asked again.
    const again = await browser.open(requestOfDocument(gateway).url);
    expect(redirected(again).get('code')).not.toBeNull();
  });

  it('may take any port of a loopback address, and is asked for each time', async () => {
    const gateway = await start({ fetchDocument: site.fetch });
    site.answer(document());
    const redirect = 'http://localhost:50000/';
    const browser = clientBrowser(redirect);
    const page = await signIn(requestOfDocument(gateway, redirect).url, createTestUser('alice'), {
      browser,
    });
    expect(redirected(page).get('code')).not.toBeNull();
    const again = await browser.open(requestOfDocument(gateway, redirect).url);
    expect(again.text).toContain('Allow “Editor” to use this gateway?');
    expect(again.text).toContain('a document at client.example');
    expect(again.text).toContain('localhost:50000 (a program on this computer)');
  });

  it('has its document fetched once for many requests', async () => {
    const gateway = await start({ fetchDocument: site.fetch });
    site.answer(document());
    const before = site.requests.length;
    await Promise.all(
      Array.from({ length: 20 }, () =>
        new CookieBrowser({ isEnd: () => false }).request(requestOfDocument(gateway).url),
      ),
    );
    await new CookieBrowser().request(requestOfDocument(gateway).url);
    expect(site.requests.length - before).toBe(1);
  });

  it.each([
    ['names another client', document({ client_id: 'https://client.example/other.json' }), {}],
    ['is not JSON by its type', document(), { type: 'text/html' }],
    ['is missing', document(), { status: 404 }],
    [
      'redirects to another host',
      document({ redirect_uris: ['https://evil.example/callback'] }),
      {},
    ],
    [
      'redirects to another host over http',
      document({ redirect_uris: ['http://client.example/callback'] }),
      {},
    ],
    ['has no redirect', document({ redirect_uris: undefined }), {}],
    ['has a secret', document({ token_endpoint_auth_method: 'client_secret_basic' }), {}],
    ['has a long name', document({ client_name: 'x'.repeat(121) }), {}],
    ['is not an object', [], {}],
  ])(
    'is refused when the document %s, and not fetched again at once',
    async (_title, text, changes) => {
      const gateway = await start({ fetchDocument: site.fetch });
      site.answer(text, changes);
      const before = site.requests.length;
      for (let time = 0; time < 3; time += 1) {
        const page = await new CookieBrowser().open(requestOfDocument(gateway).url);
        expect(page.status).toBe(400);
        expect(page.visited).toHaveLength(1);
      }
      expect(site.requests.length - before).toBe(1);
    },
  );

  it.each([
    ['a loopback address', 'https://127.0.0.1/metadata.json'],
    ['a private address', 'https://10.0.0.1/metadata.json'],
    ['the address of cloud metadata', 'https://169.254.169.254/metadata.json'],
    ['localhost', 'https://localhost/metadata.json'],
    ['an IPv6 loopback address', 'https://[::1]/metadata.json'],
  ])('is refused when its document is at %s', async (_title, clientId) => {
    const gateway = await start();
    const { url } = authorizationRequest(gateway, { client_id: clientId });
    const page = await new CookieBrowser().open(url);
    expect(page.status).toBe(400);
    expect(page.text).toContain('Error code: invalid_client');
    expect(gateway.failures.join()).toMatch(/^document of a client: .*address/u);
  });

  it('is refused when its host is not configured', async () => {
    const gateway = await start({
      fetchDocument: site.fetch,
      settings: { clientIdMetadataDocuments: { hosts: ['other.example'] } },
    });
    site.answer(document());
    const page = await new CookieBrowser().open(requestOfDocument(gateway).url);
    expect(page.status).toBe(400);
  });

  it('is not accepted when documents are off, and metadata says so', async () => {
    const gateway = await start({
      fetchDocument: site.fetch,
      settings: { clientIdMetadataDocuments: { enabled: false } },
    });
    site.answer(document());
    const page = await new CookieBrowser().open(requestOfDocument(gateway).url);
    expect(page.status).toBe(400);
    const metadata = await fetch(`${gateway.url}/.well-known/oauth-authorization-server`);
    expect(await metadata.json()).not.toHaveProperty('client_id_metadata_document_supported', true);
  });
});

const register = (gateway: TestGateway, metadata: object) =>
  fetch(`${gateway.url}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(metadata),
  });

const REGISTRATION = {
  client_name: 'Agent <b>',
  redirect_uris: ['http://127.0.0.1:9999/cb'],
  token_endpoint_auth_method: 'none',
  scope: 'mcp:read something:else',
  logo_uri: 'https://tracker.example/logo.png',
};

describe('registration', () => {
  it('is off by default', async () => {
    const gateway = await start();
    expect((await register(gateway, REGISTRATION)).status).toBe(404);
    const metadata = await fetch(`${gateway.url}/.well-known/oauth-authorization-server`);
    expect(await metadata.json()).not.toHaveProperty('registration_endpoint');
  });

  it('makes a client that the consent page marks as not verified', async () => {
    const gateway = await start({ settings: { registration: { enabled: true } } });
    const response = await register(gateway, REGISTRATION);
    expect(response.status).toBe(201);
    const client = (await response.json()) as { client_id: string };
    expect(client).toMatchObject({ application_type: 'native', client_name: 'Agent <b>' });
    expect(client).not.toHaveProperty('logo_uri');
    const redirect = 'http://127.0.0.1:4444/cb';
    const { url, verifier } = authorizationRequest(gateway, {
      client_id: client.client_id,
      redirect_uri: redirect,
    });
    const browser = clientBrowser(redirect);
    const page = await signIn(url, createTestUser('alice'), { browser });
    const code = redirected(page).get('code') ?? '';
    const changes = { client_id: client.client_id, redirect_uri: redirect };
    expect((await exchange(gateway, code, verifier, changes)).status).toBe(200);
    const consent = await browser.open(
      authorizationRequest(gateway, { client_id: client.client_id, redirect_uri: redirect }).url,
    );
    expect(consent.text).toContain('Nobody has verified the name of this program.');
    expect(consent.text).toContain('Agent &lt;b&gt;');
  });

  it('has a limit per minute', async () => {
    const gateway = await start({ settings: { registration: { enabled: true, perMinute: 5 } } });
    const statuses = await Promise.all(
      Array.from({ length: 50 }, async () => (await register(gateway, REGISTRATION)).status),
    );
    expect(statuses.filter((status) => status === 201).length).toBeLessThanOrEqual(10);
    expect(statuses).toContain(429);
  });

  it.each([
    ['plain http to another host', { redirect_uris: ['http://evil.example/cb'] }],
    ['a page in a redirect', { redirect_uris: [['java', 'script:alert(1)'].join('')] }],
    ['a fragment in a redirect', { redirect_uris: ['https://site.example/cb#x'] }],
    ['a long name', { client_name: 'x'.repeat(121) }],
    [
      'many redirects',
      { redirect_uris: Array.from({ length: 65 }, (_, at) => `https://a.example/${at}`) },
    ],
  ])('refuses %s', async (_title, changes) => {
    const gateway = await start({ settings: { registration: { enabled: true } } });
    const response = await register(gateway, { ...REGISTRATION, ...changes });
    expect(response.status).toBe(400);
  });

  it('refuses a body that is not a small object', async () => {
    const gateway = await start({ settings: { registration: { enabled: true } } });
    expect((await register(gateway, [1])).status).toBe(400);
    expect((await register(gateway, { client_name: 'x'.repeat(200_000) })).status).toBe(400);
  });
});

describe('a configured client with a secret', () => {
  it('needs the secret', async () => {
    const gateway = await start({
      settings: {
        clients: [
          { clientId: 'app', clientSecretFile: 'app', redirectUris: ['https://app.example/cb'] },
        ],
      },
    });
    const redirect = 'https://app.example/cb';
    const { url, verifier } = authorizationRequest(gateway, {
      client_id: 'app',
      redirect_uri: redirect,
    });
    const page = await signIn(url, createTestUser('alice'), { browser: clientBrowser(redirect) });
    const form = {
      grant_type: 'authorization_code',
      code: redirected(page).get('code') ?? '',
      code_verifier: verifier,
      redirect_uri: redirect,
    };
    const without = await post(gateway, '/oauth/token', { ...form, client_id: 'app' });
    expect(without).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
    const authorization = `Basic ${Buffer.from('app:the+secret+of+the+gateway').toString('base64')}`;
    const answer = await post(gateway, '/oauth/token', form, { authorization });
    expect(answer.status).toBe(200);
  });
});
