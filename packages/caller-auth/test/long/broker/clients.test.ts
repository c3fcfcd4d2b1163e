import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { CookieBrowser } from '@gateway/test-peers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { authorize, start, type ConnectedGateway } from '../../broker/harness/client.ts';

const DOCUMENT_URL = 'https://client.example/metadata.json';
const REDIRECT = 'https://client.example/callback';

/** A site with the document of a client, reached as `https://client.example`. */
const site = { requests: 0, status: 200, type: 'application/json', body: '' };
const server = createServer((_request, response) => {
  site.requests += 1;
  response.writeHead(site.status, { 'content-type': site.type }).end(site.body);
});
beforeAll(() => once(server.listen(0, '127.0.0.1'), 'listening'));
afterAll(() => void server.close());

const fetchDocument: typeof fetch = (_input, init) =>
  fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, init);

const publish = (changes: object = {}, answer: object = {}, document?: object): void => {
  const redirect_uris = [REDIRECT, 'http://localhost:33418/'];
  const published = { client_id: DOCUMENT_URL, client_name: 'Editor', redirect_uris, ...changes };
  const body = JSON.stringify(document ?? published);
  Object.assign(site, { requests: 0, status: 200, type: 'application/json', body, ...answer });
};

const asClient = (redirect_uri = REDIRECT) => ({ client_id: DOCUMENT_URL, redirect_uri });

const openRequest = ({ request }: ConnectedGateway) =>
  new CookieBrowser().open(request(asClient()).url);

const readMetadata = async ({ url }: ConnectedGateway): Promise<unknown> =>
  (await fetch(`${url}/.well-known/oauth-authorization-server`)).json();

describe('a client with a metadata document', () => {
  it('signs in, and its user is asked once', async () => {
    publish();
    const gateway = await start({ fetchDocument });
    const { browser, code, verifier } = await gateway.authorize('alice', asClient());
    const tokens = await gateway.exchange(code, verifier, asClient());
    expect(tokens).toMatchObject({ status: 200, body: { token_type: 'Bearer' } });
    // The same client, redirect host and permissions: the user is not asked again.
    const again = await browser.open(gateway.request(asClient()).url);
    expect(new URL(again.url).searchParams.get('code')).not.toBeNull();
  });

  it('may take any port of a loopback address, and is asked for each time', async () => {
    publish();
    const gateway = await start({ fetchDocument });
    const changes = asClient('http://localhost:50000/');
    const { browser, code } = await gateway.authorize('alice', changes);
    expect(code).not.toBeNull();
    const again = await browser.open(gateway.request(changes).url);
    expect(again.text).toContain('Allow “Editor” to use this gateway?');
    expect(again.text).toContain('a document at client.example');
    expect(again.text).toContain('localhost:50000 (a program on this computer)');
  });

  it('has its document fetched once for many requests', async () => {
    publish();
    const { request } = await start({ fetchDocument });
    const send = () => new CookieBrowser({ isEnd: () => false }).request(request(asClient()).url);
    await Promise.all(Array.from({ length: 20 }, send));
    await send();
    expect(site.requests).toBe(1);
  });

  it.each([
    ['names another client', { client_id: 'https://client.example/other.json' }, {}],
    ['is not JSON by its type', {}, { type: 'text/html' }],
    ['is missing', {}, { status: 404 }],
    ['redirects to another host', { redirect_uris: ['https://evil.example/callback'] }, {}],
    ['redirects over http', { redirect_uris: ['http://client.example/callback'] }, {}],
    ['has no redirect', { redirect_uris: undefined }, {}],
    ['has a secret', { token_endpoint_auth_method: 'client_secret_basic' }, {}],
    ['has a long name', { client_name: 'x'.repeat(121) }, {}],
    ['is not an object', {}, {}, []],
  ])(
    'is refused when the document %s, and not fetched again at once',
    async (_title, changes, answer, document?: object) => {
      publish(changes, answer, document);
      const gateway = await start({ fetchDocument });
      for (let time = 0; time < 3; time += 1) {
        const { status, visited } = await openRequest(gateway);
        expect([status, visited.length]).toEqual([400, 1]);
      }
      expect(site.requests).toBe(1);
    },
  );

  it.each([
    ['a loopback address', '127.0.0.1'],
    ['a private address', '10.0.0.1'],
    ['the address of cloud metadata', '169.254.169.254'],
    ['localhost', 'localhost'],
    ['an IPv6 loopback address', '[::1]'],
  ])('is refused when its document is at %s', async (_title, host) => {
    const { request, failures } = await start();
    const { url } = request({ client_id: `https://${host}/metadata.json` });
    const { status, text } = await new CookieBrowser().open(url);
    expect(status).toBe(400);
    expect(text).toContain('Error code: invalid_client');
    expect(failures.join()).toMatch(/^document of a client: .*address/u);
  });

  it('is refused when its host is not configured, and when documents are off, as metadata says', async () => {
    publish();
    const hosts = ['other.example'];
    const settings = { clientIdMetadataDocuments: { hosts } };
    expect((await openRequest(await start({ fetchDocument, settings }))).status).toBe(400);
    const off = { clientIdMetadataDocuments: { enabled: false } };
    const gateway = await start({ fetchDocument, settings: off });
    expect((await openRequest(gateway)).status).toBe(400);
    const metadata = await readMetadata(gateway);
    expect(metadata).not.toHaveProperty('client_id_metadata_document_supported', true);
  });
});

describe('registration', () => {
  const REGISTRATION = {
    client_name: 'Agent <b>',
    redirect_uris: ['http://127.0.0.1:9999/cb'],
    token_endpoint_auth_method: 'none',
    scope: 'mcp:read something:else',
    logo_uri: 'https://tracker.example/logo.png',
  };
  const startOpen = (limits: object = {}) =>
    start({ settings: { registration: { enabled: true, ...limits } } });

  it('is off by default', async () => {
    const gateway = await start();
    expect((await gateway.register(REGISTRATION)).status).toBe(404);
    expect(await readMetadata(gateway)).not.toHaveProperty('registration_endpoint');
  });

  it('makes a client that the consent page marks as not verified', async () => {
    const gateway = await startOpen();
    const response = await gateway.register(REGISTRATION);
    expect(response.status).toBe(201);
    const client = (await response.json()) as { client_id: string };
    expect(client).toMatchObject({ application_type: 'native', client_name: 'Agent <b>' });
    expect(client).not.toHaveProperty('logo_uri');
    const changes = { client_id: client.client_id, redirect_uri: 'http://127.0.0.1:4444/cb' };
    const { browser, code, verifier } = await gateway.authorize('alice', changes);
    expect((await gateway.exchange(code, verifier, changes)).status).toBe(200);
    const consent = await browser.open(gateway.request(changes).url);
    expect(consent.text).toContain('Nobody has verified the name of this program.');
    expect(consent.text).toContain('Agent &lt;b&gt;');
  });

  it('has a limit per minute', async () => {
    const { register } = await startOpen({ perMinute: 5 });
    const sent = Array.from({ length: 50 }, () => register(REGISTRATION));
    const statuses = (await Promise.all(sent)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 201).length).toBeLessThanOrEqual(10);
    expect(statuses).toContain(429);
  });

  const many = Array.from({ length: 65 }, (_, at) => `https://a.example/${at}`);
  it.each([
    ['plain http to another host', { redirect_uris: ['http://evil.example/cb'] }],
    ['a page in a redirect', { redirect_uris: [['java', 'script:alert(1)'].join('')] }],
    ['a fragment in a redirect', { redirect_uris: ['https://site.example/cb#x'] }],
    ['a long name', { client_name: 'x'.repeat(121) }],
    ['many redirects', { redirect_uris: many }],
  ])('refuses %s', async (_title, changes) => {
    const { register } = await startOpen();
    expect((await register({ ...REGISTRATION, ...changes })).status).toBe(400);
  });

  it.each([
    ['that reverses the text around it', '\u202Eelbatsurt', 400],
    ['with isolated directions', 'Agent\u2066x\u2069', 400],
    ['with a line break', 'Agent\nverified by the operator', 400],
    ['with a line separator', 'Agent\u2028verified', 400],
    ['in other scripts and with a joined emoji', 'עוזר 助手 👩\u200D💻', 201],
  ])('of a name %s is refused, or accepted as it is', async (_title, client_name, status) => {
    const { register } = await startOpen();
    expect((await register({ ...REGISTRATION, client_name })).status).toBe(status);
  });

  it('refuses a body that is not a small object', async () => {
    const { register } = await startOpen();
    for (const body of [[1], { client_name: 'x'.repeat(200_000) }])
      expect((await register(body)).status).toBe(400);
  });
});

it('a configured client with a secret needs the secret', async () => {
  const redirect_uri = 'https://app.example/cb';
  const app = { clientId: 'app', clientSecretFile: 'app', redirectUris: [redirect_uri] };
  const gateway = await start({ settings: { clients: [app] } });
  const { code, verifier } = await authorize(gateway, 'alice', { client_id: 'app', redirect_uri });
  const form = {
    grant_type: 'authorization_code',
    code: code ?? '',
    code_verifier: verifier,
    redirect_uri,
  };
  const without = await gateway.post('/oauth/token', { ...form, client_id: 'app' });
  expect(without).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
  const authorization = `Basic ${Buffer.from('app:the+secret+of+the+gateway').toString('base64')}`;
  expect((await gateway.post('/oauth/token', form, { authorization })).status).toBe(200);
});
