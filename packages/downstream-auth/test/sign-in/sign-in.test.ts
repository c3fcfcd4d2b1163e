import { describe, expect, it } from 'vitest';
import { requirement } from '../requirement.ts';
import { scene } from './scene.ts';
import { oauthServer, user, protectedServer, provider, testGateway } from './test-gateway.ts';

const ALICE = user('alice');

describe('a user who signs in to a server', () => {
  it('receives a URL of the gateway, signs in in a browser, and then reaches the server', async () => {
    const { gateway, tools, peer } = await scene();
    const outcome = await gateway.auth.login(tools, ALICE);
    expect(outcome).toMatchObject({
      code: 'challenge',
      reason: 'Sign-in to server "tools" is required.',
    });
    expect(await gateway.request(tools, ALICE)).toBe('sign-in-required');
    const page = await gateway.signIn(tools, ALICE);
    expect(page.status).toBe(200);
    expect(page.text).toContain('You are signed in to tools.');
    expect(await gateway.request(tools, ALICE)).toBe(200);
    expect(peer.requests.at(-1)).toMatchObject({ subject: 'alice', isAccepted: true });
    expect(await gateway.auth.login(tools, ALICE)).toEqual({ code: 'signed-in' });
    expect(await gateway.request(tools, user('bob'))).toBe('sign-in-required');
  });

  it('completes a sign-in that started before the gateway was restarted', async () => {
    const { gateway, tools } = await scene();
    const before = gateway.signIn;
    const outcome = await gateway.auth.login(tools, ALICE);
    gateway.restart();
    expect(outcome.code).toBe('challenge');
    expect((await before(tools, ALICE)).status).toBe(200);
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
    ['oauth', ''],
    ['openid', ''],
    ['oauth', '/tenant'],
    ['openid', '/tenant'],
  ] as const)('finds the metadata of the provider: %s%s', async (metadata, path) => {
    const { gateway, tools } = await scene({
      provider: { metadata, ...(path !== '' && { path }) },
    });
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
      const pinned = oauthServer('pinned', peer.url, { issuer: issuer.issuer, scopes: 'mcp' });
      gateway.servers.push(pinned);
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
      const pinned = oauthServer('pinned', peer.url, { issuer: issuer.issuer, scopes: 'mcp' });
      expect(await gateway.auth.login(pinned, ALICE)).toEqual({
        code: 'failed',
        reason: `authorizationServer override: issuer mismatch — spec.auth.authorizationServer.issuer="${issuer.issuer}" but AS metadata reports issuer="https://other.example"`,
      });
    });
  });

  it('is refused by a provider without PKCE, with another issuer, or without registration', async () => {
    const reasonWith = async (metadataFields: Readonly<Record<string, unknown>>) => {
      const { gateway, tools, issuer } = await scene({ provider: { metadataFields } });
      const outcome = await gateway.auth.login(tools, ALICE);
      if (outcome.code !== 'failed') throw new Error(outcome.code);
      return outcome.reason.replace(issuer.issuer, 'ISSUER');
    };
    expect(await reasonWith({ code_challenge_methods_supported: undefined })).toBe(
      'The authorization server "ISSUER" does not state code_challenge_methods_supported in its metadata; PKCE with S256 is required.',
    );
    expect(await reasonWith({ issuer: 'https://other.example' })).toBe(
      'The authorization server "ISSUER" reports another issuer in its metadata: "https://other.example".',
    );
    expect(
      await reasonWith({
        registration_endpoint: undefined,
        client_id_metadata_document_supported: undefined,
      }),
    ).toBe(
      'Cannot sign in to server "tools": the authorization server "ISSUER" does not register clients; register the gateway there and configure its client.',
    );
  });

  it('is refused by a server whose metadata describes another resource', async () => {
    const { gateway, tools } = await scene({
      server: { metadataFields: { resource: 'https://other.example/mcp' } },
    });
    expect(await gateway.auth.login(tools, ALICE)).toEqual({
      code: 'failed',
      reason: 'The metadata of the server describes another resource: "https://other.example/mcp".',
    });
  });

  it('signs out: the token is revoked, and the next request requires sign-in', async () => {
    const { gateway, tools, issuer } = await scene();
    await gateway.signIn(tools, ALICE);
    expect(await gateway.auth.logout(tools, ALICE)).toEqual({ code: 'signed-out' });
    expect(await gateway.request(tools, ALICE)).toBe('sign-in-required');
    expect(issuer.count('/token/revocation')).toBeGreaterThan(0);
    expect(await gateway.auth.logout(tools, ALICE)).toEqual({ code: 'not-signed-in' });
  });

  it('sees the sign-in in the status', async () => {
    const { gateway, tools, issuer } = await scene();
    const required = {
      server: 'tools',
      kind: 'oauth',
      status: 'sign-in-required',
      reason: 'Sign-in to server "tools" is required.',
    };
    expect(await gateway.auth.status(ALICE)).toEqual([required]);
    await gateway.signIn(tools, ALICE);
    expect(await gateway.auth.status(ALICE)).toMatchObject([
      { server: 'tools', kind: 'oauth', status: 'signed-in', issuer: issuer.issuer },
    ]);
    expect(await gateway.auth.status(user('bob'))).toEqual([required]);
  });

  it('is reported as a change of this user and server alone', async () => {
    const { gateway, tools } = await scene();
    const changes: unknown[] = [];
    gateway.auth.credentials.onChange((change) => changes.push(change));
    await gateway.signIn(tools, ALICE);
    expect(changes).toEqual([{ server: 'tools', principalKey: ALICE.key }]);
  });
});

describe('a second server', () => {
  it('of the same issuer needs no browser', async () => {
    const client = { client_id: 'server', client_secret: 'server-secret' };
    const issuer = await provider({
      resourceIndicators: false,
      clients: [{ ...client, grant_types: [], response_types: [], redirect_uris: [] }],
    });
    const introspection = {
      endpoint: `${issuer.issuer}/token/introspection`,
      clientId: 'server',
      clientSecret: 'server-secret',
    };
    const options = { issuers: [issuer.issuer], audiences: 'any', introspection } as const;
    const gateway = await testGateway();
    const first = oauthServer('first', (await protectedServer(options)).url);
    const second = oauthServer('second', (await protectedServer(options)).url);
    gateway.servers.push(first, second);
    await gateway.signIn(first, ALICE);
    expect(await gateway.auth.login(second, ALICE)).toEqual({ code: 'signed-in' });
    expect(await gateway.request(second, ALICE)).toBe(200);
    expect(await gateway.request(first, ALICE)).toBe(200);
    expect((await gateway.auth.login(second, user('bob'))).code).toBe('challenge');
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
    const second = oauthServer('second', other.url);
    gateway.servers.push(second);
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
    const second = oauthServer('second', other.url);
    gateway.servers.push(second);
    await gateway.signIn(tools, ALICE);
    expect((await gateway.auth.login(second, ALICE)).code).toBe('challenge');
    await gateway.signIn(second, ALICE);
    expect(await gateway.request(second, ALICE)).toBe(200);
    expect(await gateway.request(tools, ALICE)).toBe(200);
  });
});
