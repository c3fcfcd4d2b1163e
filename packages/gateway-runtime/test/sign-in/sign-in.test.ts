import { retryAssertion } from '@gateway/repo-checks';
import {
  signIn,
  startProtectedServer,
  startProvider,
  createTestUser,
  type ProtectedServer,
  type TestProvider,
} from '@gateway/test-peers';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  startSignInGateway,
  type SignInGateway,
  type SignInGatewayOptions,
} from './gateway-harness.ts';
import { toolsOf, walk, whoami } from './signed-in-user.ts';

const SERVER = { client_id: 'server', client_secret: 'server-secret' };

let provider: TestProvider;
let other: TestProvider;
let notes: ProtectedServer;
let mails: ProtectedServer;
let chats: ProtectedServer;
const gateways: SignInGateway[] = [];

const sharedIssuer = () =>
  ({
    issuers: [provider.issuer],
    scopesSupported: ['mcp'],
    audiences: 'any',
    introspection: {
      endpoint: `${provider.issuer}/token/introspection`,
      clientId: 'server',
      clientSecret: 'server-secret',
    },
  }) as const;

beforeAll(async () => {
  [provider, other] = await Promise.all([
    // Its tokens are for all servers.
    startProvider({
      resourceIndicators: false,
      clients: [{ ...SERVER, grant_types: [], response_types: [], redirect_uris: [] }],
    }),
    startProvider(),
  ]);
  [notes, mails, chats] = await Promise.all([
    startProtectedServer(sharedIssuer()),
    startProtectedServer(sharedIssuer()),
    startProtectedServer({ issuers: [other.issuer], scopesSupported: ['mcp'] }),
  ]);
});

afterEach(async () => {
  await Promise.all(gateways.splice(0).map((gateway) => gateway.close()));
});

afterAll(async () => {
  await Promise.all([notes, mails, chats].map((server) => server.close()));
  await Promise.all([provider.close(), other.close()]);
});

const oauth = ({ url }: ProtectedServer) => ({ url, auth: { type: 'oauth' } });

const start = async (options: Partial<SignInGatewayOptions> = {}): Promise<SignInGateway> => {
  const gateway = await startSignInGateway({
    servers: { notes: oauth(notes), mails: oauth(mails), chats: oauth(chats) },
    ...options,
  });
  gateways.push(gateway);
  return gateway;
};

const login = (gateway: SignInGateway, user: string | undefined, server: string) =>
  gateway.callTool(user, 'core_auth_login', { server });

describe('a user signs in to a server', () => {
  it('gets a URL, and after the callback the connection and the tools', async () => {
    const gateway = await start();
    expect(await toolsOf(gateway)).toEqual([]);
    const challenge = await login(gateway, undefined, 'notes');
    expect(challenge.isError).toBe(false);
    expect(challenge.text).toMatch(/^Authentication Required\n\nServer: notes\nStatus: /u);
    const url = String(challenge.structuredContent?.['authUrl']);
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/oauth\/proxy\/start\?state=/u);
    expect((await signIn(url, createTestUser('ada'))).status).toBe(200);
    await retryAssertion(async () => {
      expect(await login(gateway, undefined, 'notes')).toMatchObject({
        text: "Server 'notes' is already authenticated.",
      });
    });
    expect(await toolsOf(gateway)).toContain('x_notes_whoami');
    expect((await whoami(gateway, undefined, 'notes')).text).toContain('ada');
  });

  it('connects to a second server of the same issuer without a browser, and asks again for another issuer', async () => {
    const gateway = await start();
    await walk(gateway, undefined, 'notes');
    const second = await login(gateway, undefined, 'mails');
    expect(second.text).toMatch(/^Successfully connected to 'mails'!/u);
    const third = await login(gateway, undefined, 'chats');
    expect(third.structuredContent?.['authUrl']).toBeTypeOf('string');
    expect((await whoami(gateway, undefined, 'notes')).isError).toBe(false);
  });

  it('signs out, which hides the tools', async () => {
    const gateway = await start();
    await walk(gateway, undefined, 'notes');
    await retryAssertion(async () => {
      expect(await toolsOf(gateway)).toContain('x_notes_whoami');
    });
    const out = await gateway.callTool(undefined, 'core_auth_logout', { server: 'notes' });
    expect(out.text).toMatch(/^Successfully logged out from 'notes'\./u);
    expect(await toolsOf(gateway)).toEqual([]);
    expect((await login(gateway, undefined, 'notes')).structuredContent?.['authUrl']).toBeTypeOf(
      'string',
    );
  });
});
