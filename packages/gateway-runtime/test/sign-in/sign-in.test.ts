import { signIn, startProtectedServer, startProvider, createTestUser } from '@gateway/test-peers';
import { describe, expect, it } from 'vitest';
import { closeAtEnd, startSignInGateway } from './gateway-harness.ts';

const client = { client_id: 'server', client_secret: 'server-secret' };

/** A gateway with two servers of one issuer, whose tokens are for both, and one of another. */
const start = async () => {
  const unused = { grant_types: [], response_types: [], redirect_uris: [] };
  const clients = [{ ...client, ...unused }];
  const provider = await closeAtEnd(startProvider({ resourceIndicators: false, clients }));
  const other = await closeAtEnd(startProvider());
  const endpoint = `${provider.issuer}/token/introspection`;
  const shared = {
    issuers: [provider.issuer],
    scopesSupported: ['mcp'],
    audiences: 'any' as const,
    introspection: { endpoint, clientId: 'server', clientSecret: 'server-secret' },
  };
  const trusting = { issuers: [other.issuer], scopesSupported: ['mcp'] };
  const serverOf = async (options: Parameters<typeof startProtectedServer>[0]) => {
    const { url } = await closeAtEnd(startProtectedServer(options));
    return { url, auth: { type: 'oauth' } };
  };
  const [notes, mails] = [await serverOf(shared), await serverOf(shared)];
  const gateway = await startSignInGateway({
    servers: { notes, mails, chats: await serverOf(trusting) },
  });
  const login = (server: string) => gateway.callTool(undefined, 'core_auth_login', { server });
  return { ...gateway, login };
};

describe('a user signs in to a server', () => {
  it('gets a URL, and after the callback the connection and the tools', async () => {
    const { listTools, login, whoami } = await start();
    expect(await listTools()).toEqual([]);
    const challenge = await login('notes');
    expect(challenge.isError).toBe(false);
    expect(challenge.text).toMatch(/^Authentication Required\n\nServer: notes\nStatus: /u);
    const url = String(challenge.structuredContent?.['authUrl']);
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/oauth\/proxy\/start\?state=/u);
    expect((await signIn(url, createTestUser('ada'))).status).toBe(200);
    await expect
      .poll(async () => (await login('notes')).text)
      .toBe("Server 'notes' is already authenticated.");
    expect(await listTools()).toContain('x_notes_whoami');
    expect((await whoami(undefined, 'notes')).text).toContain('ada');
  });

  it('connects to a second server of the same issuer without a browser, and asks again for another issuer', async () => {
    const { login, walk, whoami } = await start();
    await walk(undefined, 'notes');
    expect((await login('mails')).text).toMatch(/^Successfully connected to 'mails'!/u);
    expect((await login('chats')).structuredContent?.['authUrl']).toBeTypeOf('string');
    expect((await whoami(undefined, 'notes')).isError).toBe(false);
  });

  it('signs out, which hides the tools', async () => {
    const { listTools, login, logout, walk } = await start();
    await walk(undefined, 'notes');
    await expect.poll(() => listTools()).toContain('x_notes_whoami');
    const out = await logout(undefined, 'notes');
    expect(out.text).toMatch(/^Successfully logged out from 'notes'\./u);
    expect(await listTools()).toEqual([]);
    expect((await login('notes')).structuredContent?.['authUrl']).toBeTypeOf('string');
  });
});
