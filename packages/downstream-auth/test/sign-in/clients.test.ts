import { createMemoryStore } from '@gateway/state-store';
import { signIn, createTestUser } from '@gateway/test-peers';
import { describe, expect, it } from 'vitest';
import type { RegisteredClient } from '../../src/clients/identify-client.ts';
import { ALICE, BOB, protectedServer, provider, scene, testGateway, user } from './test-gateway.ts';

const CALLBACK = '/oauth/proxy/callback';
const CLOSED = 'The state store is closed.';

describe('the gateway as a client', () => {
  it('is the one that the operator registered, with its secret', async () => {
    const clients: RegisteredClient[] = [];
    const gateway = await testGateway({ clients });
    const secret = 'a+b%c d:e';
    const own = {
      client_id: 'own',
      client_secret: secret,
      redirect_uris: [`${gateway.publicUrl.origin}${CALLBACK}`],
      grant_types: ['authorization_code', 'refresh_token'],
      application_type: 'native' as const,
    };
    const peer = await provider({ clients: [own] });
    const { issuer } = peer;
    clients.push({ issuer, clientId: 'own', clientSecret: () => Promise.resolve(secret) });
    const tools = gateway.add('tools', (await protectedServer({ issuers: [issuer] })).url);
    expect((await gateway.signIn(tools, ALICE)).status).toBe(200);
    expect(await gateway.request(tools, ALICE)).toBe(200);
    expect(peer.count('/reg')).toBe(0);
  });

  it('is its document where the provider reads documents and the gateway has https', async () => {
    const publicUrl = new URL('https://gateway.test');
    const gateway = await testGateway({ publicUrl });
    const hosts = { [publicUrl.origin]: gateway.publicUrl.origin };
    const issuer = await provider({ documentHosts: hosts });
    const peer = await protectedServer({ issuers: [issuer.issuer] });
    const tools = gateway.add('tools', peer.url);
    const page = await gateway.signIn(tools, ALICE, { hosts });
    expect(page.status).toBe(200);
    expect(await gateway.request(tools, ALICE)).toBe(200);
    expect(issuer.count('/reg')).toBe(0);
    const authorization = page.visited.find((at) => at.startsWith(`${issuer.issuer}/auth?`));
    const clientId = new URL(authorization ?? '').searchParams.get('client_id') ?? '';
    const segment = clientId.split('/').at(-1) ?? '';
    expect(segment).toMatch(/^[\w-]{22}$/u);
    const redirect = `https://gateway.test${CALLBACK}/${segment}`;
    expect(page.url.startsWith(`${redirect}?`)).toBe(true);
    const documentAt = async (path: string): Promise<unknown> =>
      (await fetch(new URL(path, gateway.publicUrl))).json();
    const metadata = {
      client_name: 'MCP gateway',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      application_type: 'web',
      token_endpoint_auth_method: 'none',
    };
    expect(await documentAt(`/.well-known/oauth-client/${segment}`)).toEqual({
      ...metadata,
      client_id: `https://gateway.test/.well-known/oauth-client/${segment}`,
      redirect_uris: [redirect],
    });
    expect(await documentAt('/.well-known/oauth-client')).toEqual({
      ...metadata,
      client_id: 'https://gateway.test/.well-known/oauth-client',
      redirect_uris: [`https://gateway.test${CALLBACK}`],
    });
    const other = await fetch(new URL('/.well-known/oauth-client/other', gateway.publicUrl));
    expect(other.status).toBe(404);
  });

  it('has the one redirect URI of a document that the operator publishes', async () => {
    const publicUrl = new URL('https://gateway.test');
    const clientDocumentUrl = 'https://operator.test/client.json';
    const gateway = await testGateway({ publicUrl, clientDocumentUrl });
    const metadataFields = { client_id_metadata_document_supported: true };
    const reading = await provider({ metadataFields });
    const peer = await protectedServer({ issuers: [reading.issuer] });
    const link = await gateway.link(gateway.add('tools', peer.url));
    const hosts = { [publicUrl.origin]: gateway.publicUrl.origin };
    const isEnd = (url: URL): boolean => url.origin !== publicUrl.origin;
    const { url } = await signIn(link, createTestUser('alice'), { hosts, isEnd });
    const { searchParams } = new URL(url);
    expect(searchParams.get('client_id')).toBe(clientDocumentUrl);
    expect(searchParams.get('redirect_uri')).toBe(`https://gateway.test${CALLBACK}`);
    expect(reading.count('/reg')).toBe(0);
  });

  it('registers itself once for all users, and again when the provider forgot it', async () => {
    const { gateway, tools, issuer } = await scene();
    await gateway.signIn(tools, ALICE);
    await gateway.signIn(tools, BOB);
    expect(issuer.count('/reg')).toBe(1);
    issuer.removeClients();
    await gateway.link(tools, user('carol'));
    expect((await fetch(new URL('/.well-known/oauth-client', gateway.publicUrl))).status).toBe(404);
  });
});

describe('sign-in', () => {
  it('writes no token, code, state or verifier to the log', async () => {
    const { gateway, tools, issuer } = await scene();
    const link = await gateway.link(tools);
    const page = await gateway.signIn(tools, ALICE);
    const credential = await gateway.auth.credentials.current(tools, ALICE);
    if (!credential.ok) throw new Error('not signed in');
    issuer.revokeUser('alice');
    await gateway.request(tools, ALICE);
    await gateway.auth.logout(tools, ALICE);
    const log = gateway.lines.join('\n');
    expect(log).toContain('signed in to a server');
    const callback = new URL(page.url).searchParams;
    const secrets = [
      credential.credential.authorization.slice('Bearer '.length),
      callback.get('code'),
      callback.get('state'),
      new URL(link).searchParams.get('state'),
    ];
    for (const secret of secrets) expect(log).not.toContain(secret);
  });

  it('answers in one sentence while the store is away', async () => {
    const store = createMemoryStore();
    const { gateway, tools } = await scene({ gateway: { store } });
    await gateway.signIn(tools, ALICE);
    expect(await gateway.request(tools, ALICE)).toBe(200);
    await store.close();
    // A credential in memory needs no store.
    expect(await gateway.request(tools, ALICE)).toBe(200);
    const unavailable = { ok: false, code: 'unavailable', reason: CLOSED };
    expect(await gateway.auth.credentials.current(tools, BOB)).toEqual(unavailable);
    const refused = { code: 'failed', reason: CLOSED };
    expect(await gateway.auth.login(tools, BOB)).toEqual(refused);
    expect(await gateway.auth.logout(tools, BOB)).toEqual(refused);
  });

  it('is not configured without a URL for browsers', async () => {
    const { gateway, tools } = await scene({ gateway: { publicUrl: undefined } });
    expect(await gateway.auth.login(tools, ALICE)).toEqual({ code: 'not-configured' });
  });
});
