import { createTestUser, signIn } from '@gateway/test-peers';
import { describe, expect, it } from 'vitest';
import { requirement } from '../requirement.ts';
import { ALICE, BOB, protectedServer, provider, scene, testGateway } from './test-gateway.ts';

describe('a user who signs in to a server', () => {
  it('receives a URL of the gateway, signs in in a browser, and then reaches the server', async () => {
    const { gateway, tools, peer } = await scene();
    const reason = 'Sign-in to server "tools" is required.';
    expect(await gateway.auth.login(tools, ALICE)).toMatchObject({ code: 'challenge', reason });
    expect(await gateway.request(tools, ALICE)).toBe('sign-in-required');
    const page = await gateway.signIn(tools, ALICE);
    expect(page.status).toBe(200);
    expect(page.text).toContain('You are signed in to tools.');
    expect(await gateway.request(tools, ALICE)).toBe(200);
    expect(peer.requests.at(-1)).toMatchObject({ subject: 'alice', isAccepted: true });
    expect(await gateway.auth.login(tools, ALICE)).toEqual({ code: 'signed-in' });
    expect(await gateway.request(tools, BOB)).toBe('sign-in-required');
  });

  it('completes a sign-in that started before the gateway was restarted', async () => {
    const { gateway, tools } = await scene();
    const link = await gateway.link(tools);
    gateway.restart();
    expect((await signIn(link, createTestUser('alice'))).status).toBe(200);
    gateway.restart();
    expect(await gateway.request(tools, ALICE)).toBe(200);
  });

  it.each([
    'path',
    'root',
    'challenge',
    'path-without-challenge',
    'root-without-challenge',
  ] as const)('finds the metadata of the server: %s', async (metadata) => {
    const { gateway, tools } = await scene({ server: { metadata, audiences: 'any' } });
    await gateway.signIn(tools, ALICE);
    expect(await gateway.request(tools, ALICE)).toBe(200);
  });

  it.each([
    ['oauth', {}],
    ['openid', {}],
    ['oauth', { path: '/tenant' }],
    ['openid', { path: '/tenant' }],
  ] as const)('finds the metadata of the provider: %s %j', async (metadata, options) => {
    const { gateway, tools } = await scene({ provider: { metadata, ...options } });
    expect((await gateway.signIn(tools, ALICE)).status).toBe(200);
    expect(await gateway.auth.login(tools, ALICE)).toEqual({ code: 'signed-in' });
  });

  it('is refused in words when the server names no authorization server', async () => {
    const { gateway, tools } = await scene({ server: { metadata: 'none' } });
    expect(await gateway.auth.login(tools, ALICE)).toEqual({ code: 'metadata-missing' });
  });

  requirement('2.6/auth-pinned-server', () => {
    it('signs in at the pinned issuer when the server has no metadata', async () => {
      const { gateway, issuer, peer } = await scene({ server: { metadata: 'none' } });
      const pinned = gateway.add('pinned', peer.url, { issuer: issuer.issuer, scopes: 'mcp' });
      await gateway.signIn(pinned, ALICE);
      expect(await gateway.request(pinned, ALICE)).toBe(200);
    });
  });

  requirement('5.1/pinned-server', () => {
    it('refuses a pinned issuer whose metadata names another one', async () => {
      const { gateway, issuer, peer } = await scene({
        provider: { metadataFields: { issuer: 'https://other.example' } },
        server: { metadata: 'none' },
      });
      const pinned = gateway.add('pinned', peer.url, { issuer: issuer.issuer, scopes: 'mcp' });
      expect(await gateway.auth.login(pinned, ALICE)).toEqual({
        code: 'failed',
        reason: `authorizationServer override: issuer mismatch — spec.auth.authorizationServer.issuer="${issuer.issuer}" but AS metadata reports issuer="https://other.example"`,
      });
    });
  });

  it.each([
    [
      { issuer: 'https://other.example' },
      'The authorization server "ISSUER" reports another issuer in its metadata: "https://other.example".',
    ],
    [
      { registration_endpoint: undefined, client_id_metadata_document_supported: undefined },
      'Cannot sign in to server "tools": the authorization server "ISSUER" does not register clients; register the gateway there and configure its client.',
    ],
  ])(
    'is refused by a provider with another issuer, or without registration',
    async (metadataFields, reason) => {
      const { gateway, tools, issuer } = await scene({ provider: { metadataFields } });
      const refused = { code: 'failed', reason: reason.replace('ISSUER', issuer.issuer) };
      expect(await gateway.auth.login(tools, ALICE)).toEqual(refused);
    },
  );

  it('is refused by a server whose metadata describes another resource', async () => {
    const metadataFields = { resource: 'https://other.example/mcp' };
    const { gateway, tools } = await scene({ server: { metadataFields } });
    const reason =
      'The metadata of the server describes another resource: "https://other.example/mcp".';
    expect(await gateway.auth.login(tools, ALICE)).toEqual({ code: 'failed', reason });
  });

  it('signs out: the token is revoked, and the next request requires sign-in', async () => {
    const { gateway, tools, issuer } = await scene();
    await gateway.signIn(tools, ALICE);
    expect(await gateway.auth.logout(tools, ALICE)).toEqual({ code: 'signed-out' });
    expect(await gateway.request(tools, ALICE)).toBe('sign-in-required');
    expect(issuer.count('/token/revocation')).toBeGreaterThan(0);
    expect(await gateway.auth.logout(tools, ALICE)).toEqual({ code: 'not-signed-in' });
  });

  it('sees the sign-in in the status, and is reported as a change of this user and server alone', async () => {
    const { gateway, tools, issuer } = await scene();
    const changes: unknown[] = [];
    gateway.auth.credentials.onChange((change) => changes.push(change));
    const reason = 'Sign-in to server "tools" is required.';
    const own = { server: 'tools', kind: 'oauth' };
    const required = { ...own, status: 'sign-in-required', reason };
    expect(await gateway.auth.status(ALICE)).toEqual([required]);
    await gateway.signIn(tools, ALICE);
    const signedIn = { ...own, status: 'signed-in', issuer: issuer.issuer };
    expect(await gateway.auth.status(ALICE)).toMatchObject([signedIn]);
    expect(await gateway.auth.status(BOB)).toEqual([required]);
    expect(changes).toEqual([{ server: 'tools', principalKey: ALICE.key }]);
  });
});

describe('a second server', () => {
  it('of the same issuer needs no browser', async () => {
    const [clientId, clientSecret] = ['server', 'server-secret'];
    const none = { grant_types: [], response_types: [], redirect_uris: [] };
    const client = { client_id: clientId, client_secret: clientSecret, ...none };
    const issuer = await provider({ resourceIndicators: false, clients: [client] });
    const endpoint = `${issuer.issuer}/token/introspection`;
    const introspection = { endpoint, clientId, clientSecret };
    const options = { issuers: [issuer.issuer], audiences: 'any', introspection } as const;
    const gateway = await testGateway();
    const first = gateway.add('first', (await protectedServer(options)).url);
    const second = gateway.add('second', (await protectedServer(options)).url);
    await gateway.signIn(first, ALICE);
    expect(await gateway.auth.login(second, ALICE)).toEqual({ code: 'signed-in' });
    expect(await gateway.request(second, ALICE)).toBe(200);
    expect(await gateway.request(first, ALICE)).toBe(200);
    expect((await gateway.auth.login(second, BOB)).code).toBe('challenge');
    // The sign-in belongs to both servers until both are signed out.
    expect(await gateway.auth.logout(first, ALICE)).toEqual({ code: 'signed-out' });
    expect(await gateway.request(first, ALICE)).toBe('sign-in-required');
    expect(await gateway.request(second, ALICE)).toBe(200);
    expect(issuer.count('/token/revocation')).toBe(0);
    expect(await gateway.auth.logout(second, ALICE)).toEqual({ code: 'signed-out' });
    expect(issuer.count('/token/revocation')).toBeGreaterThan(0);
  });

  it('of an issuer that binds tokens to resources receives no token of the first', async () => {
    const { gateway, tools, issuer } = await scene();
    const other = await protectedServer({ issuers: [issuer.issuer] });
    const second = gateway.add('second', other.url);
    await gateway.signIn(tools, ALICE);
    expect((await gateway.auth.login(second, ALICE)).code).toBe('challenge');
    expect(await gateway.request(second, ALICE)).toBe('sign-in-required');
    expect(other.requests.filter(({ tokenHash }) => tokenHash !== undefined)).toEqual([]);
    expect(await gateway.request(tools, ALICE)).toBe(200);
  });

  it('of another issuer requires another sign-in, and the first keeps working', async () => {
    const { gateway, tools } = await scene();
    const otherIssuer = await provider();
    const other = await protectedServer({ issuers: [otherIssuer.issuer] });
    const second = gateway.add('second', other.url);
    await gateway.signIn(tools, ALICE);
    expect((await gateway.auth.login(second, ALICE)).code).toBe('challenge');
    await gateway.signIn(second, ALICE);
    expect(await gateway.request(second, ALICE)).toBe(200);
    expect(await gateway.request(tools, ALICE)).toBe(200);
  });
});
